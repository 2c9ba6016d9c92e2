#pragma once
// Computes Q = B R⁻¹ if a plain product with the inverse would lose digits. With X, the rounded
// R⁻¹, it computes Q₁ = B X and then Q = Q₁ + (B - Q₁ R) X. This is a step of iterative refinement.
// Let u be the unit roundoff (CD.R2 of cholesky_decision.hpp). Q₁ R differs from B by u |Q| |R| |X|
// |R|. Q R differs from B by u |Q| |R| + u² |Q| |R| (|X| |R|)². The u² term needs X R = I up to u
// |X| |R|, because the error of Q₁ is multiplied by I - X R.
//
// The pass has three products instead of one, and moves the same number of bytes. Shared memory
// holds a chunk and its Q₁, so only one other chunk can be copied at the same time. Q replaces Q₁
// there, for the sums.
//
// RF.R1. A thread has the same entries in all three products. It writes no other entries, and reads
//     others only as factors of a product. A barrier separates reading from writing. So Q₁ and the
//     difference are updated in place.

#include "ours/tall/cholesky_memory.hpp"
#include "ours/tall/multiply_kernel.hpp"

namespace gridloom::tiled_qr {

struct refined_scratch {
  row_stages ring;
  /// Length of each column of B, rounded down to a power of two. Multiplying the stored triangle's
  /// columns by these gives R for B.
  work_real lengths[most_tall_cols];
};

/// Writes the rows of the chunks `member`, `member` + `members` and so on. Calls f(tiles) for each
/// chunk, with the values that the matrix then has. f begins with a barrier if it reads parts that
/// other threads wrote. All threads of the block call it. Ends with a barrier.
template <class Real, class Block, class Function>
GRIDLOOM_FN void refine_rows(Block const& block, cholesky_scene<Real> const& scene, int member,
                             int members, refined_scratch& shared, Function const& f) {
  tall_shape const& shape = scene.shape;
  std::size_t const taken = scene.of_pair(scene.memory.plan->variant, block_pair{0, 0});
  work_real const* const triangle = scene.memory.triangles + taken;
  work_real const* const inverse = scene.memory.inverses + taken;
  row_tile* const q = shared.ring.tiles[stages - 1];
  for (int col = block.thread_rank(); col < shape.panels * panel_width; col += block.num_threads())
    shared.lengths[col] = scene.length(col);
  coming_factors coming(block, shape, inverse);
  for_chunks<tall_kind::as_they_stand, stages - 1>(
      block, scene.matrix, shape, member, members, shared.ring,
      [&](std::int64_t first_row, row_tile* tiles) {
        for_products(block, shape, tiles, inverse, coming, triangle,
                     [&](int part, int j, int row, int col, work_real value) {
                       q[part * shape.panels + j](row, col) = value;
                     });
        block.sync();
        // Replaces B by the difference B - Q₁ R (RF.R1).
        for_products(block, shape, q, triangle, coming, inverse,
                     [&](int part, int j, int row, int col, work_real value) {
                       tiles[part * shape.panels + j](row, col) -=
                           value * shared.lengths[j * panel_width + col];
                     });
        block.sync();
        bool const is_inside = has_chunk(scene.matrix, shape, first_row);
        for_products(block, shape, tiles, inverse, coming, inverse,
                     [&](int part, int j, int row, int col, work_real value) {
                       std::int64_t const at_row = first_row + part * panel_width + row;
                       std::int64_t const at_col = std::int64_t{j} * panel_width + col;
                       work_real& entry = q[part * shape.panels + j](row, col);
                       auto const rounded = static_cast<Real>(entry + value);
                       if (is_inside || scene.matrix.has(at_row, at_col))
                         *scene.matrix.at(at_row, at_col) = rounded;
                       entry = static_cast<work_real>(rounded);
                     });
        f(q);
      });
}

}  // namespace gridloom::tiled_qr
