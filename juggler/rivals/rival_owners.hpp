#pragma once
// Owners of the memory of rivals that use a single launch: words, and lists made by the host. No
// word is reset before a run: it holds a run number, or each run writes it.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "juggler/executor.hpp"
#include "juggler/ours/ordered_kernel.hpp"

namespace gridloom::juggler {

/// Number of tasks that each worker executed in the last run. It has the members that
/// resident_executor calls; there are no queues.
class executed_counts {
 public:
  executed_counts(device& machine, int workers);
  [[nodiscard]] std::uint32_t* data() const { return counts_.data(); }
  [[nodiscard]] std::uint64_t finished();
  [[nodiscard]] load_range loads();
  void require_no_overflow() const {}
  void set_clean() const {}
  [[nodiscard]] std::size_t bytes() const { return counts_.bytes(); }

 private:
  device* machine_;
  buffer<std::uint32_t> counts_;
};

/// How tasks are distributed over workers: see ours/ordered_tasks.hpp.
enum class task_dealing { in_turns, chains, tickets };

/// Owner for static_lists, chains and ticket. Used by one thread, for one run at a time.
class ordered_owner : public executed_counts {
 public:
  ordered_owner(device& machine, task_dag const& dag, int workers, task_dealing dealing);
  ordered_view next_run(std::uint32_t* stop);
  [[nodiscard]] std::size_t bytes() const;

 private:
  buffer<std::byte> memory_;
  ordered_view view_{};
};

}  // namespace gridloom::juggler
