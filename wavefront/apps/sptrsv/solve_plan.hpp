#pragma once
// What is known of L before it is solved with: its levels, and its rows put together to rounds, a
// round a warp. Plain host code.
//
// Rows stand level by level; their place there is their position. A row is worked on by 1, 2, 4 to 32
// lanes, so that a lane has few of its entries. The rows of a round are of one level and have equally
// many lanes. Entries lie as a warp reads them: the k-th ones of all lanes side by side.
//
// Levels of few rounds follow each other in real factors by the hundred. A run of such levels is a
// pack: one block solves it, and passes x on in its own memory.

#include <cstdint>
#include <vector>

#include "lower_system.hpp"

namespace gridloom::wavefront::sptrsv {

/// Nothing: no entry, no position.
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};
/// Rows of a pack at most: what a block has memory for.
inline constexpr std::uint32_t most_near_rows = 4096;

/// The rows that a warp solves together, as kernels see it.
struct alignas(16) round_info {
  /// The position of its first row. The others follow.
  std::uint32_t first = 0;
  /// Where its entries begin, in steps: a step is an entry of each lane.
  std::uint32_t entries = 0;
  std::uint32_t steps = 0;
  std::uint16_t rows = 0;
  /// Lanes a row: 2 to the power of this.
  std::uint8_t log2_lanes = 0;
  /// Whether the warp meets its block before, which forgets the x of its last pack.
  std::uint8_t enters = 0;
  /// Not begun before x is known at this position, or `nothing`.
  std::uint32_t gate = nothing;
  /// The positions of its pack. None: 0 rows.
  std::uint32_t near_first = 0;
  std::uint32_t near_rows = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(round_info) == 32, "two loads of a GPU's thread");

struct plan_options {
  /// Of a warp: 32 on a GPU, 1 on the host.
  int lanes = 32;
  /// A row gets twice the lanes as long as one has more entries.
  std::uint32_t entries_a_lane = 4;
  /// Levels of at most so many rounds are put into packs; 0: no packs.
  std::uint32_t narrow = 8;
};

/// Indices by position, in rounds.
struct solve_plan {
  plan_options options;
  /// The rows by position.
  std::vector<std::uint32_t> numbers;
  /// 1 / the diagonal.
  std::vector<double> inverses;
  /// A step is `lanes` entries: the position of x, `nothing` where a lane has no entry, and the entry
  /// divided by the row's diagonal.
  std::vector<std::uint32_t> from;
  std::vector<double> factors;
  std::vector<round_info> rounds;
  /// Levels + 1: the first round of each.
  std::vector<std::uint32_t> level_rounds;

  [[nodiscard]] std::uint32_t levels() const {
    return static_cast<std::uint32_t>(level_rounds.size() - 1);
  }
};

/// Rows of each level.
[[nodiscard]] std::vector<std::uint32_t> level_sizes(lower_system const& of);

[[nodiscard]] solve_plan make_plan(lower_system const& of, plan_options const& options);

/// The rounds of each warp of a grid, in the order that it takes them.
struct dealt_rounds {
  std::vector<round_info> rounds;
  /// Warps + 1.
  std::vector<std::uint32_t> offsets;
  /// Rows in packs.
  std::uint64_t near_rows = 0;
};

struct deal_options {
  int blocks = 1;
  int warps_of_block = 1;
  /// Warps of a block that take rounds outside packs: who waits for others' multiprocessors is in
  /// their way. 0: all.
  int flat_warps = 0;
  /// Levels before its own that a round outside packs waits for by one word before it looks at all its
  /// own; 0: it does not. A pack waits so for the level eight before its first.
  std::uint32_t gate = 0;
};

/// Deals packs and, of other levels, a round for each warp that takes such, to the blocks by turns.
/// Every warp of a block has a round in each of its packs, an empty one if need be.
[[nodiscard]] dealt_rounds deal(solve_plan const& plan, deal_options const& options);

}  // namespace gridloom::wavefront::sptrsv
