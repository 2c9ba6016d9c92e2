#include "pets/device_selection.hpp"

#include <stdexcept>
#include <string>

#include "device_methods.hpp"

namespace gridloom::pets {

device_selection::device_selection(device& machine, std::uint32_t most_tasks, std::uint32_t edges,
                                   double timeout_s, int threads)
    : machine_(&machine),
      threads_(machine.is_host() ? 1
               : threads > 0     ? threads
                                 : 1024),
      places_(machine.allocate<std::uint32_t>(most_tasks)),
      level_begins_(machine.allocate<std::uint32_t>(std::size_t{most_tasks} + 1)),
      parents_(machine.allocate<std::uint32_t>(std::size_t{edges} + 1)),
      placed_(machine.allocate<placed_word>(most_tasks)),
      too_large_(machine.allocate<std::uint32_t>(1)),
      dog_(machine, 1, timeout_s) {
  require_whole_warps(machine, threads_);
}

template <int Lanes, class Word>
bool device_selection::fits(ordered_graph_ref const& of) {
  machine_->fill_bytes(too_large_, 0);
  machine_->launch({1, threads_},
                   select_kernel<Lanes, Word>{of, placed_.data(), too_large_.data(), dog_.arm()});
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
  throw usage_error("selection on a device: expected times below " +
                    std::to_string(select_kernel<Lanes, std::uint64_t>::limit) +
                    ", got larger ones");
}

void device_selection::select(device_graph const& graph, ordered_tasks_ref const& by) {
  device_graph_ref const of = graph.ref();
  if (of.num_processors > most_processors) {
    throw usage_error("selection on a device: expected at most " + std::to_string(most_processors) +
                      " processors, got " + std::to_string(of.num_processors));
  }
  if (of.num_tasks > places_.size() || graph.num_edges() >= parents_.size()) {
    throw std::invalid_argument("device_selection: the graph is larger than the memory is for");
  }
  num_tasks_ = of.num_tasks;
  launch_shape const shape = everywhere(*machine_);
  machine_->launch(shape, places_kernel{num_tasks_, by.num_levels, by.order, by.levels,
                                        places_.data(), level_begins_.data()});
  machine_->launch(shape, parents_kernel{graph.num_edges(), of.predecessors.tasks, places_.data(),
                                         parents_.data()});
  ordered_graph_ref const ordered{of, by.num_levels, by.order, level_begins_.data(),
                                  parents_.data()};
  if (of.num_processors <= 4) return place<4>(ordered);
  if (of.num_processors <= 8) return place<8>(ordered);
  if (of.num_processors <= 16) return place<16>(ordered);
  place<32>(ordered);
}

schedule device_selection::result(task_graph const& graph) const {
  std::vector<placed_word> placed(num_tasks_);
  machine_->copy_to_host(std::span(placed), placed_.data());
  std::vector<std::uint32_t> places(num_tasks_);
  machine_->copy_to_host(std::span(places), places_.data());
  schedule made;
  made.of.resize(num_tasks_);
  made.order.resize(num_tasks_);
  for (std::uint32_t task = 0; task < num_tasks_; ++task) {
    placed_word const& at = placed[places[task]];
    made.order[places[task]] = task;
    auto const processor = static_cast<std::uint32_t>(at.processor);
    made.of[task] = {processor, at.finish - graph.costs_of(task)[processor], at.finish};
  }
  return made;
}

std::size_t device_selection::bytes() const {
  return places_.bytes() + level_begins_.bytes() + parents_.bytes() + placed_.bytes();
}

}  // namespace gridloom::pets
