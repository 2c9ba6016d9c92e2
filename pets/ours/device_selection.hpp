#pragma once
// Selection of processors by append or insertion on a device: the same placements as
// select_processors.

#include "gridloom/watchdog.hpp"
#include "ours/kernels/select_any.hpp"
#include "pets/device_order.hpp"
#include "pets/selection.hpp"
#include "support/device_graph.hpp"

namespace gridloom::pets {

/// Memory for graphs of up to a number of tasks and edges; one thread.
class device_selection {
 public:
  /// Processors that append has a quicker kernel for, if their times fit 61 bits.
  static constexpr std::uint32_t most_in_a_warp = 32;

  /// `how`: append or insertion, which needs memory for gaps.
  device_selection(device& machine, std::uint32_t most_tasks, std::uint32_t edges, double timeout_s,
                   int threads = 0, policy how = policy::append);

  /// Places the tasks in that order, which stays where it is until the result is there. `room`, if
  /// given, gets the memory for a result while the device works: that takes as long as a copy.
  /// Throws timeout_error "timeout after ..." when time was up.
  void select(device_graph const& graph, ordered_tasks_ref const& by, schedule* room = nullptr);
  /// What was placed.
  void copy_result(schedule& to);
  [[nodiscard]] schedule result() {
    schedule made;
    copy_result(made);
    return made;
  }
  /// Overwrites what was placed.
  void clear() { machine_->fill_bytes(placed_, 0xab); }
  [[nodiscard]] std::size_t bytes() const;
  /// Whether the last graph's times were in words of 64 bits.
  [[nodiscard]] bool was_wide() const { return wide_; }

 private:
  void make_room();
  template <int Lanes, class Word>
  bool fits(ordered_graph_ref const& of);
  template <int Lanes>
  void place(ordered_graph_ref const& of);
  template <bool Insertion>
  void place_any(ordered_graph_ref const& of);

  device* machine_;
  int threads_;
  policy how_;
  std::uint32_t num_tasks_ = 0;
  /// Of the last select().
  device_graph_ref graph_{};
  std::uint32_t const* order_ = nullptr;
  schedule* room_ = nullptr;
  bool wide_ = false;
  buffer<std::uint32_t> places_;
  buffer<std::uint32_t> level_begins_;
  buffer<std::uint32_t> parents_;
  buffer<placed_word> placed_;
  buffer<placement> placements_;
  buffer<gap_node> gaps_;
  buffer<gap_tree> trees_;
  buffer<std::uint32_t> too_large_;
  watchdog dog_;
};

}  // namespace gridloom::pets
