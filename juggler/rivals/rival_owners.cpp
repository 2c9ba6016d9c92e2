#include "juggler/rivals/rival_owners.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "juggler/ours/chains.hpp"
#include "juggler/packed_memory.hpp"

namespace gridloom::juggler {

executed_counts::executed_counts(device& machine, int workers)
    : machine_(&machine),
      counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers))) {
  // A graph without tasks is not launched, so no kernel would write the counts.
  machine.fill_bytes(counts_, 0);
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

ordered_owner::ordered_owner(device& machine, task_dag const& dag, int workers,
                             task_dealing dealing)
    : executed_counts(machine, workers) {
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
  }
  bool const has_lists = dealing != task_dealing::tickets;
  packing parts;
  std::size_t const tickets_at = parts.add<ticket_word>(2);
  std::size_t const done_at = parts.add<std::uint32_t>(dag.tasks());
  std::size_t const places_at = parts.add<task_place>(made.places.size());
  std::size_t const parents_at = parts.add<std::uint32_t>(made.parents.size());
  std::size_t const first_at = parts.add<std::uint32_t>(has_lists ? order.first.size() : 0);
  packed_image image(parts);
  std::fill_n(image.at<ticket_word>(tickets_at), 2, ticket_word{});
  std::fill_n(image.at<std::uint32_t>(done_at), dag.tasks(), 0U);
  image.set(places_at, made.places);
  image.set(parents_at, made.parents);
  if (has_lists) image.set(first_at, order.first);
  memory_ = machine.allocate<std::byte>(parts.bytes());
  machine.copy_to_device(memory_, image.bytes());

  std::byte* const base = memory_.data();
  view_ = {reinterpret_cast<task_place const*>(base + places_at),
           reinterpret_cast<std::uint32_t const*>(base + parents_at),
           has_lists ? reinterpret_cast<std::uint32_t const*>(base + first_at) : nullptr,
           dag.tasks(),
           0,
           reinterpret_cast<std::uint32_t*>(base + done_at),
           reinterpret_cast<ticket_word*>(base + tickets_at),
           data()};
}
ordered_view ordered_owner::next_run(std::uint32_t* /*stop*/) {
  ++view_.run;
  return view_;
}
std::size_t ordered_owner::bytes() const { return memory_.bytes() + executed_counts::bytes(); }

}  // namespace gridloom::juggler
