#pragma once
// The memory of ordered_tasks.hpp: lists that the host made, and words. No word is reset before a
// run: it holds a run's number, or each run writes it.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gridloom/taskgraph/executed_counts.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/rivals/ordered_tasks.hpp"

namespace gridloom {

/// One list per worker, all in one topological order (OT.R3). With `is_common`, all workers draw
/// tickets for the tasks of all lists, in their order.
struct worker_lists {
  task_groups lists;
  bool is_common = false;
  /// Time of a run, if the lists come from a plan.
  double predicted_ms = std::nan("");
};

/// Makes the lists of a graph from its successors and its predecessors.
using list_maker = worker_lists (*)(csr_graph const& graph, csr_graph const& before,
                                    std::uint32_t workers);

/// Static lists: the levels of a graph, dealt to the workers in turns.
[[nodiscard]] worker_lists lists_in_turns(csr_graph const& graph, csr_graph const& before,
                                          std::uint32_t workers);

/// Tickets: one list of all levels.
[[nodiscard]] worker_lists common_list(csr_graph const& graph, csr_graph const& before,
                                       std::uint32_t workers);

/// Used by one thread, for one run at a time.
class ordered_state : public executed_counts {
 public:
  /// `predecessors` has those of each task.
  ordered_state(device& machine, csr_graph const& predecessors, worker_lists const& order,
                std::uint32_t workers);
  ordered_view next_run();
  [[nodiscard]] std::uint32_t tasks() const { return view_.tasks; }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes() + executed_counts::bytes(); }

 private:
  buffer<std::byte> memory_;
  ordered_view view_{};
};

}  // namespace gridloom
