#pragma once
// The schedulers of all artifacts behind one interface: each runs any task graph with tasks of a
// user, one thread block per task. Include the header of an artifact here to run your own tasks
// under its schedulers.

#include <memory>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::schedulers {

enum class origin { published, ours, rival };

template <block_tasks Tasks>
struct scheduler {
  /// The artifact and the method, such as "juggler-grr".
  std::string_view name;
  std::string_view about;
  origin by = origin::published;
  /// Smallest compute capability on CUDA; 90 means 9.0.
  int needs = 0;
  /// Whether a time limit ends a run on CUDA.
  bool stops_on_cuda = true;
  /// Makes an executor. The graph has passed check_dag and has a task. The machine and the data of
  /// the tasks must outlive the executor. Throws usage_error for settings out of range.
  std::unique_ptr<executor> (*make)(device&, csr_graph const&, Tasks const&,
                                    executor_settings const&);
};

}  // namespace gridloom::schedulers
