#pragma once
// The host side of a run: a task graph and an application, ready to run under Juggler's runtime or
// a rival.

#include <string_view>

#include "gridloom/taskgraph/executor.hpp"

namespace gridloom::juggler {

/// How the workers of a persistent grid are numbered: see ours/worker_placing.hpp.
enum class worker_placing : int;

struct execution_settings : executor_settings {
  /// Entries of each worker's queue. 0 means the number of tasks, as in the paper.
  std::uint32_t queue_length = 0;
  /// block_numbers, the paper's numbering, ignores this.
  worker_placing placing{};
};

/// Tasks executed by the busiest and by the least busy worker.
struct load_range {
  std::uint32_t max;
  std::uint32_t min;
};

/// require_done() also throws usage_error if a queue was too short.
class executor : public gridloom::executor {
 public:
  /// Loads of the last run; {0, 0} for methods without resident workers.
  [[nodiscard]] virtual load_range loads() { return {0, 0}; }
  /// How the workers are numbered.
  [[nodiscard]] virtual std::string_view placing() const { return "blocks"; }
  /// Milliseconds of set-up: copying the graph to the device (initAppContext_D), then preparing the
  /// state of a run (initRtContext_D). 0 for methods without a graph or such a state.
  [[nodiscard]] virtual double graph_init_ms() const { return 0; }
  [[nodiscard]] virtual double runtime_init_ms() const { return 0; }
};

}  // namespace gridloom::juggler
