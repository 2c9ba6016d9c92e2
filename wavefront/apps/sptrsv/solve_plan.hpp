#pragma once
// The plan of a solve, made from L once: its levels, and its rows grouped into rounds. A round is
// the work of one warp at a time.
//
// Rows are sorted by level; a row's place in this order is its position. Between 1 and 32 lanes, a
// power of two, work on a row, so that each lane has few entries. The rows of a round have the same
// level and the same number of lanes. Entries are stored in the order in which a warp reads them:
// the k-th entries of all lanes side by side.
//
// Real factors have hundreds of consecutive levels with few rounds. A sequence of such levels is a
// pack. One block solves it, level by level, and passes x on in its shared memory. That memory is a
// ring of the most recent positions.

#include <cstdint>
#include <vector>

#include "lower_system.hpp"

namespace gridloom::wavefront::sptrsv {

/// Marks a missing entry or position.
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};
/// Slots of a block's ring, one per position. They take 96 KiB of shared memory.
inline constexpr std::uint32_t near_slots = 12288;
/// If this bit of an entry's source is set, the source is a slot of the ring, else a position.
inline constexpr std::uint32_t near_bit = std::uint32_t{1} << 31U;

/// The rows that a warp solves together, in the form that kernels read.
struct alignas(16) round_info {
  /// Position of the first row. The other rows follow it.
  std::uint32_t first = 0;
  /// Number of the round's first step. A step is one entry of each lane.
  std::uint32_t entries = 0;
  std::uint32_t steps = 0;
  std::uint32_t rows = 0;
  /// Binary logarithm of the number of lanes per row.
  std::uint32_t log2_lanes = 0;
  /// The round waits until x is known at this position. If `nothing`, it does not wait.
  std::uint32_t gate = nothing;
  /// In a pack: the ring slot of the round's first row. Outside packs: `nothing`.
  std::uint32_t near_first = nothing;
  /// In a pack: how many pack rounds its block must finish first. All are in earlier levels.
  std::uint32_t after = 0;
};
static_assert(sizeof(round_info) == 32, "two loads of a GPU's thread");

struct plan_options {
  /// Lanes of a warp: 32 on a GPU, 1 on the host.
  int lanes = 32;
  /// The number of a row's lanes is doubled as long as a lane has more entries than this.
  std::uint32_t entries_a_lane = 4;
  /// Levels with at most this many rounds are put into packs; 0: no packs.
  std::uint32_t narrow = 8;
};

/// The rows, grouped into rounds.
struct solve_plan {
  plan_options options;
  /// The row at each position.
  std::vector<std::uint32_t> numbers;
  /// 1 / the diagonal entry of the row at each position.
  std::vector<double> inverses;
  /// Each step has `lanes` entries. `from` is the position of x, or `nothing` if the lane has no
  /// entry. `factors` is the entry divided by the diagonal entry of its row.
  std::vector<std::uint32_t> from;
  std::vector<double> factors;
  std::vector<round_info> rounds;
  /// Array of number of levels + 1 entries: the first round of each level.
  std::vector<std::uint32_t> level_rounds;

  [[nodiscard]] std::uint32_t levels() const {
    return static_cast<std::uint32_t>(level_rounds.size() - 1);
  }
};

/// Number of rows of each level.
[[nodiscard]] std::vector<std::uint32_t> level_sizes(lower_system const& of);

[[nodiscard]] solve_plan make_plan(lower_system const& of, plan_options const& options);

/// The rounds of each warp of a grid, in the order in which the warp takes them.
struct dealt_rounds {
  std::vector<round_info> rounds;
  /// Array of number of warps + 1 entries: the first round of each warp.
  std::vector<std::uint32_t> offsets;
  /// As solve_plan::from. But for an entry whose x is in the ring, it is near_bit and the slot.
  std::vector<std::uint32_t> from;
  /// Number of blocks that have rounds. These are the first blocks.
  int blocks = 1;
  /// Number of rows in packs.
  std::uint64_t near_rows = 0;
};

struct deal_options {
  int blocks = 1;
  int warps_of_block = 1;
  /// Number of warps per block that take rounds outside packs; 0: all. Few warps are better,
  /// because waiting warps slow the others down. Levels with more rounds use more warps.
  int flat_warps = 0;
  /// A round outside packs first waits for one word of the level this many levels earlier, then
  /// looks at all its words. If 0, it looks at all words at once.
  std::uint32_t gate = 0;
  /// The gate of a pack's first level. With a larger number, more blocks would poll all their
  /// words. With a smaller one, the block would begin the pack too late.
  std::uint32_t pack_gate = 8;
  /// Number of slots of a ring.
  std::uint32_t near_slots = sptrsv::near_slots;
};

/// Deals packs to the blocks in turn, and other rounds to the warps that take rounds outside packs.
[[nodiscard]] dealt_rounds deal(solve_plan const& plan, deal_options const& options);

}  // namespace gridloom::wavefront::sptrsv
