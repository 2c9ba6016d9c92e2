#include "juggler/rivals/rival_owners.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "juggler/lists/chains.hpp"

namespace gridloom::juggler {

executed_counts::executed_counts(device& machine, int workers)
    : machine_(&machine),
      counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers))) {
  machine.fill_bytes(counts_, 0);  // a graph without tasks is not launched
}
std::uint64_t executed_counts::finished() {
  std::vector<std::uint32_t> const counts = machine_->copy_to_host(counts_);
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}
load_range executed_counts::loads() {
  std::vector<std::uint32_t> const counts = machine_->copy_to_host(counts_);
  auto const [min, max] = std::minmax_element(counts.begin(), counts.end());
  return {*max, *min};
}

waves_owner::waves_owner(device& machine, task_dag const& dag, int workers)
    : last_(machine.allocate<std::uint64_t>(1)), executed_(machine, workers) {
  task_groups const waves = waves_of(dag);
  waves_ = waves.groups();
  numbers_ = machine.allocate_copy(waves.tasks);
  first_ = machine.allocate_copy(waves.first);
  machine.fill_bytes(last_, 0);
}
waves_view waves_owner::next_run() {
  return {numbers_.data(), first_.data(), waves_, ++runs_, last_.data(), executed_.data()};
}
std::size_t waves_owner::bytes() const {
  return numbers_.bytes() + first_.bytes() + last_.bytes() + executed_.bytes();
}

ordered_owner::ordered_owner(device& machine, task_dag const& dag, int workers,
                             task_dealing dealing)
    : tasks_(dag.tasks()),
      done_(machine.allocate<std::uint32_t>(dag.tasks())),
      tickets_(machine.allocate<ticket_word>(2)),
      executed_(machine, workers) {
  auto const lists = static_cast<std::uint32_t>(workers);
  csr_graph const before = transposed(dag.children);
  task_groups order = waves_of(dag);
  task_places made;
  if (dealing == task_dealing::tickets) {
    made = places_of(before, order.tasks);
  } else {
    order = dealing == task_dealing::chains
                ? dealt_to(lists, order, chains_of(dag, before, order, lists).worker_of)
                : dealt_to(lists, order);
    made = places_of(before, order);
    first_ = machine.allocate_copy(order.first);
  }
  places_ = machine.allocate_copy(made.places);
  parents_ = machine.allocate_copy(made.parents);
  machine.fill_bytes(done_, 0);
  machine.fill_bytes(tickets_, 0);
}
ordered_view ordered_owner::next_run() {
  return {places_.data(), parents_.data(), first_.data(),   tasks_,
          ++runs_,        done_.data(),    tickets_.data(), executed_.data()};
}
std::size_t ordered_owner::bytes() const {
  return places_.bytes() + parents_.bytes() + first_.bytes() + done_.bytes() + tickets_.bytes() +
         executed_.bytes();
}

}  // namespace gridloom::juggler
