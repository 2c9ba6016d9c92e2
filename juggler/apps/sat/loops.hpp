#pragma once
// The summed area table with the loops of examples/apps/sat.c. Where the source has `parallel for`,
// the threads of a block share a loop. A test compares the text of `sum_tile` with the output of
// juggler-cc for that file. The tile size must divide the image size.

#include "apps/grid/tiling.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::sat {

struct loops {
  using task_data = tile_place;
  struct scratch {};
  static constexpr int max_threads = 256;

  std::uint32_t const* pixels;
  std::uint32_t* sums;
  std::uint32_t* row_sums;
  int tiles;
  int side;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    sum_tile(block, pixels, sums, row_sums, of.i, of.j, tiles, side);
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN static void sum_tile(Block const& block, unsigned const* pixels, unsigned* sums,
                                   unsigned* row_sums, int i, int j, int tiles, int side) {
    long number = i * tiles + j, cells = side * side;
    unsigned const* from = pixels + number * cells;
    unsigned* own = sums + number * cells;
    for (int r = block.thread_rank(); r < side; r += block.num_threads()) {
      unsigned sum = j > 0 ? row_sums[(number - 1) * side + r] : 0;
      for (int c = 0; c < side; c++) {
        sum += from[r * side + c];
        own[r * side + c] = sum;
      }
      row_sums[number * side + r] = sum;
    }
    block.sync();
    for (int c = block.thread_rank(); c < side; c += block.num_threads()) {
      unsigned sum = i > 0 ? own[c - tiles * cells + (side - 1) * side] : 0;
      for (int r = 0; r < side; r++) {
        sum += own[r * side + c];
        own[r * side + c] = sum;
      }
    }
    block.sync();
  }
};

}  // namespace gridloom::juggler::sat
