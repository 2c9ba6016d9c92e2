#pragma once
// Jacobi iteration with the loops of examples/apps/jacobi.c. Where the source has `parallel for`,
// the threads of a block share a loop. A test compares the text of both kernels with the output of
// juggler-cc for that file. The tile size must divide the field size.

#include "apps/jacobi/app.hpp"

namespace gridloom::juggler::jacobi {

struct loops {
  using task_data = tile_place;
  struct scratch {};
  static constexpr int max_threads = 256;

  /// The copy (`u`) and the field (`next`), tile after tile.
  double* u;
  double* next;
  int tiles;
  int side;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type, task_data const& of,
                              scratch&) const {
    long const cells = side * side;
    if (type == type_copy) {
      copy(block, u, next, (of.i * tiles + of.j) * cells, static_cast<int>(cells));
    } else {
      compute(block, u, next, of.i, of.j, tiles, side);
    }
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN static void copy(Block const& block, double* u, double const* next, long begin,
                               int cells) {
    for (int c = block.thread_rank(); c < cells; c += block.num_threads()) {
      u[begin + c] = next[begin + c];
    }
    block.sync();
  }

  template <thread_group Block>
  GRIDLOOM_FN static void compute(Block const& block, double const* u, double* next, int i, int j,
                                  int tiles, int side) {
    long cells = side * side, begin = (i * tiles + j) * cells;
    double const* own = u + begin;
    double const* above = own - tiles * cells + (side - 1) * side;
    double const* below = own + tiles * cells;
    int first_row = i == 0, last_row = side - (i == tiles - 1);
    int first_col = j == 0, last_col = side - (j == tiles - 1);
    for (int at = block.thread_rank(); at < cells; at += block.num_threads()) {
      int r = at / side, c = at % side;
      if (r >= first_row && r < last_row && c >= first_col && c < last_col) {
        double up = r > 0 ? own[at - side] : above[c];
        double left = c > 0 ? own[at - 1] : own[at + side - 1 - cells];
        double right = c < side - 1 ? own[at + 1] : own[at - side + 1 + cells];
        double down = r < side - 1 ? own[at + side] : below[c];
        next[begin + at] = 0.25 * ((up + left) + (right + down));
      }
    }
    block.sync();
  }
};

}  // namespace gridloom::juggler::jacobi
