#pragma once
// The thesis's kernels (4.3.1, 4.3.2 and 4.4): the host launches one after the other until none has
// reached a task any more. The queue is an array with a word a task, not 0 for those whose turn it
// is, and each launch looks at all of it.
//
// Two readings of the queue, as the thesis's listings have them. Marking (code 4.2): whoever was
// looked at marks all successors, which are so looked at once for each length of a path to them;
// values grow until the last look, at which all predecessors have theirs. Counting (code 4.7):
// whoever takes the last predecessor off a task's count marks it, and each task is looked at once.
//
// Departures: level and rank grow independently of each other, entries have ranks, and a launch
// clears the words that it reads, so that no other has to.

#include "gridloom/atomic.hpp"
#include "pets/kernels/layouts.hpp"
#include "support/each.hpp"

namespace gridloom::pets {

/// How tasks come to be marked, see above.
enum class reaching { marks, counts };

struct level_words {
  /// Of this launch; as long as a multiple of 8.
  std::uint32_t* queue;
  /// Of the next one, all 0 before.
  std::uint32_t* next;
  /// Predecessors that were not looked at yet, where they are counted.
  std::uint32_t* missing;
  /// Number of the last launch that reached a task.
  std::uint32_t* reached;
  /// Null, or looks at each task so far.
  std::uint32_t* visits;
};

/// Entry discovery: whose first row is empty.
template <class Layout, reaching How>
struct discover_entries_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  Layout graph;
  level_words words;
  time_value* ranks;
  std::uint32_t* levels;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    for_each(block, graph.num_tasks, [&](std::uint32_t task) {
      words.queue[task] = graph.is_entry(task) ? 1 : 0;
      ranks[task] = 0;
      levels[task] = 0;
      if constexpr (How == reaching::counts) {
        std::uint32_t count = 0;
        graph.for_predecessors(task, [&](std::uint32_t) { ++count; });
        words.missing[task] = count;
      }
    });
  }
};

/// Levels and ranks of the tasks whose turn it is. Each: tasks a thread, whose words are read
/// together.
template <class Layout, int Each, reaching How>
struct compute_metrics_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr std::uint32_t tasks_a_thread = Each;

  Layout graph;
  level_words words;
  /// Of the launch, from 1 on.
  std::uint32_t number;
  /// ACC, rounded.
  time_value const* averages;
  time_value* ranks;
  std::uint32_t* levels;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    std::uint32_t const threads = (graph.num_tasks + tasks_a_thread - 1) / tasks_a_thread;
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
        if (marked.of[i] != 0) look_at(thread * tasks_a_thread + static_cast<std::uint32_t>(i));
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
      // Where tasks are marked, others may write these now; then this look is not the last one.
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
