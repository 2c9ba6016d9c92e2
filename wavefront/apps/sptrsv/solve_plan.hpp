#pragma once
// What is known of L before it is solved with: its levels, and its rows put together to rounds, a
// round a warp. Plain host code.
//
// Rows stand level by level; their place there is their position. A row is worked on by 1, 2, 4 to 32
// lanes, so that a lane has few of its entries. The rows of a round are of one level and have equally
// many lanes. Entries lie as a warp reads them: the k-th ones of all lanes side by side.
//
// Levels of few rounds follow each other in real factors by the hundred. A run of such levels is a
// pack: one block solves it, level by level, and passes x on in its own memory. That memory is a ring:
// it has the x of the positions that were written last.

#include <cstdint>
#include <vector>

#include "lower_system.hpp"

namespace gridloom::wavefront::sptrsv {

/// Nothing: no entry, no position.
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};
/// Slots of a block's ring, one a position: 96 KiB, which any GPU of today has.
inline constexpr std::uint32_t near_slots = 12288;
/// Set in what an entry of a pack comes from where that is a slot of the ring, not a position.
inline constexpr std::uint32_t near_bit = std::uint32_t{1} << 31U;

/// The rows that a warp solves together, as kernels see it.
struct alignas(16) round_info {
  /// The position of its first row. The others follow.
  std::uint32_t first = 0;
  /// Where its entries begin, in steps: a step is an entry of each lane.
  std::uint32_t entries = 0;
  std::uint32_t steps = 0;
  std::uint32_t rows = 0;
  /// Lanes a row: 2 to the power of this.
  std::uint32_t log2_lanes = 0;
  /// Not begun before x is known at this position, or `nothing`.
  std::uint32_t gate = nothing;
  /// Of a pack: the slot of its first row. Else `nothing`.
  std::uint32_t near_first = nothing;
  /// Of a pack: begun when its block has ended so many rounds of packs, those of all levels before.
  std::uint32_t after = 0;
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
  /// The plan's, but for entries of packs whose x is in the ring.
  std::vector<std::uint32_t> from;
  /// Blocks that have rounds; they come first.
  int blocks = 1;
  /// Rows in packs.
  std::uint64_t near_rows = 0;
};

struct deal_options {
  int blocks = 1;
  int warps_of_block = 1;
  /// Warps of a block that take rounds outside packs, but for levels of more rounds: who waits for
  /// others' multiprocessors is in their way. 0: all.
  int flat_warps = 0;
  /// Levels before its own that a round outside packs waits for by one word before it looks at all its
  /// own; 0: it does not.
  std::uint32_t gate = 0;
  /// The same of a pack, before its first level: near enough that few blocks look at all their words,
  /// and time enough to stop waiting for one.
  std::uint32_t pack_gate = 8;
  /// Slots of the rings.
  std::uint32_t near_slots = sptrsv::near_slots;
};

/// Deals packs and, of other levels, a round for each warp that takes such, to the blocks by turns.
[[nodiscard]] dealt_rounds deal(solve_plan const& plan, deal_options const& options);

}  // namespace gridloom::wavefront::sptrsv
