#pragma once
// The six task types of the published ordering (thesis, 7.3.2). Each has its own phase and 256
// threads. A level passes once through the first three phases, and through the other three as often
// as its sort needs.
//
// Departures from the thesis:
//  - Equal keys are ordered by vertex, as in the serial order: the sort compares pairs.
//  - One array marks visited vertices and holds the keys of the others.
//  - A queue has room for a fixed number of tasks. If there is more work, each task does several
//    pieces.
//  - Components: the start nodes are given, and sort_delegate begins the next component. That task
//    also gives isolated vertices their places at once. While a component is tiny, its children are
//    found along its rows, not by a sweep over all keys: see compress_sort_data.

#include <cstdint>
#include <string_view>

#include "gridloom/collectives.hpp"
#include "mhive/context.hpp"
#include "mhive/phases.hpp"
#include "published/order_data.hpp"

namespace gridloom::mhive::rcm {

inline constexpr int published_worker_size = 256;
/// Entries of d_keys (order_data::keys) that a task of compress_sort_data checks: 8 per thread.
inline constexpr int keys_a_thread = 8;
inline constexpr std::uint32_t keys_a_task = keys_a_thread * published_worker_size;
/// A component is tiny while it has at most tiny_component vertices, and no row with more than
/// tiny_row entries.
inline constexpr std::uint32_t tiny_component = 64;
inline constexpr std::uint64_t tiny_row = 1024;

template <std::unsigned_integral Key>
struct sort_delegate;

/// Makes i the work item of task i.
struct same_number {
  GRIDLOOM_FN std::uint32_t operator()(int i) const { return static_cast<std::uint32_t>(i); }
};

/// Makes keys for the children of the parent at one place of the order. If several parents share a
/// child, the child keeps the key from the first parent.
template <std::unsigned_integral Key>
struct create_sort_data {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "create_sort_data";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t item) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    direct_memory memory;
    std::uint32_t const end = data.words->end;
    for (std::uint64_t at = std::uint64_t{data.words->begin} + item; at < end;
         at += data.most_tasks) {
      auto const place = static_cast<std::uint32_t>(at);
      std::uint32_t const parent = data.order[place];
      Key const least = make_key<Key>(place, 0, data.valency_bits);
      std::uint64_t const row_end = data.graph.row_end(parent);
      for (std::uint64_t e =
               data.graph.row_begin(parent) + static_cast<std::uint64_t>(worker.thread_rank());
           e < row_end; e += static_cast<std::uint64_t>(worker.num_threads())) {
        std::uint32_t const child = data.graph.columns[e];
        // The vertex has a place already, or an earlier parent.
        if (memory.load_relaxed(data.keys + child) <= least) continue;
        memory.fetch_min_relaxed(data.keys + child,
                                 make_key<Key>(place, data.valencies[child], data.valency_bits));
      }
    }
  }
};

/// Reserves a slot for each true value, once per warp. `add(n)` reserves n slots and returns the
/// first one. Called by all threads of the warp.
template <int Size, class Warp, class Add>
GRIDLOOM_FN void reserve_slots(Warp const& warp, bool const (&wanted)[Size],
                               std::uint32_t (&slots)[Size], Add const& add) {
  std::uint32_t n = 0;
  GRIDLOOM_UNROLL
  for (int k = 0; k < Size; ++k) {
    std::uint32_t const givers = warp.ballot(wanted[k]);
    slots[k] =
        n + static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    n += static_cast<std::uint32_t>(count_lanes(givers));
  }
  if (n == 0) return;
  std::uint32_t first = 0;
  if (warp.thread_rank() == 0) first = add(n);
  first = warp.shuffle(first, 0);
  GRIDLOOM_UNROLL
  for (int k = 0; k < Size; ++k) slots[k] += first;
}

/// Collects the level's children: their keys into d_sort_keys, the vertices into d_sort_values.
/// Tasks sweep over d_keys, with 2,048 keys per task. While a component is tiny, one task reads its
/// rows instead, because thousands of small components would need as many sweeps.
template <std::unsigned_integral Key>
struct compress_sort_data {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "compress_sort_data";
  using marks = key_marks<Key>;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t item) {
    order_data<Key> const& data = context.data();
    if (data.words->by_rows != 0) {
      collect_from_rows(context);
      return;
    }
    std::uint32_t const size = data.graph.num_rows;
    for (std::uint64_t begin = std::uint64_t{item} * keys_a_task; begin < size;
         begin += std::uint64_t{data.most_tasks} * keys_a_task) {
      std::uint64_t const end = begin + keys_a_task;
      collect(context, static_cast<std::uint32_t>(begin),
              static_cast<std::uint32_t>(end < size ? end : size));
    }
  }

 private:
  template <class Context>
  GRIDLOOM_FN static void collect(Context& context, std::uint32_t begin, std::uint32_t end) {
    order_data<Key> const& data = context.data();
    auto const threads = static_cast<std::uint32_t>(context.worker().num_threads());
    auto const rank = static_cast<std::uint32_t>(context.worker().thread_rank());
    for (std::uint32_t first = 0; first < end - begin; first += keys_a_thread * threads) {
      Key keys[keys_a_thread];
      bool is_child[keys_a_thread];
      GRIDLOOM_UNROLL
      for (int k = 0; k < keys_a_thread; ++k) {
        std::uint32_t const at = first + static_cast<std::uint32_t>(k) * threads + rank;
        keys[k] = at < end - begin ? data.keys[begin + at] : marks::placed;
      }
      bool any = false;
      GRIDLOOM_UNROLL
      for (int k = 0; k < keys_a_thread; ++k) {
        is_child[k] = keys[k] != marks::placed && keys[k] != marks::untouched;
        any = any || is_child[k];
      }
      if (!context.worker().warp().any(any)) continue;
      std::uint32_t slots[keys_a_thread];
      reserve<keys_a_thread>(context, is_child, slots);
      GRIDLOOM_UNROLL
      for (int k = 0; k < keys_a_thread; ++k) {
        std::uint32_t const at = first + static_cast<std::uint32_t>(k) * threads + rank;
        if (!is_child[k]) continue;
        put(data, slots[k], keys[k], begin + at);
        data.keys[begin + at] = marks::placed;
      }
    }
  }

  // Uses one warp per row. The thread that removes a key collects the child.
  template <class Context>
  GRIDLOOM_FN static void collect_from_rows(Context& context) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    auto const warp = worker.warp();
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
    std::uint32_t const end = data.words->end;
    direct_memory memory;
    for (std::uint32_t place = data.words->begin + rank / lanes; place < end;
         place += static_cast<std::uint32_t>(worker.num_threads()) / lanes) {
      std::uint32_t const parent = data.order[place];
      std::uint64_t const row_end = data.graph.row_end(parent);
      for (std::uint64_t first = data.graph.row_begin(parent); first < row_end; first += lanes) {
        std::uint64_t const e = first + rank % lanes;
        std::uint32_t const child = e < row_end ? data.graph.columns[e] : parent;
        Key const key = memory.load_relaxed(data.keys + child);
        // No key is untouched here, because all neighbours of the parent have a key or a place.
        bool const is_child[1] = {
            key != marks::placed &&
            memory.compare_exchange_relaxed(data.keys + child, key, marks::placed)};
        std::uint32_t slot[1];
        reserve<1>(context, is_child, slot);
        if (is_child[0]) put(data, slot[0], key, child);
      }
    }
  }

  template <int Size, class Context>
  GRIDLOOM_FN static void reserve(Context& context, bool const (&wanted)[Size],
                                  std::uint32_t (&slots)[Size]) {
    reserve_slots(context.worker().warp(), wanted, slots, [&](std::uint32_t n) {
      return direct_memory{}.fetch_add_relaxed(&context.data().words->num_children, n);
    });
  }

  GRIDLOOM_FN static void put(order_data<Key> const& data, std::uint32_t slot, Key key,
                              std::uint32_t child) {
    data.sort_keys[slot] = key;
    data.sort_values[slot] = child;
  }
};

/// Sorts a block of 1,024 pairs, or makes the last steps of a merge over the block, with 4 pairs
/// per thread.
template <std::unsigned_integral Key>
struct sort_block {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "sort_block";
  using scratch = bitonic_scratch<Key, std::uint32_t>;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t item) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    if (item == 0 && worker.thread_rank() == 0) context.template enqueue<sort_delegate<Key>>(0);
    bitonic_step const step = data.words->step;
    std::uint32_t const n = data.words->num_children;
    std::uint64_t const parts = step.num_parts(n);
    for (std::uint64_t part = item; part < parts; part += data.most_tasks) {
      run_bitonic_step(worker, step, data.sort_keys, data.sort_values, n, part, context.scratch());
    }
  }
};

/// Exchanges pairs over a distance of a block or more, with 4 pairs per thread.
template <std::unsigned_integral Key>
struct sort_global {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "sort_global";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t item) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    if (item == 0 && worker.thread_rank() == 0) context.template enqueue<sort_delegate<Key>>(0);
    bitonic_step const step = data.words->step;
    std::uint32_t const n = data.words->num_children;
    std::uint64_t const parts = step.num_parts(n);
    for (std::uint64_t part = item; part < parts; part += data.most_tasks) {
      bitonic_exchange(worker, step, data.sort_keys, data.sort_values, n, part);
    }
  }
};

/// Begins the sort. The number of children is known at this point.
template <std::unsigned_integral Key>
struct delegate {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "delegate";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t /*item*/) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    bitonic_step const first{};
    std::uint32_t const n = data.words->num_children;
    if (worker.thread_rank() == 0) {
      data.words->step = first;
      if (n == 0) context.template enqueue<sort_delegate<Key>>(0);
    }
    worker.sync();
    context.template enqueue_many<sort_block<Key>>(data.tasks_for(first.num_parts(n)),
                                                   same_number{});
  }
};

/// Continues the sort. When the sort is done, begins the next level or the next component.
template <std::unsigned_integral Key>
struct sort_delegate {
  using work_item = std::uint32_t;
  static constexpr int worker_size = published_worker_size;
  static constexpr std::string_view name = "sort_delegate";
  using scratch = collective_scratch<std::uint32_t, published_worker_size>;
  using marks = key_marks<Key>;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t /*item*/) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    bool const first = worker.thread_rank() == 0;
    level_words level = *data.words;
    // Waits until all threads have read what the first one overwrites.
    worker.sync();
    std::uint32_t const n = level.num_children;
    if (n > 0) {
      level.step = level.step.next(n);
      if (level.step.kind != bitonic_kind::done) {
        if (first) data.words->step = level.step;
        worker.sync();
        go_on(context, level.step, n);
        return;
      }
      append(context, level.end, n);
    }
    level.begin = level.end;
    level.end += n;
    level.num_children = 0;
    if (n == 0) begin_component(context, level);
    level.num_levels += level.end > level.begin ? 1 : 0;
    // Waits until all threads have written the order's new places.
    worker.sync();
    level.by_rows = is_tiny(context, level) ? 1 : 0;
    if (first) *data.words = level;
    worker.sync();
    bool const is_over = level.end == level.begin || level.end == data.graph.num_rows;
    if (!is_over) context.data().begin_level(context, level);
  }

 private:
  template <class Context>
  GRIDLOOM_FN static void go_on(Context& context, bitonic_step const& step, std::uint32_t n) {
    int const tasks = context.data().tasks_for(step.num_parts(n));
    if (step.kind == bitonic_kind::exchange) {
      context.template enqueue_many<sort_global<Key>>(tasks, same_number{});
    } else {
      context.template enqueue_many<sort_block<Key>>(tasks, same_number{});
    }
  }

  template <class Context>
  GRIDLOOM_FN static void append(Context& context, std::uint32_t end, std::uint32_t n) {
    order_data<Key> const& data = context.data();
    auto const threads = static_cast<std::uint32_t>(context.worker().num_threads());
    for (auto i = static_cast<std::uint32_t>(context.worker().thread_rank()); i < n; i += threads) {
      data.order[end + i] = data.sort_values[i];
    }
  }

  // Gives places to the isolated vertices that come next, and to a start node that has neighbours.
  // The level remains empty if no start node has neighbours.
  template <class Context>
  GRIDLOOM_FN static void begin_component(Context& context, level_words& level) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    auto const threads = static_cast<std::uint32_t>(worker.num_threads());
    auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
    for (;;) {
      std::uint32_t const left = data.num_starts - level.next_start;
      std::uint32_t const start = rank < left ? data.starts[level.next_start + rank] : 0;
      bool const isolated = rank < left && data.valencies[start] == 0;
      // Number of isolated vertices among the next start nodes, as far as this worker looks.
      std::uint32_t const alone =
          reduce(worker, context.scratch(), isolated ? threads : rank, minimum_of{});
      bool const has_more = alone < left && alone < threads;
      // This worker takes the isolated vertices, and the first start node after them that has
      // neighbours.
      std::uint32_t const taken = alone + (has_more ? 1 : 0);
      bool const bad = rank < taken && !direct_memory{}.compare_exchange_relaxed(
                                           data.keys + start, marks::untouched, marks::placed);
      std::uint32_t const first_bad =
          reduce(worker, context.scratch(), bad ? rank : level_words::none, minimum_of{});
      // The run ends here, because nothing is enqueued.
      if (first_bad != level_words::none) {
        level.bad_start = level.next_start + first_bad;
        level.begin = level.end;
        return;
      }
      if (rank < taken) data.order[level.end + rank] = start;
      level.next_start += taken;
      level.begin = level.end + alone;
      level.end += taken;
      if (has_more || alone < threads) break;
    }
    level.component_begin = level.begin;
  }

  template <class Context>
  GRIDLOOM_FN static bool is_tiny(Context& context, level_words const& level) {
    order_data<Key> const& data = context.data();
    auto const& worker = context.worker();
    if (level.end - level.component_begin > tiny_component) return false;
    bool is_long = false;
    for (std::uint32_t place = level.begin + static_cast<std::uint32_t>(worker.thread_rank());
         place < level.end; place += static_cast<std::uint32_t>(worker.num_threads())) {
      std::uint32_t const parent = data.order[place];
      is_long = is_long || data.graph.row_end(parent) - data.graph.row_begin(parent) > tiny_row;
    }
    return !worker.any(is_long);
  }
};

/// Enqueues the tasks that collect and sort the level's children, which have keys. Called by all
/// threads of the worker.
template <std::unsigned_integral Key, class Context>
GRIDLOOM_FN void collect_published_level(Context& context, level_words const& level) {
  order_data<Key> const& data = context.data();
  std::uint64_t const sweeps = (std::uint64_t{data.graph.num_rows} + keys_a_task - 1) / keys_a_task;
  context.template enqueue_many<compress_sort_data<Key>>(
      level.by_rows != 0 ? 1 : data.tasks_for(sweeps), same_number{});
  if (context.worker().thread_rank() == 0) context.template enqueue<delegate<Key>>(0);
}
template <std::unsigned_integral Key, class Context>
GRIDLOOM_FN void begin_published_level(Context& context, level_words const& level) {
  order_data<Key> const& data = context.data();
  context.template enqueue_many<create_sort_data<Key>>(data.tasks_for(level.end - level.begin),
                                                       same_number{});
  collect_published_level<Key>(context, level);
}

/// The published tasks. An ordering that goes beyond them adds phases.
template <std::unsigned_integral Key, class... More>
using order_queue =
    phase_queue<phaseless<>, phase<create_sort_data<Key>>, phase<compress_sort_data<Key>>,
                phase<delegate<Key>>, phase<sort_block<Key>>, phase<sort_delegate<Key>>,
                phase<sort_global<Key>>, More...>;

/// The published ordering, for width_ordering.
template <std::unsigned_integral Key>
struct published_levels {
  using queue = order_queue<Key>;
  static order_data<Key> data_for(order_data<Key> const& data, graph_ref /*graph*/) { return data; }
};

}  // namespace gridloom::mhive::rcm
