#pragma once
// The paper's schedulers for tasks of a user, on any task graph: scanning, one queue, and one queue
// per block with the paper's hash a. The header launches kernels (gridloom_kernel_sources).

#include "wavefront/published_state.hpp"
#include "wavefront/support/state_executor.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

/// Runs the tasks of one graph by one of the paper's schedulers. The paper does not time reset().
template <block_tasks Tasks>
class graph_executor final : public state_executor<Tasks, published_state<dag_ref, hash_a>> {
 public:
  /// `graph` has passed check_dag and has a task. Throws usage_error for settings out of range,
  /// grid_error if no block fits.
  graph_executor(device& machine, csr_graph const& graph, Tasks const& tasks, published_method how,
                 executor_settings const& settings)
      : state_executor<Tasks, published_state<dag_ref, hash_a>>(
            machine, graph, tasks, settled_for(machine, how, settings), how, hash_a{}) {}

 private:
  static executor_settings settled_for(device& machine, published_method how,
                                       executor_settings const& settings) {
    using body = user_body<Tasks>;
    if (how == published_method::scanning)
      return settled<scanning_kernel<dag_ref, silent_probe, body>>(machine, settings);
    if (how == published_method::single_queue)
      return settled<single_queue_kernel<dag_ref, silent_probe, body>>(machine, settings);
    return settled<multi_queue_kernel<dag_ref, silent_probe, body, hash_a>>(machine, settings);
  }
};

}  // namespace gridloom::wavefront
