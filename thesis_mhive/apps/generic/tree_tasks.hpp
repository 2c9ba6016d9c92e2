#pragma once
// The tasks of an execution tree for MHive. The compiler must know worker size and phase of a task
// type, but a tree is read at run time. So there is one task type for each worker size (with
// phases: for each phase and worker size), whether the tree uses it or not.

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "mhive/context.hpp"
#include "mhive/type_dispatch.hpp"
#include "task_work.hpp"

namespace gridloom::mhive::generic {

inline constexpr int worker_sizes[] = {1, 32, 64, 256};
inline constexpr int num_worker_sizes = 4;
/// Equals most_phases of execution_tree.hpp.
inline constexpr int num_phases = 8;

/// Returns the index of the node's worker size in worker_sizes.
GRIDLOOM_FN inline int size_rank(tree_tables const& tables, int node) {
  int const size = tables.worker_size[node];
  return size == 1 ? 0 : size == 32 ? 1 : size == 64 ? 2 : 3;
}

/// A task that the current task enqueues, and the number of that task's predecessors.
struct own_target {
  int node;
  std::int32_t predecessors;
};

/// Returns the first successor, from node `from` on, whose lowest predecessor is the item's task,
/// which therefore enqueues it. Node -1 means none. Not inlined, because every task type calls it
/// and would take longer to compile.
[[gnu::noinline]] GRIDLOOM_FN inline own_target next_target(tree_data const& data,
                                                            tree_item const& item, int from) {
  std::uint32_t left = successors(data.tables, data.seed, item.instance, item.node);
  for (left &= ~lanes_below(from); left != 0; left &= left - 1) {
    int const target = first_lane(left);
    std::uint32_t const before =
        predecessors(data.tables, data.seed, item.mask, item.instance, target);
    if (first_lane(before) == item.node) return {target, count_lanes(before)};
  }
  return {-1, 0};
}

/// Calls body(own_target) for every task that the item's task enqueues.
template <class Body>
GRIDLOOM_FN void for_each_own_target(tree_data const& data, tree_item const& item, Body&& body) {
  for (int from = 0; from < tree_tables::most_nodes;) {
    own_target const target = next_target(data, item, from);
    if (target.node < 0) return;
    body(target);
    from = target.node + 1;
  }
}

namespace detail {

/// The text "phase 3, worker 64", made at compile time. Without a phase (-1) it has only the
/// worker.
template <int Phase, int Size>
inline constexpr auto type_name = [] {
  std::array<char, 24> text{};
  std::size_t n = 0;
  auto const add = [&](std::string_view word) {
    for (char const c : word) text[n++] = c;
  };
  if (Phase >= 0) {
    add("phase ");
    text[n++] = static_cast<char>('0' + Phase);
    add(", ");
  }
  add("worker ");
  if (Size >= 100) text[n++] = static_cast<char>('0' + Size / 100);
  if (Size >= 10) text[n++] = static_cast<char>('0' + Size / 10 % 10);
  text[n++] = static_cast<char>('0' + Size % 10);
  return std::pair{text, n};
}();
template <int Phase, int Size>
inline constexpr std::string_view type_text{type_name<Phase, Size>.first.data(),
                                            type_name<Phase, Size>.second};

}  // namespace detail

// The task types for individual dependencies:

/// A task for a worker of `Size` threads. Its lowest predecessor enqueues it, before its own work,
/// with one dependency per predecessor. Each predecessor reduces the dependency at its end.
template <int Size>
struct node_task {
  using work_item = tree_item;
  using insert_policy = random_insert;
  static constexpr int worker_size = Size;
  static constexpr std::string_view name = detail::type_text<-1, Size>;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, tree_item const& item);
};

using individual_queue =
    phase_queue<phaseless<node_task<1>, node_task<32>, node_task<64>, node_task<256>>>;

/// Size of a dependency of any of the four task types. The node determines the type.
inline constexpr std::size_t dependency_bytes = 8;
template <class Type>
GRIDLOOM_FN dependency<Type>* dependency_of(tree_data const& data, std::uint32_t instance,
                                            int node) {
  static_assert(sizeof(dependency<Type>) == dependency_bytes);
  return reinterpret_cast<dependency<Type>*>(data.dependencies +
                                             dependency_bytes * data.index(instance, node));
}

template <class Context>
GRIDLOOM_FN void enqueue_waiting(Context& context, tree_item const& item, std::int32_t needed) {
  tree_data const& data = *context.data().at;
  with_type<individual_queue>(size_rank(data.tables, item.node), [&](auto tag) {
    using type = typename decltype(tag)::type;
    context.enqueue_with_dependencies(item, dependency_of<type>(data, item.instance, item.node),
                                      needed);
  });
}

template <class Context>
GRIDLOOM_FN void reduce_target(Context& context, std::uint32_t instance, int target) {
  tree_data const& data = *context.data().at;
  with_type<individual_queue>(size_rank(data.tables, target), [&](auto tag) {
    using type = typename decltype(tag)::type;
    context.reduce(dependency_of<type>(data, instance, target));
  });
}

template <int Size>
template <class Context>
GRIDLOOM_FN void node_task<Size>::execute(Context& context, tree_item const& item) {
  tree_data const& data = *context.data().at;
  auto const& worker = context.worker();
  bool const first = worker.thread_rank() == 0;
  if (first) {
    for_each_own_target(data, item, [&](own_target target) {
      enqueue_waiting(context, tree_item{item.instance, item.mask, target.node},
                      target.predecessors);
    });
  }
  work(worker, data, item);
  if (!first) return;
  std::uint32_t left = successors(data.tables, data.seed, item.instance, item.node);
  for (; left != 0; left &= left - 1) reduce_target(context, item.instance, first_lane(left));
}

// The task types for phases:

/// A task of a phase. Its predecessors are in earlier phases, so the lowest of them enqueues it
/// without dependencies.
template <int Phase, int Size>
struct phase_task {
  using work_item = tree_item;
  static constexpr int worker_size = Size;
  static constexpr std::string_view name = detail::type_text<Phase, Size>;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, tree_item const& item);
};

template <int Phase>
using tasks_of_phase = phase<phase_task<Phase, 1>, phase_task<Phase, 32>, phase_task<Phase, 64>,
                             phase_task<Phase, 256>>;
using phases_queue = phase_queue<phaseless<>, tasks_of_phase<0>, tasks_of_phase<1>,
                                 tasks_of_phase<2>, tasks_of_phase<3>, tasks_of_phase<4>,
                                 tasks_of_phase<5>, tasks_of_phase<6>, tasks_of_phase<7>>;
static_assert(phases_queue::num_phases == num_phases);

/// Index of a node's task type in phases_queue.
GRIDLOOM_FN inline int phase_type(tree_tables const& tables, int node) {
  return num_worker_sizes * tables.phase[node] + size_rank(tables, node);
}

/// Not inlined. Each of the 32 task types may enqueue each of the 32, so inlining would take the
/// compiler hours.
template <class Context>
[[gnu::noinline]] GRIDLOOM_FN void enqueue_plainly(Context& context, tree_item const& item) {
  with_type<phases_queue>(phase_type(context.data().at->tables, item.node), [&](auto tag) {
    context.template enqueue<typename decltype(tag)::type>(item);
  });
}

template <int Phase, int Size>
template <class Context>
GRIDLOOM_FN void phase_task<Phase, Size>::execute(Context& context, tree_item const& item) {
  tree_data const& data = *context.data().at;
  auto const& worker = context.worker();
  work(worker, data, item);
  if (worker.thread_rank() != 0) return;
  for_each_own_target(data, item, [&](own_target target) {
    enqueue_plainly(context, tree_item{item.instance, item.mask, target.node});
  });
}

}  // namespace gridloom::mhive::generic
