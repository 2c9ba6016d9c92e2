#include "gridloom/taskgraph/rivals/ordered_state.hpp"

#include <algorithm>

#include "gridloom/packed_memory.hpp"

namespace gridloom {

worker_lists lists_in_turns(csr_graph const& graph, csr_graph const&, std::uint32_t workers) {
  return {dealt_to(workers, levels_by_number(graph))};
}

worker_lists common_list(csr_graph const& graph, csr_graph const&, std::uint32_t) {
  return {levels_by_number(graph), true};
}

ordered_state::ordered_state(device& machine, csr_graph const& predecessors,
                             worker_lists const& order, std::uint32_t workers)
    : executed_counts(machine, static_cast<int>(workers)) {
  task_groups const& lists = order.lists;
  task_places const made =
      order.is_common ? places_of(predecessors, lists.tasks) : places_of(predecessors, lists);
  std::size_t const tasks = made.places.size();
  packing parts;
  std::size_t const tickets_at = parts.add<ticket_word>(2);
  std::size_t const done_at = parts.add<std::uint32_t>(tasks);
  std::size_t const places_at = parts.add<task_place>(tasks);
  std::size_t const parents_at = parts.add<std::uint32_t>(made.parents.size());
  std::size_t const first_at = parts.add<std::uint32_t>(order.is_common ? 0 : lists.first.size());
  packed_image image(parts);
  std::fill_n(image.at<ticket_word>(tickets_at), 2, ticket_word{});
  std::fill_n(image.at<std::uint32_t>(done_at), tasks, 0U);
  image.set(places_at, made.places);
  image.set(parents_at, made.parents);
  if (!order.is_common) image.set(first_at, lists.first);
  memory_ = machine.allocate<std::byte>(parts.bytes());
  machine.copy_to_device(memory_, image.bytes());

  std::byte* const base = memory_.data();
  view_ = {reinterpret_cast<task_place const*>(base + places_at),
           reinterpret_cast<std::uint32_t const*>(base + parents_at),
           order.is_common ? nullptr : reinterpret_cast<std::uint32_t const*>(base + first_at),
           static_cast<std::uint32_t>(tasks),
           0,
           reinterpret_cast<std::uint32_t*>(base + done_at),
           reinterpret_cast<ticket_word*>(base + tickets_at),
           data()};
}

ordered_view ordered_state::next_run() {
  ++view_.run;
  return view_;
}

}  // namespace gridloom
