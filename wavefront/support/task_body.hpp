#pragma once
// What a task does. The paper times tasks that do nothing; METG needs tasks of a chosen length; and
// a recurrence over the predecessors' results proves, by its values, that no task ran before what
// it depends on.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "gridloom/backend/types.hpp"
#include "gridloom/group.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "support/do_not_optimize.hpp"
#include "support/task_durations.hpp"
#include "support/task_graph.hpp"
#include "support/wide_recurrence.hpp"

namespace gridloom::wavefront {

/// The threads that execute a task: one by itself, or a whole block.
enum class task_width : std::uint32_t { lane, block };

/// `body(block, graph, task, scratch)` runs a task by all threads of a block, of at most
/// `max_threads`. The scratch is shared memory, not initialised. `takes_long()`: whether the watchdog
/// should look after every task.
template <class Body>
concept block_body = std::is_trivially_copyable_v<Body> && requires(Body const body) {
  typename Body::scratch;
  { Body::max_threads } -> std::convertible_to<int>;
  { body.takes_long() } -> std::same_as<bool>;
};

// The bodies of all tasks of a run, a type for each kind, so that no kernel asks its tasks what they
// are: that took longer than a task that does nothing. Called by all threads of the group that
// executes the task; of the graph they ask for the task's predecessors only.
//
// Beside block_body's: `needs_results()`: whether tasks read their predecessors' results; for
// schedulers that hand results over themselves, `finish(task, result)`, what is left to do of a task
// once its predecessors' results are in `result`, which returns the task's own, and `keep(task, own)`,
// which puts it where the others put theirs.

/// What bodies without results have in common.
struct body_without_results {
  static constexpr int max_threads = 1024;
  using scratch = no_scratch;
  using gathers = recurrence;

  bool operator==(body_without_results const&) const = default;

  GRIDLOOM_FN static constexpr bool needs_results() { return false; }
  GRIDLOOM_FN static void keep(std::uint32_t /*task*/, std::uint32_t /*own*/) {}
};

/// Does nothing.
struct noop_body : body_without_results {
  GRIDLOOM_FN static constexpr bool takes_long() { return false; }

  bool operator==(noop_body const&) const = default;

  template <thread_group Group, class Graph, class... Scratch>
  GRIDLOOM_FN void operator()(Group const& /*group*/, Graph const& /*graph*/, std::uint32_t task,
                              Scratch&... /*local*/) const {
    find(task);
  }
  GRIDLOOM_FN static std::uint32_t finish(std::uint32_t task, recurrence const& /*result*/) {
    find(task);
    return 0;
  }

 private:
  /// Which task it is has to be known: else compilers leave that out, and with it what whoever goes
  /// wave by wave does at all.
  GRIDLOOM_FN static void find(std::uint32_t task) { do_not_optimize(task, none); }
};

/// Keeps its threads busy.
struct work_body : body_without_results {
  /// On the clock of `now_ticks()`; the mean, where durations are drawn.
  std::uint64_t ticks = 0;
  task_durations durations = task_durations::constant;
  std::uint32_t seed = 0;

  work_body() = default;
  explicit work_body(std::uint64_t mean_ticks, task_durations drawn = task_durations::constant,
                     std::uint32_t of_draw = 0)
      : ticks(mean_ticks), durations(drawn), seed(of_draw) {}

  /// A look of the watchdog is a trip to memory, which is next to nothing from a hundred microseconds
  /// on. 256 shorter ones take some ten milliseconds.
  GRIDLOOM_FN bool takes_long() const { return ticks > 200'000; }

  bool operator==(work_body const&) const = default;

  template <thread_group Group, class Graph, class... Scratch>
  GRIDLOOM_FN void operator()(Group const& /*group*/, Graph const& /*graph*/, std::uint32_t task,
                              Scratch&... /*local*/) const {
    work(task);
  }
  GRIDLOOM_FN std::uint32_t finish(std::uint32_t task, recurrence const& /*result*/) const {
    work(task);
    return 0;
  }

 private:
  /// The draw is part of the task: the clock is read before it.
  GRIDLOOM_FN void work(std::uint32_t task) const {
    std::uint64_t const begin = now_ticks();
    std::uint64_t own = ticks;
    if (durations != task_durations::constant) {
      own = static_cast<std::uint64_t>(static_cast<float>(ticks) *
                                       duration_of(durations, seed, task));
    }
    while (now_ticks() - begin < own) {
    }
  }
};

/// The type of what a task hands on, where `Gathers` gathers its predecessors' results.
template <class Gathers>
using value_gathered = std::remove_cvref_t<decltype(std::declval<Gathers const&>().value())>;

/// Predecessors of a task, of which the first few are read at once.
template <class List>
struct first_read {
  /// As many as there can be, if that is known; most tasks of graphs from files have no more than four.
  static constexpr std::uint32_t few = [] {
    if constexpr (requires { List::most; }) {
      return List::most;
    } else {
      return std::uint32_t{4};
    }
  }();

  first_read() = default;
  GRIDLOOM_FN explicit first_read(List const& of_task) : all(of_task) {
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < few; ++k) {
      if (k < all.size()) first[k] = all[k];
    }
  }

  List all{};
  std::uint32_t first[few] = {};
};
template <class List>
first_read(List const&) -> first_read<List>;

/// Gathers its predecessors' results. `Gathers` is recurrence, or one with results as wide as wanted.
template <class Gathers>
struct gathering_body {
  static constexpr int max_threads = 1024;
  using scratch = no_scratch;
  using gathers = Gathers;
  using value_type = value_gathered<Gathers>;

  /// Results, one a task.
  value_type* values = nullptr;

  GRIDLOOM_FN static constexpr bool takes_long() { return false; }
  GRIDLOOM_FN static constexpr bool needs_results() { return true; }

  bool operator==(gathering_body const&) const = default;

  template <thread_group Group, class Graph, class... Scratch>
  GRIDLOOM_FN void operator()(Group const& group, Graph const& graph, std::uint32_t task,
                              Scratch&... /*local*/) const {
    if (group.thread_rank() == 0) gather(task, first_read(graph.predecessors(task)));
  }
  /// The same, of a task of which so much is known. Results are asked for before any is looked at: one
  /// trip to memory for the first few. Plain accesses on purpose: they are right only if the scheduler
  /// orders them.
  template <class List>
  GRIDLOOM_FN void gather(std::uint32_t task, first_read<List> const& from) const {
    value_type value[from.few] = {};
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < from.few; ++k) {
      if (k < from.all.size()) value[k] = values[from.first[k]];
    }
    gathers result(task);
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < from.few; ++k) {
      if (k < from.all.size()) result.add(value[k]);
    }
    for (std::uint32_t k = from.few; k < from.all.size(); ++k) result.add(values[from.all[k]]);
    values[task] = result.value();
  }
  GRIDLOOM_FN static value_type finish(std::uint32_t /*task*/, gathers const& result) {
    return result.value();
  }
  GRIDLOOM_FN void keep(std::uint32_t task, value_type const& own) const { values[task] = own; }
};

/// Results of one word.
using recurrence_body = gathering_body<recurrence>;
/// Results of 16 bytes.
using wide_body = gathering_body<wide_recurrence<4>>;
using wide_value = wide_body::value_type;

/// What a scheduler can be asked to run.
using any_body = std::variant<noop_body, work_body, recurrence_body, wide_body>;
static_assert(block_body<noop_body> && block_body<work_body> && block_body<recurrence_body> &&
              block_body<wide_body>);

}  // namespace gridloom::wavefront
