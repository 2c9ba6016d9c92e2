#pragma once
// Task bodies: nothing, work of a chosen length, or a recurrence. The paper times tasks that do
// nothing. METG, the shortest task at which half the time is work, needs tasks of a chosen length.
// A recurrence over the predecessors' results is right only if tasks run after their predecessors.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "gridloom/backend/host.hpp"
#include "gridloom/backend/types.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/do_not_optimize.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"
#include "gridloom/taskgraph/task_durations.hpp"

namespace gridloom {

// The recurrence with results of several words. It tests schedulers with results that do not fit
// into one access.

/// Aligned so that a GPU thread loads 16 bytes at once.
template <int Words>
struct alignas(Words % 4 == 0 ? 16 : 4) wide_result {
  std::uint32_t word[Words];

  bool operator==(wide_result const&) const = default;
};

/// One recurrence per word, each with its own start. So a word of another run, of another task or
/// in the wrong place changes the result.
template <int Words>
class wide_recurrence {
 public:
  GRIDLOOM_FN explicit wide_recurrence(std::uint32_t task)
      : wide_recurrence(task, std::make_index_sequence<Words>{}) {}
  GRIDLOOM_FN void add(wide_result<Words> const& value) {
    GRIDLOOM_UNROLL
    for (int w = 0; w < Words; ++w) words_[w].add(value.word[w]);
  }
  GRIDLOOM_FN wide_result<Words> value() const {
    wide_result<Words> result;
    GRIDLOOM_UNROLL
    for (int w = 0; w < Words; ++w) result.word[w] = words_[w].value();
    return result;
  }

 private:
  template <std::size_t... W>
  GRIDLOOM_FN wide_recurrence(std::uint32_t task, std::index_sequence<W...>)
      : words_{recurrence(task * std::uint32_t{Words} + std::uint32_t{W})...} {}

  recurrence words_[Words];
};

/// The threads that execute a task: a single thread, or a whole block.
enum class task_width : std::uint32_t { lane, block };

/// `body(group, graph, task)` runs a task with a lane, a warp or a block.
template <class Body, class Group, class Graph>
concept task_body = thread_group<Group> && std::is_trivially_copyable_v<Body> &&
    requires(Body const body, Group const group, Graph const graph) {
  body(group, graph, 0U);
};

/// `body(block, graph, task, scratch)` runs a task with all threads of a block, at most
/// `max_threads`. The scratch is uninitialised shared memory. `takes_long()` tells whether to ask
/// the watchdog after every task.
template <class Body>
concept block_body = std::is_trivially_copyable_v<Body> && requires(Body const body) {
  typename Body::scratch;
  { Body::max_threads } -> std::convertible_to<int>;
  { body.takes_long() } -> std::same_as<bool>;
};

// All tasks of a run have the same body, and each kind of body is a separate type. So no kernel
// tests the kind of a task, which would take longer than an empty task. All threads of the group
// that executes the task call the body, which asks the graph only for the task's predecessors.
//
// In addition to the members of block_body, bodies have:
// - `needs_results()`: whether tasks read their predecessors' results.
// - `finish(task, result)`, for schedulers that pass results on themselves: runs a task whose
//   predecessors' results are in `result`, and returns the task's own result.
// - `keep(task, own)`: stores the task's own result where the other schedulers store it.

/// Base of bodies without results.
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
  /// The task's number must be used. Otherwise the compiler removes its computation, and with it
  /// the whole loop of a scheduler that runs level by level.
  GRIDLOOM_FN static void find(std::uint32_t task) { do_not_optimize(task, no_task); }
};

/// Keeps its threads busy.
struct work_body : body_without_results {
  /// Duration on the clock of `now_ticks()`; the mean duration if durations are drawn.
  std::uint64_t ticks = 0;
  task_durations durations = task_durations::constant;
  std::uint32_t seed = 0;

  work_body() = default;
  explicit work_body(std::uint64_t mean_ticks, task_durations drawn = task_durations::constant,
                     std::uint32_t draw_seed = 0)
      : ticks(mean_ticks), durations(drawn), seed(draw_seed) {}

  /// Asking the watchdog takes a trip to memory, which is short next to a task of 100 microseconds.
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
  GRIDLOOM_FN void work(std::uint32_t task) const {
    keep_busy_for([&] { return drawn_ticks{ticks, durations, seed}.of(task); });
  }
};

/// The type of a task's result if `Gathers` combines the results of the task's predecessors.
template <class Gathers>
using value_gathered = std::remove_cvref_t<decltype(std::declval<Gathers const&>().value())>;

/// The first few predecessors of a task, read at once.
template <class List>
struct first_read {
  /// How many are read: the list's largest length if its type has one, else 4. Four are enough for
  /// most tasks of graphs from files.
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

/// Combines the results of a task's predecessors. `Gathers` is recurrence, or wide_recurrence.
template <class Gathers>
struct gathering_body {
  static constexpr int max_threads = 1024;
  using scratch = no_scratch;
  using gathers = Gathers;
  using value_type = value_gathered<Gathers>;

  /// Array of one result per task.
  value_type* values = nullptr;

  GRIDLOOM_FN static constexpr bool takes_long() { return false; }
  GRIDLOOM_FN static constexpr bool needs_results() { return true; }

  bool operator==(gathering_body const&) const = default;

  template <thread_group Group, class Graph, class... Scratch>
  GRIDLOOM_FN void operator()(Group const& group, Graph const& graph, std::uint32_t task,
                              Scratch&... /*local*/) const {
    if (group.thread_rank() == 0) gather(task, first_read(graph.predecessors(task)));
  }
  /// Runs a task whose predecessors are known. The results of the first few are loaded before any
  /// is used, so that they take one trip to memory. The accesses are plain on purpose: they are
  /// right only if the scheduler orders them.
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

/// All bodies that a scheduler can run.
using any_body = std::variant<noop_body, work_body, recurrence_body, wide_body>;
static_assert([]<class... Body>(std::variant<Body...> const*) {
  using host_warp = decltype(std::declval<host_block const&>().warp());
  return ((block_body<Body> && task_body<Body, thread_of_one, lattice> &&
           task_body<Body, host_warp, lattice> && task_body<Body, host_block, lattice>)&&...);
}(static_cast<any_body const*>(nullptr)));

}  // namespace gridloom
