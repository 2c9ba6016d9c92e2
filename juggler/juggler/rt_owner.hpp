#pragma once
// Owner of a run's state (`initRtContext_D`), and what it is at the start: the ready tasks dealt to
// the queues in turns.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "juggler/dag.hpp"
#include "juggler/executor.hpp"
#include "juggler/rt_context.hpp"

namespace gridloom::juggler {

/// Used by one thread, by one run at a time.
class rt_owner {
 public:
  /// Queues of `queue_length` entries each, 0 for all tasks, for one of the two inboxes. Throws
  /// usage_error where a queue does not hold its part of the ready tasks, or all queues do not fit
  /// into the device's memory.
  rt_owner(device& machine, task_dag const& dag, int workers, std::uint32_t queue_length,
           bool is_counted);

  /// As at the start; copies on the device only. `stop` is the word that ends the run.
  rt_context_ref reset(std::uint32_t* stop);
  /// The last run ended as it should.
  void set_clean() { is_clean_ = true; }
  /// Of the last run.
  [[nodiscard]] std::uint32_t finished();
  [[nodiscard]] load_range loads();
  /// Throws unsupported if a queue of the last run was too short.
  void require_no_overflow();
  [[nodiscard]] std::size_t bytes() const;

 private:
  device* machine_;
  rt_context_ref context_{};
  // Of a slot_inbox: entries are empty, which a run that ends as it should leaves behind itself.
  bool is_counted_;
  bool is_clean_ = false;
  // What a run begins with is copied over its state: a reset is one copy. What stands in the queues of
  // a counted_inbox is not read before it is written.
  buffer<std::byte> memory_;
  /// Parts of it.
  buffer<std::byte> first_state_, state_, queues_;
};

}  // namespace gridloom::juggler
