#pragma once
// Copies to shared memory of the graph's data for a warp's coming rounds of tasks (in_order.hpp).
// Reading an edge takes two trips to memory, because a task's row tells where its edges are. The
// copies are asynchronous and occupy no registers, so the warp can poll while they are under way.
// The tasks of a round are neighbours, as are their rows and edges. So lanes share the copies.
//
// Rules, cited where they are served. Rounds are numbered within a warp, from 0. Edges are copied A
// rounds before their use, rows 2A rounds.
// CR.R1. Before a round, each lane waits for its own copies. Then the warp meets, and each lane may
//     read what the others have copied.
// CR.R2. There is one group of copies per round. During round r, its group requests the edges of
//     round r + A, whose rows have arrived, and the rows of round r + 2A. Round r begins when all
//     groups up to that of round r - A have arrived. Then the edges of r and the rows of r + A have
//     been copied.
// CR.R3. A buffer is refilled only when no lane reads it. During round r, lanes read the rows of r
//     and of r + A, and the edges of r. There are buffers for the edges of A + 1 rounds and for the
//     rows of more than 2A rounds. So the copies that round r requests overwrite only data of
//     earlier rounds. All lanes have left those rounds when the warp meets.

#include <cstdint>
#include <utility>

#include "gridloom/async_copy.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "wavefront/ours/task_order.hpp"

namespace gridloom::wavefront {

/// The arrays of an order of tasks (task_order.hpp).
struct stored_rows {
  /// Task at each position; null if a task's number is its position.
  std::uint32_t const* numbers;
  /// Where the predecessors of the task at each position begin in `predecessors`.
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

/// The copies of one warp, in shared memory.
struct round_copies {
  /// A in the rules.
  static constexpr std::uint32_t ahead = 3;
  static constexpr std::uint32_t edge_places = 4;
  static constexpr std::uint32_t row_places = 8;
  static_assert(edge_places > ahead && row_places > 2 * ahead);  // CR.R3
  static constexpr std::uint32_t most_tasks = 32;
  /// Room for the edges of a round. Edges that find no room are read from memory when needed.
  static constexpr std::uint32_t most_edges = 256;
  struct alignas(16) four {
    std::uint32_t edge[4];
  };
  four edges[edge_places][most_edges / 4];
  /// Where each task's edges begin, and where the edges of the last task end.
  std::uint64_t rows[row_places][most_tasks + 1];
  std::uint32_t numbers[row_places][most_tasks];
};
struct no_copies {};

/// The place of a lane in its warp, and the size of the warp's rounds.
struct round_place {
  std::uint32_t rank;
  std::uint32_t lanes;
  /// Tasks per round.
  std::uint32_t size;
  /// Tasks between the beginnings of two successive rounds of the warp.
  std::uint32_t step;
};

/// The place of a task in the order, and where its edges begin in the round's copies.
template <class Place>
struct known_task : Place {
  std::uint32_t copied = 0;
};

/// One lane's view of the copies. A round is named by the position of its first task. All lanes of
/// the warp make the same calls, except for `at` and `fetch`. The order of calls is:
/// - `start(first)`, once.
/// - `arrive(first)`, at the beginning of each round. Until the round ends, `at(position)`
///   describes a task of the lane, and `fetch` lists the positions of its predecessors, beginning
///   with number `first`. Entries after the last predecessor are undefined.
/// - `ask_on(first)`, once per round, after the lane has called `at` for its tasks.
template <task_order Order, warp_group Warp, int TasksOfLane>
class coming_rounds {
 public:
  /// Stored orders are copied. A computed order needs no copies.
  using store = no_copies;
  using place = decltype(std::declval<Order const&>().at(0));

  GRIDLOOM_FN coming_rounds(Order const& order, Warp const& /*warp*/, store&,
                            round_place const& where)
      : order_(order), where_(where) {}

  GRIDLOOM_FN void start(std::uint32_t first) { prepare(first); }
  GRIDLOOM_FN void arrive(std::uint32_t /*first*/) const {}
  GRIDLOOM_FN known_task<place> at(std::uint32_t position) const {
    return {TasksOfLane > 1 ? order_.at(position) : next_};
  }
  GRIDLOOM_FN static void fetch(known_task<place> const& at, std::uint32_t first,
                                std::uint32_t (&from)[Order::batch]) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < Order::batch; ++j) {
      if (first + j < at.from.size()) from[j] = at.from[first + j];
    }
  }
  GRIDLOOM_FN void ask_on(std::uint32_t first) { prepare(first + where_.step); }

 private:
  GRIDLOOM_FN void prepare(std::uint32_t first) {
    std::uint32_t const position = first + where_.rank;
    if (TasksOfLane == 1 && position < order_.tasks()) next_ = order_.at(position);
  }

  Order const& order_;
  round_place where_;
  place next_{};
};

template <stored_order Order, warp_group Warp, int TasksOfLane>
class coming_rounds<Order, Warp, TasksOfLane> {
  static constexpr std::uint32_t ahead = round_copies::ahead;
  static constexpr std::uint32_t most_edges = round_copies::most_edges;

 public:
  using store = round_copies;
  using place = decltype(std::declval<Order const&>().at(0));

  GRIDLOOM_FN coming_rounds(Order const& order, Warp const& warp, store& copies,
                            round_place const& where)
      : rows_(rows_of(order)), n_(order.tasks()), warp_(warp), copies_(copies), where_(where) {}

  GRIDLOOM_FN void start(std::uint32_t first) {
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t r = 0; r < 2 * ahead; ++r) copy_rows(first, r);
    end_copy_group();
    wait_for_copies<0>();
    warp_.sync();  // CR.R1
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t r = 0; r < ahead; ++r) copy_edges(first, r);
    end_copy_group();
    wait_for_copies<0>();
  }
  GRIDLOOM_FN void arrive(std::uint32_t first) {
    wait_for_copies<ahead - 1>();  // CR.R2
    warp_.sync();                  // CR.R1
    first_ = first;
    starts_ = copies_.rows[round_ % round_copies::row_places];
    numbers_ = copies_.numbers[round_ % round_copies::row_places];
    edges_ = copies_.edges[round_ % round_copies::edge_places][0].edge;
    first_edge_ = first_copied(starts_[0]);
  }
  GRIDLOOM_FN known_task<place> at(std::uint32_t position) const {
    std::uint32_t const entry = position - first_;
    std::uint64_t const begin = starts_[entry];
    return {{rows_.numbers == nullptr ? position : numbers_[entry],
             {rows_.predecessors + begin, static_cast<std::uint32_t>(starts_[entry + 1] - begin)}},
            static_cast<std::uint32_t>(begin - first_edge_)};
  }
  GRIDLOOM_FN void fetch(known_task<place> const& at, std::uint32_t first,
                         std::uint32_t (&from)[4]) const {
    std::uint32_t const copied = at.copied + first;
    if (copied + 4 <= most_edges) {
      // The loop does not test for the last predecessor, because the loads would wait for the test.
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < 4; ++j) from[j] = edges_[copied + j];
    } else {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < 4; ++j) {
        if (first + j < at.from.size()) from[j] = at.from[first + j];
      }
    }
  }
  GRIDLOOM_FN void ask_on(std::uint32_t first) {
    copy_edges(first, ahead);  // CR.R2
    copy_rows(first, 2 * ahead);
    end_copy_group();
    ++round_;
  }

 private:
  /// Start of the group of four edges that holds `edge`. Edges are copied in such groups.
  GRIDLOOM_FN static std::uint64_t first_copied(std::uint64_t edge) {
    return edge & ~std::uint64_t{3};
  }
  GRIDLOOM_FN void copy_rows(std::uint32_t first, std::uint32_t further) {
    std::uint32_t const row_place = (round_ + further) % round_copies::row_places;  // CR.R3
    for (std::uint32_t k = 0; k < TasksOfLane; ++k) {
      std::uint32_t const entry = k * where_.lanes + where_.rank;
      std::uint32_t const position = first + further * where_.step + entry;
      if (position >= n_) continue;
      copy_async(&copies_.rows[row_place][entry], rows_.offsets + position);
      if (entry + 1 == where_.size || position + 1 == n_)
        copy_async(&copies_.rows[row_place][entry + 1], rows_.offsets + position + 1);
      if (rows_.numbers != nullptr)
        copy_word_async(&copies_.numbers[row_place][entry], rows_.numbers + position);
    }
  }
  GRIDLOOM_FN void copy_edges(std::uint32_t first, std::uint32_t further) {
    std::uint32_t const begin = first + further * where_.step;
    if (begin >= n_) return;
    auto const& starts = copies_.rows[(round_ + further) % round_copies::row_places];
    auto& to = copies_.edges[(round_ + further) % round_copies::edge_places];  // CR.R3
    std::uint64_t const end = starts[n_ - begin < where_.size ? n_ - begin : where_.size];
    std::uint64_t const from = first_copied(starts[0]);
    for (std::uint32_t k = where_.rank; k < most_edges / 4; k += where_.lanes) {
      std::uint64_t const edge = from + 4 * k;
      if (edge + 4 <= end) {
        copy_async(&to[k], reinterpret_cast<round_copies::four const*>(rows_.predecessors + edge));
      } else {
        for (std::uint32_t j = 0; edge + j < end; ++j)
          copy_word_async(&to[k].edge[j], rows_.predecessors + edge + j);
      }
    }
  }

  stored_rows rows_;
  std::uint32_t n_;
  Warp warp_;
  store& copies_;
  round_place where_;
  std::uint32_t round_ = 0;
  // State of the current round:
  std::uint32_t first_ = 0;
  std::uint64_t const* starts_ = nullptr;
  std::uint32_t const* numbers_ = nullptr;
  std::uint32_t const* edges_ = nullptr;
  std::uint64_t first_edge_ = 0;
};

/// Type of a warp's copies, which is the same for all kinds of warp.
template <task_order Order>
using copies_of = typename coming_rounds<Order, thread_of_one, 1>::store;

}  // namespace gridloom::wavefront
