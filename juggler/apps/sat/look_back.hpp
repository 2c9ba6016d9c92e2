#pragma once
// A rival that is no task runtime: one launch in which each block draws the next tile, and looks back
// along the tiles to its left and above it for what they add up to. It is the summed area table in one
// pass by flags of Emoto et al. (2017), with the look-back of Merrill and Garland's scan (2016): who
// does not find a tile's sums from the image's border on takes that tile's own ones, and looks one
// further back.
//
// Rules of order, cited where they are served:
// B1. A flag tells of which run and how far its tile's numbers are. The block met between writing
//     them and its release; the thread that acquires it does so before its block meets.
// B2. All waiting ends: tiles are drawn by rows, so a tile waits only for tiles that were drawn before
//     it, by workers that are resident. Of the tiles that are not done, the one that was drawn first
//     waits for none. The watchdog bounds it besides.
// B3. Runs draw from two words in turns. A worker of each run sets the other one to 0 for the next.

#include <memory>

#include "apps/sat/app.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::sat {

inline constexpr int largest_look_back_tile = 128;

/// Pixels and sums, tile by tile.
struct table_ref {
  std::uint32_t const* pixels;
  std::uint32_t* sums;
  tiling cut;
};

/// Sums of tiles along one direction: `tile` numbers of each.
struct chain_ref {
  /// Of the tile alone.
  std::uint32_t* own;
  /// From the image's border on.
  std::uint32_t* whole;
  /// One a tile: 4 × run + 1 or 2, when the first or both are there.
  std::uint32_t* flags;
};

/// What all blocks of a run share.
struct look_back_ref {
  table_ref table;
  chain_ref along_rows;
  chain_ref along_columns;
  std::uint32_t run;
  /// Two words (B3).
  std::uint32_t* tickets;
  /// One a worker: tiles that it made.
  std::uint32_t* executed;
};

/// A run makes the whole table. Throws unsupported where a tile is larger than what a block keeps.
[[nodiscard]] std::unique_ptr<executor> make_look_back(device& machine,
                                                       execution_settings const& settings,
                                                       table_ref const& table);

}  // namespace gridloom::juggler::sat
