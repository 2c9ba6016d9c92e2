#pragma once
// Selection of processors by `append` on a device: the same placements as select_processors.

#include "gridloom/watchdog.hpp"
#include "pets/device_graph.hpp"
#include "pets/device_order.hpp"
#include "pets/kernels/select.hpp"

namespace gridloom::pets {

/// Memory for graphs of up to a number of tasks and edges; one thread.
class device_selection {
 public:
  /// Processors that the kernels take.
  static constexpr std::uint32_t most_processors = 32;

  device_selection(device& machine, std::uint32_t most_tasks, std::uint32_t edges, double timeout_s,
                   int threads = 0);

  /// Places the tasks in that order. Throws usage_error on more than most_processors and on times
  /// that no word holds, timeout_error "timeout: ..." when time was up.
  void select(device_graph const& graph, ordered_tasks_ref const& by);
  /// What was placed; of the same graph, for the starts.
  [[nodiscard]] schedule result(task_graph const& graph) const;
  /// Overwrites what was placed.
  void clear() { machine_->fill_bytes(placed_, 0xab); }
  [[nodiscard]] std::size_t bytes() const;
  /// Whether the last graph's times needed words of 64 bits.
  [[nodiscard]] bool was_wide() const { return wide_; }

 private:
  template <int Lanes, class Word>
  bool fits(ordered_graph_ref const& of);
  template <int Lanes>
  void place(ordered_graph_ref const& of);

  device* machine_;
  int threads_;
  std::uint32_t num_tasks_ = 0;
  bool wide_ = false;
  buffer<std::uint32_t> places_;
  buffer<std::uint32_t> level_begins_;
  buffer<std::uint32_t> parents_;
  buffer<placed_word> placed_;
  buffer<std::uint32_t> too_large_;
  watchdog dog_;
};

}  // namespace gridloom::pets
