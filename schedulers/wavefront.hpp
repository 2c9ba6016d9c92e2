#pragma once
// The schedulers of the wavefront paper, and in_order. The header launches kernels (gridloom_kernel_sources).

#include "schedulers/scheduler.hpp"
#include "wavefront/graph_executor.hpp"
#include "wavefront/ours/in_order_executor.hpp"
#include "wavefront/ours/ticket_queue_state.hpp"

namespace gridloom::schedulers {

namespace detail {

template <gridloom::wavefront::published_method How, block_tasks Tasks>
std::unique_ptr<executor> make_wavefront(device& machine, csr_graph const& graph,
                                         Tasks const& tasks, executor_settings const& settings) {
  return std::make_unique<gridloom::wavefront::graph_executor<Tasks>>(machine, graph, tasks, How,
                                                                      settings);
}

template <bool ByTickets, block_tasks Tasks>
std::unique_ptr<executor> make_in_order(device& machine, csr_graph const& graph, Tasks const& tasks,
                                        executor_settings const& settings) {
  return std::make_unique<gridloom::wavefront::in_order_executor<Tasks>>(machine, graph, tasks,
                                                                         ByTickets, settings);
}

template <block_tasks Tasks>
std::unique_ptr<executor> make_ticket_queue(device& machine, csr_graph const& graph,
                                            Tasks const& tasks, executor_settings const& settings) {
  using namespace gridloom::wavefront;
  using kernel = ticket_queue_block_kernel<packed_dag, silent_probe, user_body<Tasks>>;
  return std::make_unique<state_executor<Tasks, ticket_queue_state<packed_dag>>>(
      machine, graph, tasks, settled<kernel>(machine, settings));
}

}  // namespace detail

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> wavefront() {
  using enum gridloom::wavefront::published_method;
  return {{.name = "scanning",
           .about = "wavefront III.A: workers rescan the counters of all tasks",
           .make = detail::make_wavefront<scanning, Tasks>},
          {.name = "single-queue",
           .about = "wavefront III.B: one stack of ready tasks under one lock",
           .make = detail::make_wavefront<single_queue, Tasks>},
          {.name = "multi-queue",
           .about = "wavefront III.C: one locked stack per worker, tasks spread by a hash",
           .make = detail::make_wavefront<multi_queue, Tasks>},
          {.name = "ticket-queue",
           .about = "a ring of ready tasks; a worker continues with a task that it released",
           .by = origin::ours,
           .make = detail::make_ticket_queue<Tasks>},
          {.name = "in-order",
           .about = "tasks level by level, dealt to workers in turn; workers poll predecessors",
           .by = origin::ours,
           .make = detail::make_in_order<false, Tasks>},
          {.name = "in-order-ticket",
           .about = "as in-order, but workers draw the next task by an atomic counter",
           .by = origin::ours,
           .make = detail::make_in_order<true, Tasks>}};
}

}  // namespace gridloom::schedulers
