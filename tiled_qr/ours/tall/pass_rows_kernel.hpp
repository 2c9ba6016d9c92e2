#pragma once
// A step's pass over the rows. It writes orthogonal columns; in the last step it writes Q, or the
// reflectors below the top. If a block has enough registers, a pass that is not the last also sums
// the Gram matrix of what it writes. The next step then reads the rows one time less.

#include "ours/tall/cholesky_memory.hpp"
#include "ours/tall/gram_kernel.hpp"
#include "ours/tall/in_shared.hpp"
#include "ours/tall/multiply_kernel.hpp"

namespace gridloom::tiled_qr {

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

/// Largest number of halves of a Gram matrix that a warp can sum besides a product. They take 96
/// registers, and are enough for 96 columns.
inline constexpr int items_beside_product = 3;

inline bool sums_in_pass(tall_shape const& shape, gram_shares const& shares) {
  return shares.groups == 1 &&
         shares.halves * shape.parts <= items_beside_product * (tall_threads / 32);
}

template <class Real, bool Sums>
struct pass_rows_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;
  static constexpr tall_kind kind = tall_kind::as_they_stand;

  using multiply = multiply_kernel<Real>;
  union scratch {
    typename multiply::scratch chunks;
    refined_scratch refined;
  };

  cholesky_scene<Real> scene;
  /// Where the pass leaves its sums, as in gram_kernel.
  gram_shares shares;
  work_real* partials;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    auto const& memory = scene.memory;
    if (memory.plan->is_refined) {
      refine(block, shared);
      return;
    }
    bool const is_last = scene.is_last();
    bool const to_reflectors = scene.writes_reflectors();
    work_real const* const right =
        to_reflectors ? memory.to_reflectors
                      : memory.inverses + scene.of_pair(memory.plan->variant, block_pair{0, 0});
    if constexpr (Sums) {
      if (!is_last) {
        sum(block, right, shared.chunks.ring);
        return;
      }
    }
    multiply{scene.matrix, scene.shape, right, scene.matrix, to_reflectors ? scene.n() : 0}(
        block, shared.chunks);
  }

 private:
  template <class Block>
  GRIDLOOM_FN void sum(Block const& block, work_real const* right, row_stages& ring) const {
    for (int member = block.index(); member < shares.active; member += block.count()) {
      work_real* const to = partials + shares.partial(0, member);
      if (has_eight_warps(block))
        sum_by_warps(block, right, member, to, ring);
      else
        sum_by_threads(block, right, member, to, ring);
      block.sync();
    }
  }

  /// Not inlined, so that the other passes do not need its registers.
  template <class Block>
  GRIDLOOM_NOINLINE GRIDLOOM_FN void refine(Block const& block, scratch& of_block) const {
    // A store to the matrix cannot change this local copy. So the compiler does not load the
    // members again for each entry.
    pass_rows_kernel const own = *this;
    refined_scratch& shared = in_shared(of_block).refined;
    if constexpr (Sums)
      own.refine_and_sum(block, shared);
    else
      refine_rows(block, own.scene, block.index(), block.count(), shared, [](row_tile const*) {});
  }

  template <class Block>
  GRIDLOOM_FN void refine_and_sum(Block const& block, refined_scratch& shared) const {
    tall_shape const& shape = scene.shape;
    for (int member = block.index(); member < shares.active; member += block.count()) {
      work_real* const to = partials + shares.partial(0, member);
      if (has_eight_warps(block)) {
        gram_of_warp<kind, items_beside_product> sums(block, shape, 0, shares.halves);
        refine_rows(block, scene, member, shares.active, shared, [&](row_tile const* q) {
          block.sync();
          sums.add(q);
        });
        sums.store(block, shared.ring, to);
      } else {
        for (int e = block.thread_rank(); e < shares.halves * half_size; e += block.num_threads())
          to[e] = 0;
        refine_rows(block, scene, member, shares.active, shared, [&](row_tile const* q) {
          block.sync();
          add_gram_by_threads<kind>(block, shape, 0, shares.halves, q, to);
        });
      }
      block.sync();
    }
  }

  /// The product of a chunk goes to the ring's third stage, and is summed from there.
  template <class Block>
  GRIDLOOM_FN void sum_by_warps(Block const& block, work_real const* right, int member,
                                work_real* to, row_stages& ring) const {
    tall_shape const& shape = scene.shape;
    row_tile* const products = ring.tiles[stages - 1];
    gram_of_warp<kind, items_beside_product> sums(block, shape, 0, shares.halves);
    coming_factors coming(block, shape, right);
    for_chunks<kind, stages - 1>(
        block, scene.matrix, shape, member, shares.active, ring,
        [&](std::int64_t first_row, row_tile const* tiles) {
          bool const is_inside = has_chunk(scene.matrix, shape, first_row);
          for_products(block, shape, tiles, right, coming, right,
                       [&](int part, int j, int row, int col, work_real value) {
                         put(is_inside, first_row + part * panel_width + row, j, col, value,
                             products[part * shape.panels + j](row, col));
                       });
          block.sync();
          sums.add(products);
        });
    sums.store(block, ring, to);
  }

  /// A thread replaces 32 rows by their product with the triangle, from the last column to the
  /// first. A column of the product needs only this column and those before it.
  template <class Block>
  GRIDLOOM_FN void sum_by_threads(Block const& block, work_real const* right, int member,
                                  work_real* to, row_stages& ring) const {
    tall_shape const& shape = scene.shape;
    for (int e = block.thread_rank(); e < shares.halves * half_size; e += block.num_threads())
      to[e] = 0;
    for_chunks<kind>(
        block, scene.matrix, shape, member, shares.active, ring,
        [&](std::int64_t first_row, row_tile* tiles) {
          for (int part = block.thread_rank(); part < shape.parts; part += block.num_threads())
            multiply_rows(right, first_row + part * panel_width, tiles + part * shape.panels);
          block.sync();
          add_gram_by_threads<kind>(block, shape, 0, shares.halves, tiles, to);
        });
  }
  GRIDLOOM_FN void multiply_rows(work_real const* right, std::int64_t first_row,
                                 row_tile* tiles) const {
    for (int col = scene.panels() * panel_width - 1; col >= 0; --col) {
      int const j = col / panel_width;
      work_real products[panel_width] = {};
      for (int k = 0; k <= col; ++k) {
        row_tile const& left = tiles[k / panel_width];
        work_real const factor =
            right[scene.of_pair(block_pair{k / panel_width, j}) +
                  std::size_t(k % panel_width) * panel_width + col % panel_width];
        for (int row = 0; row < panel_width; ++row)
          products[row] += left(row, k % panel_width) * factor;
      }
      for (int row = 0; row < panel_width; ++row)
        put(false, first_row + row, j, col % panel_width, products[row],
            tiles[j](row, col % panel_width));
    }
  }

  /// Writes an entry to the matrix, and stores the rounded value in the chunk.
  GRIDLOOM_FN void put(bool is_inside, std::int64_t row, int j, int col, work_real value,
                       work_real& in_chunk) const {
    auto const rounded = static_cast<Real>(value);
    std::int64_t const at_col = std::int64_t{j} * panel_width + col;
    if (is_inside || scene.matrix.has(row, at_col)) *scene.matrix.at(row, at_col) = rounded;
    in_chunk = static_cast<work_real>(rounded);
  }
};

}  // namespace gridloom::tiled_qr
