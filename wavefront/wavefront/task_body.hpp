#pragma once
// What a task does. The paper times tasks that do nothing; METG needs tasks of a chosen length; and
// a recurrence over the predecessors' results proves, by its values, that no task ran before what
// it depends on.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gridloom/backend/types.hpp"
#include "gridloom/group.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "wavefront/task_durations.hpp"
#include "wavefront/task_graph.hpp"

namespace gridloom::wavefront {

enum class body_kind : std::uint32_t { noop, work, recurrence };

/// `body(block, graph, task, scratch)` runs a task by all threads of a block, of at most
/// `max_threads`. The scratch is shared memory, not initialised. `takes_long()`: whether the watchdog
/// should look after every task.
template <class Body>
concept block_body = std::is_trivially_copyable_v<Body> && requires(Body const body) {
  typename Body::scratch;
  { Body::max_threads } -> std::convertible_to<int>;
  { body.takes_long() } -> std::same_as<bool>;
};

/// The body of all tasks of a run. Called by all threads of the group that executes the task; of
/// the graph it asks for the task's predecessors only.
struct task_body {
  static constexpr int max_threads = 1024;
  using scratch = no_scratch;
  using gathers = recurrence;

  body_kind kind = body_kind::noop;
  /// Length of `work` on the clock of `now_ticks()`; the mean, where durations are drawn.
  std::uint64_t work_ticks = 0;
  /// Results of `recurrence`, one a task.
  std::uint32_t* values = nullptr;
  /// Of `work`.
  task_durations durations = task_durations::constant;
  std::uint32_t seed = 0;

  /// A look of the watchdog is a trip to memory, which is next to nothing from a hundred microseconds
  /// on. 256 shorter ones take some ten milliseconds.
  GRIDLOOM_FN bool takes_long() const { return kind == body_kind::work && work_ticks > 200'000; }
  /// Whether tasks read their predecessors' results.
  GRIDLOOM_FN bool needs_results() const { return kind == body_kind::recurrence; }

  // For schedulers that hand results over themselves:
  /// What is left to do of a task of this kind once its predecessors' results are in `result`.
  /// Returns the task's own.
  template <body_kind Kind>
  GRIDLOOM_FN std::uint32_t finish(std::uint32_t task, recurrence const& result) const {
    if constexpr (Kind == body_kind::work) work(task);
    return Kind == body_kind::recurrence ? result.value() : 0;
  }
  /// Puts it where the others put theirs.
  template <body_kind Kind>
  GRIDLOOM_FN void keep(std::uint32_t task, std::uint32_t own) const {
    if constexpr (Kind == body_kind::recurrence) values[task] = own;
  }

  bool operator==(task_body const&) const = default;

  template <thread_group Group, class Graph>
  GRIDLOOM_FN void operator()(Group const& group, Graph const& graph, std::uint32_t task) const {
    if (kind == body_kind::noop) return;
    if (kind == body_kind::work) {
      work(task);
    } else if (group.thread_rank() == 0) {
      // Plain accesses on purpose: they are right only if the scheduler orders them.
      recurrence result(task);
      auto const from = graph.predecessors(task);
      for (std::uint32_t k = 0; k < from.size(); ++k) result.add(values[from[k]]);
      values[task] = result.value();
    }
  }

  /// As a block's body.
  template <thread_group Block, class Graph>
  GRIDLOOM_FN void operator()(Block const& block, Graph const& graph, std::uint32_t task,
                              scratch&) const {
    (*this)(block, graph, task);
  }

 private:
  /// The draw is part of the task: the clock is read before it.
  GRIDLOOM_FN void work(std::uint32_t task) const {
    std::uint64_t const begin = now_ticks();
    std::uint64_t ticks = work_ticks;
    if (durations != task_durations::constant) {
      ticks = static_cast<std::uint64_t>(static_cast<float>(work_ticks) *
                                         duration_of(durations, seed, task));
    }
    while (now_ticks() - begin < ticks) {
    }
  }
};

}  // namespace gridloom::wavefront
