#pragma once
// Strips in order: a warp owns a strip of rows and runs along it from the first column to the last.
// The strip below needs H and F of each column. They are passed in one tagged word per column. The
// lanes of the warp below poll one word each. There are no tiles, so the pipeline of lanes fills
// and empties only once per strip. No fence and no block barrier is needed.
//
// Rules of order, cited where they are served:
// SK.R1. A word holds H, F and the number of the strip that wrote it in one slot (tagged.hpp).
//     Nothing else is read after the word. Numbers of strips rise from run to run, so words of
//     earlier runs are not mistaken for words of this run.
// SK.R2. All strips share one word per column. Strip s overwrites column c after it has read it.
//     Only strip s waits for the old word, and strip s + 1 for the new one. So no word is lost.
// SK.R3. Progress. Warps are resident and take strips in turn, in rising order. So the warp of the
//     lowest strip that is not done is at that strip. The strip above it is finished, so all words
//     that it still waits for are there. It overwrites a word only after reading it.
// SK.R4. End: a warp leaves after its last strip, or when the watchdog stops the run. It asks the
//     watchdog whenever it waits.

#include "apps/sw/tile_body.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::wavefront::sw {

struct strips_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = 256;
  using scratch = score_table;

  lattice_ref of;
  /// Array of one word per column.
  tagged<edge>* words;
  /// Array of H in the last column, one per row.
  std::int32_t* last_h;
  /// Array of the best key of each strip.
  std::uint64_t* best;
  /// In this run, strip s has the number base + s + 1.
  std::uint32_t base;
  /// If true, strips do not wait. The result is wrong, and the time is a lower bound.
  bool free;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& table) const {
    for (auto i = static_cast<std::uint32_t>(block.thread_rank()); i < alphabet * alphabet;
         i += static_cast<std::uint32_t>(block.num_threads()))
      table.scores[i] = of.scores[i];
    block.sync();
    auto const warp = block.warp();
    watch patience(dog, warp.index());
    std::uint32_t const strips =
        of.rows / (static_cast<std::uint32_t>(warp.num_threads()) * rows_of_lane);
    for (auto strip = static_cast<std::uint32_t>(warp.index()); strip < strips;
         strip += static_cast<std::uint32_t>(warp.count())) {  // SK.R3
      if (!run_strip(warp, strip, table.scores, patience)) return;
    }
  }

 private:
  template <warp_group Warp>
  GRIDLOOM_FN bool run_strip(Warp const& warp, std::uint32_t strip, std::int8_t const* scores,
                             watch& patience) const {
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    std::uint32_t const row = (strip * lanes + rank) * rows_of_lane;
    lane_rows mine(of.query, row, of.cols, scores, of.gaps);
    mine.look_up(of.target[0]);
    direct_memory memory;
    // H and F of the strip above. Lane `rank` has column `rank` of the current batch of columns,
    // and of the next batch.
    edge above{0, lowest};
    edge next{0, lowest};
    bool const alone = strip == 0 || free;
    bool there = false;
    edge below{0, lowest};
    std::int32_t diagonal = 0;
    // Column within the batch.
    std::uint32_t place = 0;
    for (std::uint32_t step = 0; step < of.cols + lanes - 1; ++step) {
      if (place == 0 && !alone) {
        if (!wait(warp, strip, step + rank, there, next, memory, patience)) return false;
        above = next;
        there = look(strip, step + lanes + rank, next, memory);  // SK.R1
      }
      int const from = static_cast<int>(rank == 0 ? 0 : rank - 1);
      edge up{warp.shuffle(below.h, from), warp.shuffle(below.f, from)};
      edge const over{warp.shuffle(above.h, static_cast<int>(place)),
                      warp.shuffle(above.f, static_cast<int>(place))};
      if (++place == lanes) place = 0;
      std::uint32_t const col = step - rank;
      // `col` is unsigned, so this also skips steps before the lane's first column.
      if (col >= of.cols) continue;
      if (rank == 0) up = over;
      below = mine.step(col, diagonal, up, of.target[col + 1 < of.cols ? col + 1 : col]);
      diagonal = up.h;
      if (rank == lanes - 1)
        memory.put_tagged(words + col, base + strip + 1, below);  // SK.R1, SK.R2
    }
    GRIDLOOM_UNROLL
    for (int k = 0; k < rows_of_lane; ++k) last_h[row + static_cast<std::uint32_t>(k)] = mine.h[k];
    std::uint64_t key = mine.best();
    for (std::uint32_t stride = lanes / 2; stride > 0; stride /= 2) {
      std::uint64_t const other = warp.shuffle(key, static_cast<int>(rank ^ stride));
      if (other > key) key = other;
    }
    if (rank == 0) best[strip] = key;
    return true;
  }

  /// Whether the strip above has written its word of this column. True after the last column.
  GRIDLOOM_FN bool look(std::uint32_t strip, std::uint32_t col, edge& value,
                        direct_memory& memory) const {
    return col >= of.cols || memory.get_tagged_alone(words + col, base + strip, value);
  }
  /// Waits until all lanes have their words. Returns false if the watchdog stopped the run.
  template <warp_group Warp>
  GRIDLOOM_FN bool wait(Warp const& warp, std::uint32_t strip, std::uint32_t col, bool there,
                        edge& value, direct_memory& memory, watch& patience) const {
    for (unsigned attempt = 0; warp.any(!there); ++attempt) {
      if (!there) there = look(strip, col, value, memory);  // SK.R1
      if (patience.due() &&
          warp.any(warp.thread_rank() == 0 && patience.out_of_time(memory))) {  // SK.R4
        std::uint32_t const waiting = warp.ballot(!there);
        if (waiting != 0 && warp.thread_rank() == first_lane(waiting))
          patience.note(wait_kind::neighbour, strip - 1, col, col + 1);
        return false;
      }
      give_way(attempt);
    }
    return true;
  }
};

}  // namespace gridloom::wavefront::sw
