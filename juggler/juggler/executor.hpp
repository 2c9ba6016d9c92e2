#pragma once
// Settings of Juggler's executors. Their require_done() also throws usage_error if a queue was too
// short. They measure set-up as in the paper: initAppContext_D, then initRtContext_D.

#include <cstdint>

#include "gridloom/taskgraph/executor.hpp"

namespace gridloom::juggler {

struct execution_settings : executor_settings {
  /// Entries of each worker's queue. 0 means the number of tasks, as in the paper.
  std::uint32_t queue_length = 0;
  /// Whether kernels call the tasks' body as a function (called_body), else it is part of them.
  bool calls_body = false;
};

}  // namespace gridloom::juggler
