#pragma once
// The integral histogram with the loops of examples/apps/int_hist.c. Where the source has `parallel
// for`, the threads of a block share a loop. A test compares the text of `count_tile` with the
// output of juggler-cc for that file. The tile size must divide the image size.

#include "apps/grid/tiling.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::int_hist {

struct loops {
  using task_data = tile_place;
  struct scratch {};
  static constexpr int max_threads = 256;

  std::uint8_t const* pixels;
  std::uint32_t* counts;
  std::uint32_t* row_counts;
  int tiles;
  int side;
  int bins;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    count_tile(block, pixels, counts, row_counts, of.i, of.j, tiles, side, bins);
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN static void count_tile(Block const& block, unsigned char const* pixels,
                                     unsigned* counts, unsigned* row_counts, int i, int j,
                                     int tiles, int side, int bins) {
    long number = i * tiles + j, cells = side * side;
    unsigned char const* from = pixels + number * cells;
    unsigned* own = counts + number * bins * cells;
    for (int line = block.thread_rank(); line < bins * side; line += block.num_threads()) {
      int bin = line / side, r = line % side;
      unsigned count = j > 0 ? row_counts[(number - 1) * bins * side + line] : 0;
      for (int c = 0; c < side; c++) {
        count += from[r * side + c] * bins / 256 == bin;
        own[bin * cells + r * side + c] = count;
      }
      row_counts[number * bins * side + line] = count;
    }
    block.sync();
    for (int line = block.thread_rank(); line < bins * side; line += block.num_threads()) {
      int bin = line / side, c = line % side;
      unsigned* column = own + bin * cells + c;
      unsigned count = i > 0 ? column[(side - 1) * side - tiles * bins * cells] : 0;
      for (int r = 0; r < side; r++) {
        count += column[r * side];
        column[r * side] = count;
      }
    }
    block.sync();
  }
};

}  // namespace gridloom::juggler::int_hist
