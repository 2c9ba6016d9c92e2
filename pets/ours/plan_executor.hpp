#pragma once
// Runs a plan (plan.hpp) inside a kernel: the lists as they are, whatever the tasks really take.
// The header launches kernels (gridloom_kernel_sources).

#include <memory>

#include "gridloom/taskgraph/rivals/ordered_lists.hpp"
#include "pets/ours/plan.hpp"

namespace gridloom::pets {

/// The plan is made in the executor's set-up. Throws as ordered_lists and make_plan do.
template <block_tasks Tasks>
std::unique_ptr<executor> make_plan_executor(list_scheduler const& by, plan_times const& times,
                                             device& machine, csr_graph const& graph,
                                             Tasks const& tasks,
                                             executor_settings const& settings) {
  auto const find = [&](csr_graph const&, csr_graph const&, std::uint32_t workers) {
    return make_plan(by, graph, workers, times).lists;
  };
  return std::make_unique<ordered_lists<Tasks>>(machine, graph, find, tasks, settings,
                                                graph_memory{});
}

}  // namespace gridloom::pets
