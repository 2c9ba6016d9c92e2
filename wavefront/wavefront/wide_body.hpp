#pragma once
// Tasks with results of 16 bytes. A body of its own: a kernel that might run these as well would take
// registers and time from tasks of the other kinds.

#include <variant>

#include "wavefront/task_body.hpp"
#include "wavefront/wide_recurrence.hpp"

namespace gridloom::wavefront {

using wide_value = wide_result<4>;

/// A recurrence of four words. Used as task_body is.
struct wide_body {
  static constexpr int max_threads = 1024;
  using scratch = no_scratch;
  using gathers = wide_recurrence<4>;

  /// Results, one a task.
  wide_value* values = nullptr;

  GRIDLOOM_FN static bool takes_long() { return false; }
  GRIDLOOM_FN static bool needs_results() { return true; }

  bool operator==(wide_body const&) const = default;

  template <thread_group Group, class Graph>
  GRIDLOOM_FN void operator()(Group const& group, Graph const& graph, std::uint32_t task) const {
    if (group.thread_rank() != 0) return;
    // Plain accesses, as in task_body.
    gathers result(task);
    auto const from = graph.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) result.add(values[from[k]]);
    values[task] = result.value();
  }
  /// As a block's body.
  template <thread_group Block, class Graph>
  GRIDLOOM_FN void operator()(Block const& block, Graph const& graph, std::uint32_t task,
                              scratch&) const {
    (*this)(block, graph, task);
  }
};
static_assert(block_body<wide_body>);

/// What a scheduler can be asked to run.
using any_body = std::variant<task_body, wide_body>;

}  // namespace gridloom::wavefront
