#pragma once
// Selection of processors on a device, by append or insertion. It makes the same placements as
// select_processors (selection.hpp).

#include "gridloom/watchdog.hpp"
#include "pets/device_order.hpp"
#include "pets/ours/kernels/select_any.hpp"
#include "pets/selection.hpp"
#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

/// Places graphs of up to `most_tasks` tasks and `edges` edges. Owns the memory. Used by one
/// thread.
class device_selection {
 public:
  /// Largest number of processors for append's faster kernel, which also needs times below 2^61.
  static constexpr std::uint32_t most_in_a_warp = 32;

  /// `how` is append or insertion. Insertion needs memory for gaps.
  device_selection(device& machine, std::uint32_t most_tasks, std::uint32_t edges, double timeout_s,
                   int threads = 0, policy how = policy::append);

  /// Places the tasks in the order `by`, which must exist until the result is copied. If `room` is
  /// given, the host allocates memory for the result there while the device works. An allocation
  /// takes as long as a copy. Throws timeout_error "timeout after ..." if the watchdog stops the
  /// run.
  void select(device_graph const& graph, ordered_tasks_ref const& by, schedule* room = nullptr);
  /// Copies the placements to the host.
  void copy_result(schedule& to);
  [[nodiscard]] schedule result() {
    schedule made;
    copy_result(made);
    return made;
  }
  /// Overwrites the placements.
  void clear() { machine_->fill_bytes(placed_, 0xab); }
  [[nodiscard]] std::size_t bytes() const;
  /// Whether the last graph needed words of 64 bits.
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
  /// Arguments of the last select().
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
