#pragma once
// The kernels of small_tiles.hpp for tiles of Side × Side elements that fit into shared memory. A
// kernel runs in a block of `block_warps` warps or in a host thread. Nearly all work is products by
// the matrix unit:
//
//  lu0   processes the diagonal in steps of 32 columns. One warp factorises the step's diagonal
//        square and two warps invert its triangles. Products with these give the rest of the step.
//  fwd   solves with the steps of the diagonal tile: one product by an inverse per step, and
//        products by L in between.
//  bdiv  is fwd on the transposed tiles.
//  bmod  is a product. In a tile of 128 rows, two groups of 4 warps have 64 rows each. They have
//        separate barriers, so one multiplies while the other waits for memory. C is loaded last,
//        into memory that the factors no longer need.
//
// The inverses of all steps stay in memory, those of L and U of a step beside each other. Only lu0
// writes its tile's inverses. Tasks that read inverses also read the tile, so the edges of the tile
// order them as well.

#include "apps/lud/diagonal.hpp"
#include "apps/lud/piece.hpp"
#include "apps/lud/view.hpp"
#include "gridloom/async_copy.hpp"
#include "gridloom/group.hpp"
#include "juggler/ours/prefetch.hpp"

namespace gridloom::juggler::lud {

template <int Side>
inline constexpr int block_warps = Side > 32 ? 8 : 4;
/// Warps per block, or 1 on a host, where one thread replaces a warp.
template <int Side>
inline constexpr int warps = has_matrix_unit ? block_warps<Side> : 1;
/// Warps per group of bmod.
template <int Side>
inline constexpr int group_warps = Side > 64 ? 4 : block_warps<Side>;

/// Number of elements of one step's inverses in global memory.
inline constexpr int inverse_elements = 2 * step * step;

/// Shared memory of a task.
template <int Side>
struct square_room {
  // Avoids bank conflicts, like step_stride.
  static constexpr int stride = Side + 4;
  /// Rows of a tile that one group of a product handles.
  static constexpr int group_rows = Side > 64 ? 64 : Side;
  static constexpr int groups = Side / group_rows;
  /// Columns of A and rows of B in one load. A group has room for `stages` loads.
  static constexpr int depth = 16;
  static constexpr int left_stride = depth + 4;
  static constexpr int stages = 3;
  /// Number of entry pairs of C per thread that fit into the memory of one load.
  static constexpr int pairs = Side > 64 ? 12 : Side / 16;
  struct factors {
    alignas(16) double left[group_rows * left_stride];
    alignas(16) double right[depth * stride];
  };
  union stage {
    factors chunk;
    entry_pair target[pairs * 32 * group_warps<Side>];
  };
  struct panel {
    alignas(16) double own[Side * stride];
    alignas(16) double steps[3][step * step_stride];
  };
  struct diagonal {
    alignas(16) double own[Side * stride];
    diagonal_inverses inverses;
  };
  struct chunks {
    stage of[groups][stages];
  };
  union {
    chunks product;
    panel solve;
    diagonal factor;
  };
};

/// Calls use(to, from) for the pairs of Rows × Cols entries that belong to thread `rank` of `Warps`
/// warps. Addresses differ from the first by constants, so they take no registers.
template <int Rows, int Cols, int Warps, class Use>
GRIDLOOM_FN void for_pairs(int rank, view to, view from, Use const& use) {
  constexpr int threads = has_matrix_unit ? 32 * Warps : 1;
  constexpr int across = threads < Cols / 2 ? threads : Cols / 2;
  constexpr int down = threads / across;
  static_assert(Rows % down == 0 && Cols / 2 % across == 0);
  double* const first_to = &to.at(rank / across, rank % across * 2);
  double const* const first_from = &from.at(rank / across, rank % across * 2);
  GRIDLOOM_UNROLL
  for (int row = 0; row < Rows; row += down) {
    GRIDLOOM_UNROLL
    for (int col = 0; col < Cols; col += 2 * across)
      use(reinterpret_cast<entry_pair*>(first_to + row * to.stride + col),
          reinterpret_cast<entry_pair const*>(first_from + row * from.stride + col));
  }
}

/// Starts copying the thread's pairs; the caller ends the group of copies.
template <int Rows, int Cols, int Warps>
GRIDLOOM_FN void bring_async(int rank, view to, view from) {
  for_pairs<Rows, Cols, Warps>(
      rank, to, from, [](entry_pair* one, entry_pair const* other) { copy_async(one, other); });
}

/// Copies a tile from shared memory back to global memory.
template <int Side>
GRIDLOOM_FN void bring_back(int rank, view to, view from) {
  for_pairs<Side, Side, block_warps<Side>>(
      rank, to, from, [](entry_pair* one, entry_pair const* other) { *one = *other; });
}

/// c <- c - a b for the rows of one group.
template <int Side, thread_group Group>
GRIDLOOM_FN void subtract_rows(
    Group const& group, view c, view a, view b,
    typename square_room<Side>::stage (&stages)[square_room<Side>::stages]) {
  using room = square_room<Side>;
  constexpr int across = has_matrix_unit ? (Side > 32 ? 4 : 2) : 1;
  constexpr int rows = room::group_rows / (has_matrix_unit ? group_warps<Side> / across : 1);
  constexpr int threads = 32 * group_warps<Side>;
  constexpr int cols = Side / across;
  constexpr int chunks = Side / room::depth;
  place const here(group);
  int const row0 = here.warp / across * rows;
  int const col0 = here.warp % across * cols;
  piece<rows, cols> own(here.lane);
  view const target = c.from(row0, col0);
  auto const target_of = [&](int part) {
    return stages[(chunks + part) % room::stages].target + here.rank;
  };
  auto const start = [&](int chunk) {
    auto& to = stages[chunk % room::stages].chunk;
    int const k = chunk * room::depth;
    if (chunk < chunks) {
      bring_async<room::group_rows, room::depth, group_warps<Side>>(
          here.rank, {to.left, room::left_stride, room::group_rows, room::depth}, a.from(0, k));
      bring_async<room::depth, Side, group_warps<Side>>(
          here.rank, {to.right, room::stride, room::depth, Side}, b.from(k, 0));
    } else {
      own.template bring_target<room::pairs>(chunk - chunks, target, target_of(chunk - chunks),
                                             threads);
    }
    end_copy_group();
  };
  for (int chunk = 0; chunk + 1 < room::stages; ++chunk) start(chunk);
  if (here.rank == 0) prefetch_to_l2(c.first, room::group_rows * Side);
  own.clear();
  GRIDLOOM_UNROLL
  for (int chunk = 0; chunk < chunks; ++chunk) {
    wait_for_copies<room::stages - 2>();
    group.sync();
    start(chunk + room::stages - 1);
    auto const& of = stages[chunk % room::stages].chunk;
    own.template add_product<room::depth>(
        [&](int row, int k) { return of.left[(row0 + row) * room::left_stride + k]; },
        [&](int k, int col) { return of.right[k * room::stride + col0 + col]; });
  }
  wait_for_copies<0>();
  own.template subtract_from<room::pairs, room::stages - 1>(target, target_of, threads);
}

/// c <- c - a b, for tiles in memory.
template <int Side, thread_group Block>
GRIDLOOM_FN void bmod(Block const& block, view c, view a, view b,
                      typename square_room<Side>::chunks& shared) {
  using room = square_room<Side>;
  constexpr int rows = room::group_rows;
  auto const of = [&](auto const& group, int number) {
    subtract_rows<Side>(group, c.from(number * rows, 0), a.from(number * rows, 0), b,
                        shared.of[number]);
  };
  if constexpr (room::groups == 1) {
    of(block, 0);
  } else if constexpr (has_matrix_unit) {
    of(block.template tile<group_warps<Side>>(), block.thread_rank() / (32 * group_warps<Side>));
  } else {
    for (int number = 0; number < room::groups; ++number) of(block, number);
  }
}

/// The place (i, j) of a 32 × 32 square in a lower triangle. `advance()` goes row by row.
struct step_number {
  int i = 0, j = 0;
  GRIDLOOM_FN void advance() {
    if (j++ == i) {
      ++i;
      j = 0;
    }
  }
};

/// fwd: x <- L⁻¹ x, with the lower triangle of a factorised tile and the inverses of its steps.
/// With all tiles transposed, it is bdiv: x <- x U⁻¹ for the upper triangle.
template <bool Transposed, int Side, thread_group Block>
GRIDLOOM_FN void solve(Block const& block, view diagonal, double* inverses, view x,
                       typename square_room<Side>::panel& own) {
  using room = square_room<Side>;
  constexpr int steps = Side / step;
  constexpr int cols = Side / warps<Side>;
  place const here(block);
  int const col0 = here.warp * cols;
  step_number coming;
  auto const start = [&](int buffer) {
    if (coming.i < steps) {
      bool const inverse = coming.j == coming.i;
      view const from =
          inverse ? view{inverses + coming.i * inverse_elements + (Transposed ? step * step : 0),
                         step, step, step}
          : Transposed ? diagonal.part(step * coming.j, step * coming.i, step, step)
                       : diagonal.part(step * coming.i, step * coming.j, step, step);
      bring_async<step, step, block_warps<Side>>(
          here.rank, {own.steps[buffer], step_stride, step, step}, from);
      coming.advance();
    }
    end_copy_group();
  };
  bring_async<Side, Side, block_warps<Side>>(here.rank, {own.own, room::stride, Side, Side}, x);
  start(0);
  start(1);
  auto const entry = [&](int row, int col) -> double& {
    return Transposed ? own.own[(col0 + col) * room::stride + row]
                      : own.own[row * room::stride + col0 + col];
  };
  auto const warp = block.warp();
  int buffer = 0;
  for (int i = 0; i < steps; ++i) {
    auto const row_entry = [&](int row, int col) -> double& { return entry(step * i + row, col); };
    piece<step, cols> rest(here.lane);
    for (int j = 0; j <= i; ++j) {
      wait_for_copies<1>();
      block.sync();
      start(buffer == 0 ? 2 : buffer - 1);
      double const* const now = own.steps[buffer];
      buffer = buffer == 2 ? 0 : buffer + 1;
      auto const factor = [&](int row, int k) {
        return Transposed ? now[k * step_stride + row] : now[row * step_stride + k];
      };
      if (j == 0 && i > 0) rest.load(row_entry);
      if (j < i) {
        rest.template subtract_product<step>(
            factor, [&](int k, int col) { return entry(step * j + k, col); });
      } else {
        if (i > 0) rest.store(row_entry);
        warp.sync();
        rest.clear();
        rest.template add_product<step>(factor, row_entry);
        warp.sync();
        rest.store(row_entry);
        warp.sync();
      }
    }
  }
  block.sync();
  bring_back<Side>(here.rank, x, {own.own, room::stride, Side, Side});
}

/// d <- L and U of a tile; `inverses` <- the inverses of its steps.
template <int Side, thread_group Block>
GRIDLOOM_FN void lu0(Block const& block, view d, double* inverses,
                     typename square_room<Side>::diagonal& of) {
  using room = square_room<Side>;
  view const own{of.own, room::stride, Side, Side};
  place const here(block);
  auto const warp = block.warp();
  bring_async<Side, Side, block_warps<Side>>(here.rank, own, d);
  end_copy_group();
  wait_for_copies<0>();
  block.sync();
  for (int first = 0; first < Side; first += step, inverses += inverse_elements) {
    view const diagonal = own.part(first, first, step, step);
    if (here.warp == 0) factorise_step(warp, diagonal, of.inverses);
    block.sync();
    int const column = place(block).lane;
    if (here.warp == 0) invert_lower(column, diagonal, of.inverses);
    if (here.warp == warps<Side> - 1) invert_upper(column, diagonal, of.inverses);
    block.sync();
    for (int e = block.thread_rank(); e < step * step; e += block.num_threads()) {
      int const at = e / step * step_stride + e % step;
      inverses[e] = of.inverses.lower[at];
      inverses[step * step + e] = of.inverses.upper[at];
    }
    int const next = first + step;
    // Solves the step's rows right of the diagonal and its columns below it, 8 at a time.
    constexpr int width = 8;
    int const each = (Side - next) / width;
    for (int item = here.warp; item < 2 * each; item += warps<Side>) {
      piece<step, width> result(here.lane);
      result.clear();
      int const begin = next + item % each * width;
      if (item < each) {
        auto const entry = [&](int row, int col) -> double& {
          return own.at(first + row, begin + col);
        };
        result.template add_product<step>(
            [&](int row, int k) { return of.inverses.lower[row * step_stride + k]; }, entry);
        warp.sync();
        result.store(entry);
      } else {
        auto const entry = [&](int row, int col) -> double& {
          return own.at(begin + col, first + row);
        };
        result.template add_product<step>(
            [&](int row, int k) { return of.inverses.upper[k * step_stride + row]; }, entry);
        warp.sync();
        result.store(entry);
      }
    }
    block.sync();
    constexpr int side = 16;
    int const rest = (Side - next) / side;
    for (int item = here.warp; item < rest * rest; item += warps<Side>) {
      int const row0 = next + item / rest * side;
      int const col0 = next + item % rest * side;
      auto const entry = [&](int row, int col) -> double& {
        return own.at(row0 + row, col0 + col);
      };
      piece<side, side> result(here.lane);
      result.load(entry);
      result.template subtract_product<step>(
          [&](int row, int k) { return own.at(row0 + row, first + k); },
          [&](int k, int col) { return own.at(first + k, col0 + col); });
      result.store(entry);
    }
    block.sync();
  }
  bring_back<Side>(here.rank, d, own);
}

}  // namespace gridloom::juggler::lud
