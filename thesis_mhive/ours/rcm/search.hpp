#pragma once
// Breadth-first search by levels. A single block expands narrow levels. It keeps one bit per vertex
// in shared memory, and a level costs one access to the graph and one barrier. All blocks share a
// wide level, which costs a barrier of the grid. Each of the two kernels stops at levels that the
// other one handles better.

#include <cstddef>
#include <cstdint>

#include "gridloom/backend/types.hpp"
#include "gridloom/group.hpp"
#include "thesis_mhive/apps/rcm/graph.hpp"

namespace gridloom::mhive::rcm::levels {

// The graph as the searches read it. Every vertex has a record of 8, 16 or 32 words with its degree
// and its first neighbours. The vertex's number gives the record's place, so a level costs one
// access. Compressed rows would need two, for offset and columns. Neighbours beyond the record are
// read from the compressed rows.

/// View of the records and of the graph.
struct rows_ref {
  graph_ref graph;
  /// Array of num_rows records. A record holds the degree, then neighbours.
  std::uint32_t const* records = nullptr;
};

/// Number of neighbours that fit a record of this many words.
template <int Words>
inline constexpr std::uint32_t room_of_record = Words - 1;

/// Entries of a row beyond its record.
struct row_rest {
  /// Place of the first such entry in the columns of the graph.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Returns the rest of the row of `vertex`, which has more neighbours than its record holds. The
/// vertex itself may be among them.
template <int Words>
GRIDLOOM_FN inline row_rest rest_of_row(rows_ref const& rows, std::uint32_t vertex) {
  std::uint32_t const* const record = rows.records + std::size_t{vertex} * Words;
  std::uint64_t const begin = rows.graph.row_begin(vertex);
  std::uint64_t const end = rows.graph.row_end(vertex);
  bool const has_itself = end - begin != record[0];
  bool const was_skipped = has_itself && record[Words - 1] > vertex;
  return {begin + room_of_record<Words> + (was_skipped ? 1U : 0U), end};
}

/// Fills the records, with `Words` threads per vertex (on the host, one).
template <int Words>
struct fill_records_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  graph_ref graph;
  std::uint32_t* records;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch&) const {
    auto const part = block.warp().template part<Words>();
    for (auto v = static_cast<std::uint32_t>(part.index()); v < graph.num_rows;
         v += static_cast<std::uint32_t>(part.count())) {
      fill(part, v);
    }
  }

 private:
  template <class Part>
  GRIDLOOM_FN void fill(Part const& part, std::uint32_t vertex) const {
    std::uint32_t* const record = records + std::size_t{vertex} * Words;
    std::uint64_t const end = graph.row_end(vertex);
    auto const lane = static_cast<std::uint32_t>(part.thread_rank());
    std::uint32_t degree = 0;
    for (std::uint64_t at = graph.row_begin(vertex); at < end;
         at += static_cast<std::uint64_t>(part.num_threads())) {
      std::uint32_t const column = at + lane < end ? graph.columns[at + lane] : vertex;
      bool const is_other = column != vertex;
      std::uint32_t const others = part.ballot(is_other);
      std::uint32_t const before =
          degree +
          static_cast<std::uint32_t>(count_lanes(others & lanes_below(part.thread_rank())));
      if (is_other && before < room_of_record<Words>) record[1 + before] = column;
      degree += static_cast<std::uint32_t>(count_lanes(others));
    }
    if (lane == 0) record[0] = degree;
  }
};

/// The value of `place` for a vertex that the search has not found.
inline constexpr std::uint32_t unplaced = 0xffffffffU;

/// The state of a search between kernels.
struct search_words {
  /// Where the next level begins in the queue.
  std::uint32_t begin = 0;
  /// Where that level ends. Equal to begin if the search is done.
  std::uint32_t end = 0;
  std::uint32_t num_levels = 0;
  /// Number of vertices of the widest level.
  std::uint32_t width = 0;
  /// In the kernel for wide levels, the number of vertices found in a level. The levels use the
  /// words in turn.
  std::uint32_t counts[3] = {};
};

/// One search. The queue begins with the sources.
struct search_ref {
  /// Array of num_rows words: the vertices that were found, level after level.
  std::uint32_t* queue = nullptr;
  /// Array of num_rows words: each vertex's place in the queue, or unplaced.
  std::uint32_t* place = nullptr;
  /// Array of num_rows + 1 words: where each level begins in the queue, and where the last one
  /// ends.
  std::uint32_t* level_begin = nullptr;
  /// One bit per vertex: whether the search has found it. Used if shared memory is too small for
  /// these bits.
  std::uint32_t* bits = nullptr;
  search_words* words = nullptr;
};

/// Which kernel expands a level, and how long a launch may last. Chosen for an H200.
struct search_limits {
  /// The kernel of all blocks leaves levels of at most this many vertices to the kernel of one
  /// block.
  std::uint32_t narrow = 1024;
  /// The kernel of one block leaves levels of more vertices than this to the kernel of all blocks.
  std::uint32_t wide = 4096;
  std::uint32_t most_levels = 1 << 16;
};

inline constexpr int most_searches = 8;
/// Largest number of vertices of a level that the scratch holds.
inline constexpr std::uint32_t most_narrow = 4096;
/// Largest number of vertices that the scratch has bits for.
inline constexpr std::uint32_t most_bits = 1552 * 1024;
/// Largest number of long rows of a level that are left to the whole block.
inline constexpr std::uint32_t most_long = 64;

GRIDLOOM_FN constexpr std::uint32_t words_of_bits(std::uint32_t n) { return (n + 31) / 32; }

}  // namespace gridloom::mhive::rcm::levels
