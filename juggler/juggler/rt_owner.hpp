#pragma once
// Owner of a run's state (`initRtContext_D`). It deals the tasks that are ready at the start to the
// queues in turns.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "juggler/dag.hpp"
#include "juggler/executor.hpp"
#include "juggler/rt_context.hpp"

namespace gridloom::juggler {

/// Used by one thread, for one run at a time.
class rt_owner {
 public:
  /// Each queue has `queue_length` entries; 0 means the number of tasks. The queues are
  /// counted_inbox if `is_counted`, otherwise slot_inbox. Throws usage_error if a queue is too
  /// short for its share of the ready tasks, or if device memory is too small.
  rt_owner(device& machine, task_dag const& dag, int workers, std::uint32_t queue_length,
           bool is_counted);

  /// Resets the state for a run by copies on the device. A nonzero `stop` word ends the run.
  rt_context_ref next_run(std::uint32_t* stop);
  /// Notes that the last run executed all tasks, so all slots are empty.
  void set_clean() { is_clean_ = true; }
  [[nodiscard]] std::uint32_t finished();
  [[nodiscard]] load_range loads();
  /// Throws unsupported if a queue of the last run was too short.
  void require_no_overflow();
  [[nodiscard]] std::size_t bytes() const;

 private:
  device* machine_;
  rt_context_ref context_{};
  bool is_counted_;
  /// Whether all entries of a slot_inbox are empty.
  bool is_clean_ = false;
  // A reset copies the first state over the state in one copy. Entries of a counted_inbox need no
  // reset: they are written before they are read.
  buffer<std::byte> memory_;
  /// Views of parts of memory_.
  buffer<std::byte> first_state_, state_, queues_;
};

}  // namespace gridloom::juggler
