#pragma once
// The thesis's kernels for levels and ranks (4.3.1, 4.3.2 and 4.4). The host launches one after
// another, until a launch reaches no further task. The queue is an array with one word per task,
// which is not 0 if the task is to be visited. Each launch reads the whole array.
//
// The thesis's listings use the queue in two ways:
// - Marking (code 4.2): a visited task marks all its successors. So a task is visited once for each
//   length of a path to it. Its values grow until the last visit, when the values of all
//   predecessors are final.
// - Counting (code 4.7): the predecessor that brings a task's count to zero marks the task. So each
//   task is visited once.
//
// Departures: level and rank are maximised independently, entries have ranks, each launch clears
// the queue's words that it has read, and entry discovery for counting counts all predecessors.

#include "gridloom/atomic.hpp"
#include "gridloom/each.hpp"
#include "pets/kernels/layouts.hpp"

namespace gridloom::pets {

/// The two ways of marking tasks: see above.
enum class reaching { marks, counts };

struct level_words {
  /// Queue of this launch. Its length is a multiple of 8.
  std::uint32_t* queue;
  /// Queue of the next launch, all 0 at first.
  std::uint32_t* next;
  /// With counting: number of each task's predecessors that have not been visited yet.
  std::uint32_t* missing;
  /// Number of the last launch that reached a task.
  std::uint32_t* reached;
  /// Number of visits of each task so far, or null.
  std::uint32_t* visits;
};

/// Entry discovery (4.3.1), and initial values of all words.
template <class Layout, reaching How>
struct discover_entries_of {
  Layout graph;
  level_words words;
  time_value* ranks;
  std::uint32_t* levels;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    words.queue[task] = graph.is_entry(task) ? 1 : 0;
    ranks[task] = 0;
    levels[task] = 0;
    if constexpr (How == reaching::counts) {
      std::uint32_t count = 0;
      graph.for_predecessors(task, [&](std::uint32_t) { ++count; });
      words.missing[task] = count;
    }
  }
};

/// Computes levels and ranks of the tasks in the queue (4.3.2). A thread handles `Each` tasks and
/// reads their words together (4.4).
template <class Layout, int Each, reaching How>
struct compute_metrics_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr std::uint32_t tasks_per_thread = Each;

  Layout graph;
  level_words words;
  /// Number of this launch, counted from 1.
  std::uint32_t number;
  /// Rounded ACC of each task.
  time_value const* averages;
  time_value* ranks;
  std::uint32_t* levels;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    std::uint32_t const threads = (graph.num_tasks + tasks_per_thread - 1) / tasks_per_thread;
    for_each(block, threads, [&](std::uint32_t thread) {
      auto* const own = reinterpret_cast<marks*>(words.queue) + thread;
      marks const marked = *own;
      bool any = false;
      GRIDLOOM_UNROLL
      for (int i = 0; i < Each; ++i) any = any || marked.of[i] != 0;
      if (!any) return;
      *own = marks{};
      GRIDLOOM_UNROLL
      for (int i = 0; i < Each; ++i) {
        if (marked.of[i] != 0) look_at(thread * tasks_per_thread + static_cast<std::uint32_t>(i));
      }
    });
  }

 private:
  struct alignas(Each == 1 ? 4 : 16) marks {
    std::uint32_t of[Each];
  };

  GRIDLOOM_FN void look_at(std::uint32_t task) const {
    direct_memory memory;
    time_value largest = 0;
    std::uint32_t level = 0;
    graph.for_predecessors(task, [&](std::uint32_t from) {
      // With marking, another thread may write these values at the same time. Then this is not the
      // last visit.
      time_value const rank = memory.load_relaxed(ranks + from);
      std::uint32_t const below = memory.load_relaxed(levels + from) + 1;
      if (rank > largest) largest = rank;
      if (below > level) level = below;
    });
    time_value data = 0;
    bool reaches = false;
    graph.for_successors(task, [&](std::uint32_t to, time_value weight) {
      data += weight;
      if constexpr (How == reaching::counts) {
        if (memory.fetch_sub_relaxed(words.missing + to, 1U) != 1) return;
      }
      memory.store_relaxed(words.next + to, 1U);
      reaches = true;
    });
    memory.store_relaxed(ranks + task, largest + averages[task] + data);
    memory.store_relaxed(levels + task, level);
    if (reaches) memory.store_relaxed(words.reached, number);
    if (words.visits != nullptr) ++words.visits[task];
  }
};

}  // namespace gridloom::pets
