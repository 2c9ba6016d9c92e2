#pragma once
// What a warp has to know of the tasks of its coming rounds, asked for long before it is needed. The
// rows of a graph say where its edges are: two trips to memory, one after the other. They are copied
// to shared memory without a register that waits for them, so a warp polls on while they are under
// way; and tasks that need not wait are run as fast as memory can list them.
//
// Rules, cited where they are served. Rounds are those of one warp: its first is 0.
// A1. A lane reads only what it has copied itself. So it waits for its own copies, and nobody meets.
// A2. Copies go by groups, one a round. While round r is under way, the group of r asks for the edges
//     of round r + A, whose rows have come, and for the rows of round r + 2A. Round r begins when all
//     groups up to that of r - A have come: with it the edges of r, and the rows of r + A.
// A3. A place is filled anew when what was there has been read: rows of round r + 2A go where those of
//     r were, edges of round r + A where those of r were.

#include <cstdint>
#include <utility>

#include "gridloom/async_copy.hpp"
#include "wavefront/cluster.hpp"
#include "wavefront/task_order.hpp"

namespace gridloom::wavefront {

/// Arrays in which an order's rows stand.
struct stored_rows {
  /// Null: a task's number is its position.
  std::uint32_t const* numbers;
  /// By position.
  std::uint64_t const* offsets;
  std::uint32_t const* predecessors;
};
GRIDLOOM_FN inline stored_rows rows_of(own_order<dag_ref> const& order) {
  return {nullptr, order.graph.predecessor_offsets, order.graph.predecessor_tasks};
}
GRIDLOOM_FN inline stored_rows rows_of(listed_order const& order) {
  return {order.numbers, order.offsets, order.predecessors};
}
template <class Order>
concept stored_order = task_order<Order> && requires(Order const order) {
  rows_of(order);
};

/// A warp's copies, in shared memory.
struct round_copies {
  /// A of the rules.
  static constexpr std::uint32_t ahead = 4;
  /// Of a round.
  static constexpr int most_tasks = 32;
  struct alignas(16) row {
    std::uint64_t first;
    std::uint64_t end;
  };
  struct alignas(16) four {
    std::uint32_t from[4];
  };
  row rows[2 * ahead][most_tasks];
  four edges[ahead][most_tasks];
  std::uint32_t numbers[2 * ahead][most_tasks];
};
struct no_copies {};

/// Where a lane stands: of the warp's rounds, each of `size` tasks.
struct round_place {
  int rank;
  int lanes;
  std::uint32_t size;
  /// Tasks from a round of the warp to its next.
  std::uint32_t step;
};

/// One lane's view. Rounds are named by the position of their first task.
///
/// `start(first)` comes before all; then for each round `arrive()`, `at` for each of the lane's
/// tasks, and `ask_on(first)`. `at(first, k, from)` is what is known of the lane's k-th task, and the
/// positions of its first predecessors.
template <task_order Order, int TasksOfLane>
class coming_rounds {
 public:
  /// Where an order is computed nothing is copied: a lane computes its next task.
  using store = no_copies;
  using place = decltype(std::declval<Order const&>().at(0));

  GRIDLOOM_FN coming_rounds(Order const& order, store&, round_place const& where)
      : order_(order), where_(where) {}

  GRIDLOOM_FN void start(std::uint32_t first) { prepare(first); }
  GRIDLOOM_FN void arrive() const {}
  GRIDLOOM_FN place at(std::uint32_t first, int k, std::uint32_t (&from)[Order::batch]) {
    if constexpr (TasksOfLane > 1)
      next_ = order_.at(first + static_cast<std::uint32_t>(k * where_.lanes + where_.rank));
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < Order::batch; ++j)
      from[j] = j < next_.from.size() ? next_.from[j] : 0;
    return next_;
  }
  GRIDLOOM_FN void ask_on(std::uint32_t first) { prepare(first + where_.step); }

 private:
  GRIDLOOM_FN void prepare(std::uint32_t first) {
    std::uint32_t const position = first + static_cast<std::uint32_t>(where_.rank);
    if (TasksOfLane == 1 && position < order_.tasks()) next_ = order_.at(position);
  }

  Order const& order_;
  round_place where_;
  place next_{};
};

template <stored_order Order, int TasksOfLane>
class coming_rounds<Order, TasksOfLane> {
  static constexpr std::uint32_t ahead = round_copies::ahead;
  static_assert(Order::batch == 4);

 public:
  using store = round_copies;
  using place = decltype(std::declval<Order const&>().at(0));

  GRIDLOOM_FN coming_rounds(Order const& order, store& copies, round_place const& where)
      : rows_(rows_of(order)), n_(order.tasks()), copies_(copies), where_(where) {}

  GRIDLOOM_FN void start(std::uint32_t first) {
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t r = 0; r < 2 * ahead; ++r) copy_rows(first, r);
    end_copy_group();
    wait_for_copies<0>();
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t r = 0; r < ahead; ++r) copy_edges(first, r);
    end_copy_group();
    wait_for_copies<0>();
  }
  GRIDLOOM_FN void arrive() const { wait_for_copies<ahead - 1>(); }  // A2
  GRIDLOOM_FN place at(std::uint32_t first, int k, std::uint32_t (&from)[4]) const {
    int const entry = k * where_.lanes + where_.rank;
    auto const& row = copies_.rows[round_ % (2 * ahead)][entry];
    auto const edges = copies_.edges[round_ % ahead][entry];
    std::uint32_t const task = rows_.numbers == nullptr
                                   ? first + static_cast<std::uint32_t>(entry)
                                   : copies_.numbers[round_ % (2 * ahead)][entry];
    GRIDLOOM_UNROLL
    for (int j = 0; j < 4; ++j) from[j] = edges.from[j];
    return {task,
            {rows_.predecessors + row.first, static_cast<std::uint32_t>(row.end - row.first)}};
  }
  /// Names the round that is under way.
  GRIDLOOM_FN void ask_on(std::uint32_t first) {
    copy_edges(first, ahead);  // A2
    copy_rows(first, 2 * ahead);
    end_copy_group();
    ++round_;
  }

 private:
  GRIDLOOM_FN void copy_rows(std::uint32_t first, std::uint32_t further) {
    std::uint32_t const at = (round_ + further) % (2 * ahead);  // A3
    for (int k = 0; k < TasksOfLane; ++k) {
      int const entry = k * where_.lanes + where_.rank;
      std::uint32_t const position =
          first + further * where_.step + static_cast<std::uint32_t>(entry);
      if (position >= n_) continue;
      copy_async(&copies_.rows[at][entry].first, rows_.offsets + position);
      copy_async(&copies_.rows[at][entry].end, rows_.offsets + position + 1);
      if (rows_.numbers != nullptr)
        copy_word_async(&copies_.numbers[at][entry], rows_.numbers + position);
    }
  }
  GRIDLOOM_FN void copy_edges(std::uint32_t first, std::uint32_t further) {
    for (int k = 0; k < TasksOfLane; ++k) {
      int const entry = k * where_.lanes + where_.rank;
      if (first + further * where_.step + static_cast<std::uint32_t>(entry) >= n_) continue;
      auto const& row = copies_.rows[(round_ + further) % (2 * ahead)][entry];
      auto& to = copies_.edges[(round_ + further) % ahead][entry];  // A3
      std::uint64_t const begin = row.first;
      std::uint64_t const end = row.end;
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < 4; ++j) {
        if (begin + j < end) copy_word_async(&to.from[j], rows_.predecessors + begin + j);
      }
    }
  }

  stored_rows rows_;
  std::uint32_t n_;
  store& copies_;
  round_place where_;
  std::uint32_t round_ = 0;
};

}  // namespace gridloom::wavefront
