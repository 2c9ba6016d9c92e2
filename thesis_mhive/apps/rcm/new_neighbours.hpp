#pragma once
// The inner loop of every breadth-first search on the host: it finds the new neighbours of a
// vertex. If the processor predicts its branches, code with branches is up to three times as fast.
// The processor predicts well on meshes in their natural order, whose rows resemble each other. It
// also does on long rows, whose vertices are mostly known already. Otherwise code without branches
// is up to twice as fast. So the loop samples some rows from time to time and chooses. The result
// does not depend on the choice.

#include <cstdint>
#include <span>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

/// A loop checks the host_time_limit once per this many vertices, which takes about 100 µs.
inline constexpr std::uint32_t vertices_between_checks = 1U << 12U;

/// Appends the neighbours of vertices to a queue. Used by one search and one thread.
class neighbour_queue {
 public:
  /// Appends the neighbours of `vertex` whose mark is not `met` to the queue, in ascending order,
  /// and marks them. Returns the queue's new size. The queue must have one place more than the
  /// graph has vertices, because a neighbour may be written before it is known to be new.
  std::uint32_t append_new(graph_ref graph, std::uint32_t vertex, std::uint8_t met,
                           std::uint8_t* marks, std::uint32_t* queue, std::uint32_t size) {
    if (rows_left_-- == 0) begin_period();
    std::span<std::uint32_t const> const row = row_of(graph, vertex);
    if (is_looking_) look_at(row, met, marks);
    if (!is_guessable_) {
      for (std::uint32_t const next : row) {
        queue[size] = next;
        size += marks[next] != met ? 1U : 0U;
        marks[next] = met;
      }
      return size;
    }
    for (std::uint32_t const next : row) {
      if (marks[next] == met) continue;
      marks[next] = met;
      queue[size++] = next;
    }
    return size;
  }

 private:
  // The processor predicts a row with the pattern of the previous row. Any other row costs one
  // misprediction for each change between old and new neighbours.
  void look_at(std::span<std::uint32_t const> row, std::uint8_t met, std::uint8_t const* marks) {
    std::uint64_t pattern = 1;
    std::uint32_t changes = 0;
    std::uint32_t was_new = 0;
    for (std::uint32_t const next : row) {
      std::uint32_t const is_new = marks[next] != met ? 1U : 0U;
      changes += is_new ^ was_new;
      pattern = pattern << 1U | is_new;
      was_new = is_new;
    }
    num_wrong_ += pattern == pattern_ ? 0 : changes;
    num_neighbours_ += row.size();
    pattern_ = pattern;
  }

  void begin_period() {
    constexpr std::uint32_t rows_looked_at = 64;
    constexpr std::uint32_t rows_between = 2048;
    // A misprediction costs about as much as five predicted neighbours (Xeon, 2 MiB of L2).
    constexpr std::uint64_t cost_of_wrong = 5;
    if (is_looking_) is_guessable_ = cost_of_wrong * num_wrong_ < num_neighbours_;
    is_looking_ = !is_looking_;
    num_wrong_ = 0;
    num_neighbours_ = 0;
    rows_left_ = is_looking_ ? rows_looked_at : rows_between;
  }

  bool is_looking_ = false;
  bool is_guessable_ = false;
  std::uint32_t rows_left_ = 0;
  std::uint64_t num_wrong_ = 0;
  std::uint64_t num_neighbours_ = 0;
  /// Pattern of the last row: a leading 1, and then one bit per neighbour that says whether the
  /// neighbour was new.
  std::uint64_t pattern_ = 0;
};

}  // namespace gridloom::mhive::rcm
