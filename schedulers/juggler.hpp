#pragma once
// Juggler's policies. The header launches kernels (gridloom_kernel_sources).

#include "gridloom/taskgraph/rivals/ordered_lists.hpp"
#include "juggler/graph_app.hpp"
#include "juggler/ours/chains.hpp"
#include "juggler/ours/make_runtime.hpp"
#include "schedulers/scheduler.hpp"

namespace gridloom::schedulers {

namespace detail {

template <class Policy, block_tasks Tasks>
std::unique_ptr<executor> make_policy(device& machine, csr_graph const& graph, Tasks const& tasks,
                                      executor_settings const& settings) {
  using methods = gridloom::juggler::method_list<gridloom::juggler::by_policy<Policy>>;
  return gridloom::juggler::make_graph_executor<methods>(Policy::name, machine, graph, tasks,
                                                         {settings});
}

template <block_tasks Tasks>
std::unique_ptr<executor> make_chains(device& machine, csr_graph const& graph, Tasks const& tasks,
                                      executor_settings const& settings) {
  return std::make_unique<ordered_lists<Tasks>>(machine, graph, gridloom::juggler::chain_lists,
                                                tasks, settings, graph_memory{});
}

}  // namespace detail

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> juggler() {
  using namespace gridloom::juggler;
  return {{.name = "juggler-lrr",
           .about = "Juggler, local round robin: a worker deals ready tasks, beginning with itself",
           .make = detail::make_policy<local_round_robin, Tasks>},
          {.name = "juggler-grr",
           .about = "Juggler, global round robin: ready tasks go to all workers in turn",
           .make = detail::make_policy<global_round_robin, Tasks>},
          {.name = "juggler-lf",
           .about = "Juggler, local first: ready tasks stay with the worker that released them",
           .make = detail::make_policy<local_first, Tasks>},
          {.name = "juggler-lts",
           .about = "a worker keeps one task and gives others to the shorter of two queues",
           .by = origin::ours,
           .make = detail::make_policy<local_then_shorter, Tasks>},
          {.name = "juggler-chains",
           .about = "one list per worker, in which a task follows one of its predecessors",
           .by = origin::ours,
           .make = detail::make_chains<Tasks>}};
}

}  // namespace gridloom::schedulers
