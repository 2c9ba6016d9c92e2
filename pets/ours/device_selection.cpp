#include "pets/ours/device_selection.hpp"

#include <stdexcept>
#include <string>

#include "pets/ours/single_launch.hpp"

namespace gridloom::pets {

device_selection::device_selection(device& machine, std::uint32_t most_tasks, std::uint32_t edges,
                                   double timeout_s, int threads, policy how)
    : machine_(&machine),
      threads_(machine.is_host() ? 1
               : threads > 0     ? threads
                                 : 1024),
      how_(how),
      places_(machine.allocate<std::uint32_t>(most_tasks)),
      level_begins_(machine.allocate<std::uint32_t>(std::size_t{most_tasks} + 1)),
      parents_(machine.allocate<std::uint32_t>(std::size_t{edges} + 1)),
      placed_(machine.allocate<placed_word>(most_tasks)),
      placements_(machine.allocate<placement>(most_tasks)),
      gaps_(machine.allocate<gap_node>(how == policy::insertion ? most_tasks : 1)),
      trees_(machine.allocate<gap_tree>(most_processors)),
      too_large_(machine.allocate<std::uint32_t>(1)),
      dog_(machine, 1, timeout_s) {
  if (how == policy::literal) {
    throw std::invalid_argument("device_selection: expected append or insertion, got literal");
  }
  require_whole_warps(machine, threads_);
}

template <int Lanes, class Word>
bool device_selection::fits(ordered_graph_ref const& of) {
  machine_->fill_bytes(too_large_, 0);
  machine_->launch({1, threads_},
                   select_kernel<Lanes, Word>{of, placed_.data(), too_large_.data(), dog_.arm()});
  make_room();
  bool const good = machine_->copy_to_host(too_large_.data()) == 0;
  dog_.require_in_time("selection of processors");
  return good;
}

template <int Lanes>
void device_selection::place(ordered_graph_ref const& of) {
  wide_ = false;
  if (fits<Lanes, std::uint32_t>(of)) return;
  wide_ = true;
  if (fits<Lanes, std::uint64_t>(of)) return;
  place_any<false>(of);
}

template <bool Insertion>
void device_selection::place_any(ordered_graph_ref const& of) {
  wide_ = true;
  machine_->launch({1, threads_}, select_any_kernel<Insertion>{of, placed_.data(), trees_.data(),
                                                               gaps_.data(), dog_.arm()});
  make_room();
  machine_->synchronize();
  dog_.require_in_time("selection of processors");
}

// The first access to new memory takes time, so it happens here, while the device works.
void device_selection::make_room() {
  if (room_ == nullptr) return;
  room_->of.resize(num_tasks_);
  room_->order.resize(num_tasks_);
}

void device_selection::select(device_graph const& graph, ordered_tasks_ref const& by,
                              schedule* room) {
  device_graph_ref const of = graph.ref();
  graph_ = of;
  order_ = by.order;
  room_ = room;
  if (of.num_tasks > places_.size() || graph.num_edges() >= parents_.size()) {
    throw std::invalid_argument("device_selection: the graph is larger than the memory is for");
  }
  num_tasks_ = of.num_tasks;
  launch_shape const shape = everywhere(*machine_);
  machine_->launch(shape,
                   each(num_tasks_, set_places{num_tasks_, by.num_levels, by.order, by.levels,
                                               places_.data(), level_begins_.data()}));
  machine_->launch(shape, each(graph.num_edges(), set_parents{of.predecessors.tasks, places_.data(),
                                                              parents_.data()}));
  ordered_graph_ref const ordered{of, by.num_levels, by.order, level_begins_.data(),
                                  parents_.data()};
  if (how_ == policy::insertion) return place_any<true>(ordered);
  if (of.num_processors > most_in_a_warp) return place_any<false>(ordered);
  if (of.num_processors <= 4) return place<4>(ordered);
  if (of.num_processors <= 8) return place<8>(ordered);
  if (of.num_processors <= 16) return place<16>(ordered);
  place<32>(ordered);
}

void device_selection::copy_result(schedule& to) {
  to.of.resize(num_tasks_);
  to.order.resize(num_tasks_);
  machine_->launch(
      everywhere(*machine_),
      each(num_tasks_, set_placements{graph_, places_.data(), placed_.data(), placements_.data()}));
  machine_->copy_to_host(std::span(to.of), placements_.data());
  machine_->copy_to_host(std::span(to.order), order_);
}

std::size_t device_selection::bytes() const {
  return places_.bytes() + level_begins_.bytes() + parents_.bytes() + placed_.bytes() +
         placements_.bytes() + gaps_.bytes() + trees_.bytes();
}

}  // namespace gridloom::pets
