#pragma once
// Factorises panels that are larger than all shared memory together. Each step streams the rows
// once. Steps exchange small matrices in device memory, none with more rows than a panel has
// columns.
//
// A chain turns columns first to last - 1 of a panel into reflectors (panel/reflectors.hpp). It
// takes three launches:
//   sum_kernel    Adds up the parts of the Gram matrix from the blocks of the last pass.
//   chain_kernel  Makes the chain from the sum, and the coefficients for the rows below.
//   pass_kernel   Goes over the rows. It makes the reflectors and applies them to the columns to
//                 their right. From the new rows it computes the next chain's Gram matrix.
// If no column loses its digits, j + 2 passes read panel j (counted from 0), and j + 1 write it,
// for any number of rows. The first pass sums, the next j apply the panels to its left, and the
// last makes its reflectors.
//
// Rules of order, cited where they are served:
// ST.R1. Launches follow each other, so each sees what earlier ones have written. A kernel that may
//     begin before the previous launch has ended waits for that end before its first access.
// ST.R2. Blocks of a pass do not synchronise. Rows below the finished top square are read and
//     written in chunks, each by one block. The chain kernel, which precedes the pass, writes the
//     rows of a top square.
// ST.R3. Items of a chain kernel do not synchronise either. All read the progress of this step's
//     parity, the sums and the saved top square, which none of them writes. Each writes memory of
//     its own: rows of one panel of the matrix and its coefficients, T, or the progress of the
//     other parity.
// ST.R4. Sums are added in the order of a block's chunks, then, by the sum kernel, of the blocks.
//     So the same input on the same number of blocks gives the same bits.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/async_copy.hpp"
#include "ours/panel/team.hpp"
#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// Where a factorisation stands between two chains. All words are zero at the start.
struct stream_progress {
  /// The next chain begins with column `first` of this panel. At the end, when T is done, too, this
  /// is one past the last panel.
  std::int32_t panel;
  std::int32_t first;
  /// The last chain made the reflectors of columns done_first to done_last - 1 of its panel. Both
  /// are 0 at the start.
  std::int32_t done_first;
  std::int32_t done_last;

  GRIDLOOM_FN bool has_chain() const { return done_last > done_first; }
  GRIDLOOM_FN int done_panel() const { return first == 0 ? panel - 1 : panel; }
  GRIDLOOM_FN bool finished_panel() const { return has_chain() && first == 0; }
};

/// A view of all memory besides the matrix. A square is 32 × 32 numbers, row-major.
template <class Real>
struct stream_memory {
  /// Array of two. A step reads the one of its parity and writes the other (ST.R3).
  stream_progress* progress;
  /// One square of products of columns for each slot and block of a pass. Slot 0 has VᵀV of the
  /// finished reflectors; slot 1 has the next panel's Gram matrix. Slot 1 + j has the products of
  /// the next panel with the panel j places to its right. There, a row belongs to a column of the
  /// right panel. Slot 0 shares the memory of the last slot, which is used only while no reflectors
  /// are finished.
  work_real* partials;
  /// Sums of the partials over all blocks, one square per slot, in the same order.
  work_real* sums;
  /// The top square of the next panel, with zeros in finished rows.
  work_real* top;
  /// The factors that turn a panel's rows into the last chain's reflectors, and that update the
  /// panel's columns to the right of the chain.
  work_real* to_reflectors;
  /// One square per column panel: the multiples of the reflectors that are subtracted from that
  /// panel.
  work_real* taken;
  /// T of each panel, 32 × 32, column-major.
  Real* t;
  /// One factor per column. Between a column's chain and the making of its panel's T, the value is
  /// 1 if the column has a reflector, and 0 otherwise.
  Real* tau;
};

static_assert(std::is_trivially_copyable_v<stream_memory<double>>);

/// Facts about the matrix that all three kernels need.
template <class Real>
struct stream_scene {
  matrix_ref<Real> matrix;
  stream_memory<Real> memory;
  /// Number of partial sums per slot: at least one per block of a pass. Each covers equally many
  /// rows.
  int blocks;
  int step;

  GRIDLOOM_FN stream_progress const& progress() const { return memory.progress[step & 1]; }
  GRIDLOOM_FN int col_panels() const { return static_cast<int>(in_panels(matrix.cols)); }
  GRIDLOOM_FN int panels() const {
    int const of_rows = static_cast<int>(in_panels(matrix.rows));
    return of_rows < col_panels() ? of_rows : col_panels();
  }
  /// Returns the place of a slot's sum. Slots are numbered from 0 to the number of column panels.
  GRIDLOOM_FN std::size_t place_of(int slot) const {
    return static_cast<std::size_t>(slot == 0 ? col_panels() - 1 : slot - 1);
  }
  GRIDLOOM_FN work_real* partial(int slot, int block) const {
    return memory.partials + (place_of(slot) * blocks + block) * square_size;
  }
  GRIDLOOM_FN work_real* sum(int slot) const { return memory.sums + place_of(slot) * square_size; }
};

/// Copies a square from device memory to a block's shared memory. Ends without a barrier.
template <class Block, class Real>
GRIDLOOM_FN void load_square(Block const& block, Real const* from, square<Real>& to) {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
    to(e / panel_width, e % panel_width) = from[e];
}

/// As load_square, but asynchronous. The caller ends the group of copies.
template <class Block, class Real>
GRIDLOOM_FN void load_square_async(Block const& block, Real const* from, square<Real>& to) {
  using pair = detail::pair_of<Real>;
  for (int e = 2 * block.thread_rank(); e < square_size; e += 2 * block.num_threads())
    copy_async(reinterpret_cast<pair*>(&to(e / panel_width, e % panel_width)),
               reinterpret_cast<pair const*>(from + e));
}

/// How a pass cuts the rows into chunks of `chunk_rows` rows. Sum b covers the unfinished rows of
/// chunks first + b, first + b + active, and so on, up to `end`.
struct stream_chunks {
  int first;
  int end;
  /// Number of sums that cover at least one chunk.
  int active;

  GRIDLOOM_FN stream_chunks(std::int64_t from_row, std::int64_t rows, int chunk_rows, int blocks)
      : first(static_cast<int>(from_row / chunk_rows)),
        end(static_cast<int>((rows + chunk_rows - 1) / chunk_rows)),
        active(end - first < blocks ? (end > first ? end - first : 0) : blocks) {}
};

inline constexpr int chunk_rows = 64;

}  // namespace gridloom::tiled_qr::panels
