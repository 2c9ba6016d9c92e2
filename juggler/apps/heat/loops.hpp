#pragma once
// Heat simulation with the loops of examples/apps/heat.c. Where the source has `parallel for`, the
// threads of a block share a loop. A test compares the text of `relax` with the output of
// juggler-cc for that file. The tile size must divide the field size.

#include "apps/grid/tiling.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::heat {

struct loops {
  using task_data = tile_place;
  struct scratch {};
  static constexpr int max_threads = 256;

  double* u;
  int tiles;
  int side;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    relax(block, u, of.i, of.j, tiles, side);
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN static void relax(Block const& block, double* u, int i, int j, int tiles, int side) {
    long cells = side * side;
    double* own = u + (i * tiles + j) * cells;
    double* above = own - tiles * cells + (side - 1) * side;
    double* below = own + tiles * cells;
    int first_row = i == 0, last_row = side - (i == tiles - 1);
    int first_col = j == 0, last_col = side - (j == tiles - 1);
    for (int d = first_row + first_col; d <= last_row + last_col - 2; d++) {
      int first = d - last_col + 1 > first_row ? d - last_col + 1 : first_row;
      int last = d - first_col < last_row - 1 ? d - first_col : last_row - 1;
      for (int r = first + block.thread_rank(); r <= last; r += block.num_threads()) {
        int c = d - r, at = r * side + c;
        double up = r > 0 ? own[at - side] : above[c];
        double left = c > 0 ? own[at - 1] : own[at + side - 1 - cells];
        double right = c < side - 1 ? own[at + 1] : own[at - side + 1 + cells];
        double down = r < side - 1 ? own[at + side] : below[c];
        own[at] = 0.25 * ((up + left) + (right + down));
      }
      block.sync();
    }
  }
};

}  // namespace gridloom::juggler::heat
