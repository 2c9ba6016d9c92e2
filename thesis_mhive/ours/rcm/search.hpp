#pragma once
// Breadth-first search by levels. A single block expands narrow levels. It keeps one bit per vertex
// in shared memory, and a level costs one access to the graph and one barrier. All blocks share a
// wide level, which costs a barrier of the grid. Each of the two kernels stops at levels that the
// other one handles better.

#include <cstdint>

#include "rows.hpp"

namespace gridloom::mhive::rcm::levels {

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
