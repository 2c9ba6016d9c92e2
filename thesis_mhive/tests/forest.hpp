#pragma once
// A random forest of tasks of many types. It is the same on every machine, because a task's seed
// determines what the task enqueues. A serial walk computes which tasks must have been executed.

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "mhive/program.hpp"
#include "test_machines.hpp"
#include "test_schedulers.hpp"

namespace gridloom::mhive::test {

/// The common part of most task types of the tests.
template <int Size, class Item = std::uint32_t>
struct task_of {
  using work_item = Item;
  static constexpr int worker_size = Size;
};

/// Runs a program of a queue from these tasks of one type.
template <class Scheduler, class Queue, class First, class Data>
report run_from(gridloom::test::test_machine const& on,
                std::vector<typename First::work_item> const& items, Data const& data,
                program_options options) {
  options.workers = on.shape.blocks;
  program<Queue> tasks{*on.machine, options};
  tasks.template enqueue<First>(items);
  return tasks.template run<Scheduler>(data);
}

/// 0, 1, 2, ...
inline std::vector<std::uint32_t> numbers_below(std::uint32_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// A task. Its seed determines its children.
struct node {
  std::uint32_t seed;
  /// Number of levels below the node.
  std::uint32_t depth;
};
inline constexpr std::uint32_t without_teams = std::uint32_t{1} << 31U;

GRIDLOOM_FN inline std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x7feb352dU;
  x = (x ^ (x >> 15U)) * 0x846ca68bU;
  return x ^ (x >> 16U);
}

inline constexpr int types = 6;

GRIDLOOM_FN inline int children_of(node const& parent) {
  return (parent.depth & ~without_teams) == 0 ? 0 : static_cast<int>(mixed(parent.seed) % 4U);
}
GRIDLOOM_FN inline node child_of(node const& parent, int i) {
  return {mixed(parent.seed * 4U + static_cast<std::uint32_t>(i) + 1U), parent.depth - 1};
}
GRIDLOOM_FN inline int type_of(node const& task) {
  int const type = static_cast<int>(mixed(task.seed ^ 0x5bd1e995U) % types);
  bool const team = type == 3 || type == 4;
  return team && (task.depth & without_teams) != 0 ? 5 : type;
}

/// Counts of tasks, in device memory.
struct forest_counts {
  std::uint32_t executed[types];
  /// Sum of the seeds.
  std::uint32_t checksum[types];
  /// Number of threads that executed tasks.
  std::uint32_t threads[types];
  /// Number of running tasks of each phase. The last entry is for phaseless tasks.
  std::int32_t active[types];
  /// Number of tasks that saw another phase active.
  std::uint32_t overlaps;
  /// Number of threads that found another worker's data in their scratch.
  std::uint32_t torn;
};

struct forest_data {
  forest_counts* counts;
  /// Number of turns of a loop for which a running task waits.
  int delay;
};

template <int Index>
struct tree_task;

/// Enqueues a task whose type is known at run time.
template <class Context>
GRIDLOOM_FN void enqueue_any(Context& context, bool has, node const& task);

template <int Index>
struct tree_task {
  using work_item = node;
  static constexpr int sizes[types] = {1, 4, 32, 64, 256, 8};
  static constexpr int worker_size = sizes[Index];
  struct scratch {
    std::uint32_t word[worker_size];
  };

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, node const& task);
};

using forest_queue = phase_queue<phaseless<tree_task<0>>, phase<tree_task<1>, tree_task<2>>,
                                 phase<tree_task<3>, tree_task<4>>, phase<tree_task<5>>>;

template <class Context>
GRIDLOOM_FN void enqueue_any(Context& context, bool has, node const& task) {
  int const type = type_of(task);
  context.template enqueue_each<tree_task<0>>(has && type == 0, task);
  context.template enqueue_each<tree_task<1>>(has && type == 1, task);
  context.template enqueue_each<tree_task<2>>(has && type == 2, task);
  context.template enqueue_each<tree_task<3>>(has && type == 3, task);
  context.template enqueue_each<tree_task<4>>(has && type == 4, task);
  context.template enqueue_each<tree_task<5>>(has && type == 5, task);
}

template <int Index>
template <class Context>
GRIDLOOM_FN void tree_task<Index>::execute(Context& context, node const& task) {
  direct_memory memory;
  auto const& worker = context.worker();
  forest_counts* const counts = context.data().counts;
  constexpr int phase = forest_queue::phase_of(Index);
  constexpr int place = phase < 0 ? types - 1 : phase;
  int const rank = worker.thread_rank();
  if (rank == 0) {
    memory.fetch_add_acq_rel(&counts->active[place], 1);
    memory.full_fence();
    for (int other = 0; other < forest_queue::num_phases; ++other) {
      bool const clash =
          phase >= 0 && other != phase && memory.load_relaxed(&counts->active[other]) != 0;
      if (clash) memory.fetch_add_relaxed(&counts->overlaps, 1U);
    }
    memory.fetch_add_relaxed(&counts->executed[Index], 1U);
    memory.fetch_add_relaxed(&counts->checksum[Index], task.seed);
    for (int turn = 0; turn < context.data().delay; ++turn) worker.pause(0);
  }
  memory.fetch_add_relaxed(&counts->threads[Index], 1U);
  auto& words = context.scratch().word;
  words[rank] = task.seed + static_cast<std::uint32_t>(rank);
  worker.sync();
  int const next = (rank + 1) % worker.num_threads();
  if (words[next] != task.seed + static_cast<std::uint32_t>(next)) {
    memory.fetch_add_relaxed(&counts->torn, 1U);
  }
  int const children = children_of(task);
  // All threads of a worker make the same number of turns, whatever the worker's size.
  for (int begin = 0; begin < children; begin += worker.num_threads()) {
    int const i = begin + rank;
    bool const has = i < children;
    enqueue_any(context, has, has ? child_of(task, i) : task);
  }
  worker.sync();
  if (rank == 0) memory.fetch_sub_acq_rel(&counts->active[place], 1);
}

/// The result of a serial walk.
struct forest_truth {
  std::array<std::uint32_t, types> executed{};
  std::array<std::uint32_t, types> checksum{};
};

inline std::vector<node> roots(std::uint32_t count, std::uint32_t depth, std::uint32_t seed) {
  std::vector<node> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back({mixed(seed + i), depth});
  return result;
}

inline forest_truth walk(std::vector<node> open) {
  forest_truth truth;
  while (!open.empty()) {
    node const task = open.back();
    open.pop_back();
    auto const type = static_cast<std::size_t>(type_of(task));
    ++truth.executed[type];
    truth.checksum[type] += task.seed;
    for (int i = 0; i < children_of(task); ++i) open.push_back(child_of(task, i));
  }
  return truth;
}

}  // namespace gridloom::mhive::test
