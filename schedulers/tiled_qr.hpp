#pragma once
// The general scheduler of tiled QR (FR4). The header launches kernels (gridloom_kernel_sources).

#include "schedulers/scheduler.hpp"
#include "tiled_qr/general/graph_body.hpp"

namespace gridloom::schedulers {

namespace detail {

template <block_tasks Tasks>
std::unique_ptr<executor> make_general(device& machine, csr_graph const& graph, Tasks const& tasks,
                                       executor_settings const& settings) {
  using namespace gridloom::tiled_qr::general;
  return make_graph_executor(machine, graph, tasks, priority_by::critical_path, settings);
}

}  // namespace detail

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> tiled_qr() {
  return {{.name = "fr4",
           .about = "FR4: workers share queues of ready tasks, one per class of priority",
           .make = detail::make_general<Tasks>}};
}

}  // namespace gridloom::schedulers
