#pragma once
// The kernels of small_tiles.hpp for tiles of Side × Side elements that shared memory has room for, by
// a block of `block_warps` warps or a host thread. Nearly all of it is products by the matrix unit:
//
//   lu0     goes over the diagonal in steps of 32 columns. A warp factorises the step's own square
//           and two invert its triangles; the rest of its rows and columns is a product by these.
//   fwd     solves with the diagonal tile's steps, a product by an inverse each, and subtracts
//   bdiv    products by L or U in between. bdiv is fwd of what is seen transposed.
//   bmod    a product.
//
// The inverses of all steps stay in memory, L's and U's of a step beside each other. Only lu0 writes
// those of its tile, and what reads them reads the tile, so the tile's edges order them, too.

#include "apps/lud/diagonal.hpp"
#include "apps/lud/piece.hpp"
#include "apps/lud/view.hpp"
#include "gridloom/async_copy.hpp"
#include "gridloom/group.hpp"

namespace gridloom::juggler::lud {

/// Elements of the inverses of a step, in memory.
inline constexpr int inverse_elements = 2 * step * step;

/// Shared memory of a task.
template <int Side>
struct square_room {
  static constexpr int stride = Side + 4;  // as step_stride
  /// Columns of A and rows of B that a product brings at once, and for how many of these is room.
  static constexpr int depth = 16;
  static constexpr int left_stride = depth + 4;
  static constexpr int stages = Side > 64 ? 4 : 3;
  struct stage {
    alignas(16) double left[Side * left_stride];
    alignas(16) double right[depth * stride];
  };
  struct panel {
    alignas(16) double own[Side * stride];
    alignas(16) double steps[3][step * step_stride];
  };
  struct diagonal {
    alignas(16) double own[Side * stride];
    diagonal_inverses inverses;
  };
  union {
    stage product[stages];
    panel solve;
    diagonal factor;
  };
};

/// Where a thread stands.
struct place {
  template <thread_group Block>
  GRIDLOOM_FN explicit place(Block const& block)
      : warp(block.thread_rank() / 32), lane(block.thread_rank() % 32) {}
  int warp, lane;
};

/// Starts to copy elements of `from`, an even number a row, to rows of a distance; the caller ends
/// the group.
template <int Cols, thread_group Block>
GRIDLOOM_FN void bring_async(Block const& block, view from, double* to, int stride) {
  constexpr int pairs = Cols / 2;
  for (int e = block.thread_rank(); e < from.rows * pairs; e += block.num_threads()) {
    int const row = e / pairs;
    int const col = e % pairs * 2;
    copy_async(reinterpret_cast<entry_pair*>(to + row * stride + col),
               reinterpret_cast<entry_pair const*>(&from.at(row, col)));
  }
}

/// c <- c - a b, for tiles in memory.
template <int Side, thread_group Block>
GRIDLOOM_FN void bmod(Block const& block, view c, view a, view b, square_room<Side>& shared) {
  using room = square_room<Side>;
  constexpr int across = has_matrix_unit ? 4 : 1;
  constexpr int rows = Side / (warps / across);
  constexpr int cols = Side / across;
  place const here(block);
  int const row0 = here.warp / across * rows;
  int const col0 = here.warp % across * cols;
  auto const start = [&](int chunk) {
    int const k = chunk * room::depth;
    if (k < Side) {
      auto& to = shared.product[chunk % room::stages];
      bring_async<room::depth>(block, a.part(0, k, Side, room::depth), to.left, room::left_stride);
      bring_async<Side>(block, b.part(k, 0, room::depth, Side), to.right, room::stride);
    }
    end_copy_group();
  };
  for (int chunk = 0; chunk + 1 < room::stages; ++chunk) start(chunk);
  piece<rows, cols> own(here.lane);
  auto const target = [&](int row, int col) -> double& { return c.at(row0 + row, col0 + col); };
  own.load_pairs(target);
  for (int chunk = 0; chunk * room::depth < Side; ++chunk) {
    wait_for_copies<room::stages - 2>();
    block.sync();
    start(chunk + room::stages - 1);
    auto const& of = shared.product[chunk % room::stages];
    own.template subtract_product<room::depth>(
        [&](int row, int k) { return of.left[(row0 + row) * room::left_stride + k]; },
        [&](int k, int col) { return of.right[k * room::stride + col0 + col]; });
  }
  own.store_pairs(target);
}

/// The steps (i, j) of a lower triangle, row by row.
struct step_number {
  int i = 0, j = 0;
  GRIDLOOM_FN void advance() {
    if (j++ == i) {
      ++i;
      j = 0;
    }
  }
};

/// fwd: x <- L⁻¹ x for the lower triangle of a factorised tile and the inverses of its steps. Or bdiv,
/// x <- x U⁻¹ for its upper triangle: seen Transposed, that is the same.
template <bool Transposed, int Side, thread_group Block>
GRIDLOOM_FN void solve(Block const& block, view diagonal, double* inverses, view x,
                       square_room<Side>& shared) {
  using room = square_room<Side>;
  constexpr int steps = Side / step;
  constexpr int cols = Side / warps;
  auto& own = shared.solve;
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
      bring_async<step>(block, from, own.steps[buffer], step_stride);
      coming.advance();
    }
    end_copy_group();
  };
  bring_async<Side>(block, x, own.own, room::stride);
  start(0);
  start(1);
  auto const entry = [&](int row, int col) -> double& {
    return Transposed ? own.own[(col0 + col) * room::stride + row]
                      : own.own[row * room::stride + col0 + col];
  };
  auto const warp = block.warp();
  int buffer = 0;
  for (int i = 0; i < steps; ++i) {
    auto const of_row = [&](int row, int col) -> double& { return entry(step * i + row, col); };
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
      if (j == 0 && i > 0) rest.load(of_row);
      if (j < i) {
        rest.template subtract_product<step>(
            factor, [&](int k, int col) { return entry(step * j + k, col); });
      } else {
        if (i > 0) rest.store(of_row);
        warp.sync();
        rest.clear();
        rest.template add_product<step>(factor, of_row);
        warp.sync();
        rest.store(of_row);
        warp.sync();
      }
    }
  }
  block.sync();
  for (int e = block.thread_rank(); e < Side * Side / 2; e += block.num_threads()) {
    int const row = e / (Side / 2);
    int const col = e % (Side / 2) * 2;
    *reinterpret_cast<entry_pair*>(&x.at(row, col)) =
        *reinterpret_cast<entry_pair const*>(&own.own[row * room::stride + col]);
  }
}

/// d <- L and U of a tile; `inverses` <- those of its steps.
template <int Side, thread_group Block>
GRIDLOOM_FN void lu0(Block const& block, view d, double* inverses, square_room<Side>& shared) {
  using room = square_room<Side>;
  auto& of = shared.factor;
  view const own{of.own, room::stride, Side, Side};
  place const here(block);
  auto const warp = block.warp();
  bring_async<Side>(block, d, of.own, room::stride);
  end_copy_group();
  wait_for_copies<0>();
  block.sync();
  for (int first = 0; first < Side; first += step, inverses += inverse_elements) {
    view const diagonal = own.part(first, first, step, step);
    if (here.warp == 0) factorise_step(warp, diagonal, of.inverses);
    block.sync();
    if (here.warp == 0) invert_lower(warp, diagonal, of.inverses);
    if (here.warp == warps - 1) invert_upper(warp, diagonal, of.inverses);
    block.sync();
    for (int e = block.thread_rank(); e < step * step; e += block.num_threads()) {
      int const at = e / step * step_stride + e % step;
      inverses[e] = of.inverses.lower[at];
      inverses[step * step + e] = of.inverses.upper[at];
    }
    int const next = first + step;
    // The step's rows right of the diagonal and its columns below it, 8 at a time.
    constexpr int width = 8;
    int const each = (Side - next) / width;
    for (int item = here.warp; item < 2 * each; item += warps) {
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
    for (int item = here.warp; item < rest * rest; item += warps) {
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
  for (int e = block.thread_rank(); e < Side * Side / 2; e += block.num_threads()) {
    int const row = e / (Side / 2);
    int const col = e % (Side / 2) * 2;
    *reinterpret_cast<entry_pair*>(&d.at(row, col)) =
        *reinterpret_cast<entry_pair const*>(&own.at(row, col));
  }
}

}  // namespace gridloom::juggler::lud
