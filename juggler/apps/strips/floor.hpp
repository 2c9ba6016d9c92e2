#pragma once
// The method `floor`, a lower bound for the time of a tile's kernel. The same warps execute the
// same steps and nothing else. Each warp walks down all rows of a strip, as if the matrix had no
// other strips. Nothing passes between strips. A block synchronises only at the beginning of a
// strip and to copy the data of the next 1024 rows into shared memory. Only sources that launch
// kernels include this header.

#include <cstdint>
#include <memory>

#include "apps/strips/walk.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::strips {

template <class Cells>
struct floor_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;
  using side = typename Cells::side;
  struct scratch {
    row_lines<Cells> rows;
    typename Cells::shared own;
  };

  Cells cells;
  tile_grid grid;
  /// One element per column of the matrix: the last rows of all strips.
  side* bottoms;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    crew const team = crew_of(block, Cells::most_warps);
    direct_memory memory;
    watch patience(dog, block.index(), true);
    std::int64_t const strip_cols = std::int64_t{team.lanes} * Cells::columns;
    std::int64_t const strips = (grid.cols + strip_cols - 1) / strip_cols;
    std::int64_t const warps = std::int64_t{block.count()} * team.warps;
    std::int64_t const first = std::int64_t{block.index()} * team.warps + team.warp;
    // All warps process the same number of strips, so some strips are processed twice.
    for (std::int64_t turn = 0; turn * warps < strips; ++turn) {
      bool const late =
          block.thread_rank() == 0 &&
          patience.stop(memory, wait_kind::own_work, 0, static_cast<std::uint64_t>(turn),
                        static_cast<std::uint64_t>((strips + warps - 1) / warps));
      if (block.any(late)) return;
      std::int64_t const number = turn * warps + first;
      go_down(block, team, number % strips, strip_cols, number < strips, shared);
    }
  }

 private:
  /// Walks down one strip. Threads without a strip only help to copy rows.
  template <thread_group Block>
  GRIDLOOM_FN void go_down(Block const& block, crew const& team, std::int64_t number,
                           std::int64_t strip_cols, bool leaves, scratch& shared) const {
    auto const warp = block.warp();
    std::int64_t const begin = number * strip_cols;
    std::int64_t const left = grid.cols - begin;
    int const cols = static_cast<int>(left < strip_cols ? left : strip_cols);
    int const first = team.lane * Cells::columns;
    int const steps = up_to_group(static_cast<int>(grid.rows + strip_cols - 1));
    lane_state<Cells> mine;
    cells.begin_alone(mine.own);
    if (team.works()) {
      cells.prepare(warp, team, 0, begin + first, cols - first, shared.own, mine.own);
      take_top(cells, nullptr, first == 0, cols - first, mine);
    }
    // Takes as many steps at a time as shared memory has room for rows.
    for (int base = 0; base < steps; base += largest_tile) {
      int const end = base + largest_tile < steps ? base + largest_tile : steps;
      block.sync();
      shared.rows.fill(block, cells, team.lanes, base, end - base);
      block.sync();
      if (!team.works()) continue;
      if (base == 0) mine.rows.begin(cells, mine.own, shared.rows.at(team.lane, 0));
      walk(warp, team, base, end, shared.rows, mine);
    }
    if (!leaves || !team.works()) return;
    cells.end_alone(warp, team, mine.own, number);
    GRIDLOOM_UNROLL
    for (int c = 0; c < Cells::columns; ++c) {
      if (first + c < cols) bottoms[begin + first + c] = cells.bottom(mine.own, c);
    }
  }

  /// Executes steps `base` to `end`, faster while all columns are at rows of the strip.
  template <warp_group Warp>
  GRIDLOOM_FN void walk(Warp const& warp, crew const& team, int base, int end,
                        row_lines<Cells> const& staged, lane_state<Cells>& mine) const {
    int const rows = static_cast<int>(grid.rows);
    strip_part const strip{rows, team.lanes - 1, Cells::columns - 1};
    int const all_there = up_to_group(team.lanes * Cells::columns - 1);
    int const none_below = rows / group_steps * group_steps;
    for (int step = base; step < end;) {
      bool const is_whole = step >= all_there && step < none_below;
      int stop = end;
      if (step < all_there && all_there < stop) stop = all_there;
      if (is_whole && none_below < stop) stop = none_below;
      if (is_whole)
        walk_steps<true, true>(warp, cells, team, strip, step, stop, staged, base, nullptr, nullptr,
                               mine);
      else
        walk_steps<false, true>(warp, cells, team, strip, step, stop, staged, base, nullptr,
                                nullptr, mine);
      step = stop;
    }
  }
};

template <class Cells>
class floor_executor final : public one_launch<floor_kernel<Cells>> {
 public:
  floor_executor(device& machine, execution_settings const& settings, Cells const& cells,
                 tile_grid const& grid, typename Cells::side* bottoms)
      : one_launch<floor_kernel<Cells>>(machine, settings),
        cells_(cells),
        grid_(grid),
        bottoms_(bottoms) {}

  void run(trace_ref) override { this->launch({cells_, grid_, bottoms_, this->dog_.arm()}); }
  void require_done() override { this->dog_.require_in_time("the floor of a tile's kernel"); }
  std::uint64_t finished() override { return 0; }
  std::size_t bytes() const override { return 0; }

  /// Elements per run.
  [[nodiscard]] double elements() const {
    std::int64_t const threads = this->machine_->is_host() ? 1 : this->shape_.threads;
    std::int64_t const lanes = std::min<std::int64_t>(threads, most_lanes);
    std::int64_t const strip_cols = lanes * Cells::columns;
    std::int64_t const strips = (grid_.cols + strip_cols - 1) / strip_cols;
    std::int64_t const warps =
        this->workers() * std::min<std::int64_t>(threads / lanes, Cells::most_warps);
    std::int64_t const done = (strips + warps - 1) / warps * warps;
    return static_cast<double>(done * strip_cols) * static_cast<double>(grid_.rows);
  }

 private:
  Cells cells_;
  tile_grid grid_;
  typename Cells::side* bottoms_;
};

template <class Cells>
std::unique_ptr<floor_executor<Cells>> make_floor(device& machine, execution_settings const& how,
                                                  Cells const& cells, tile_grid const& grid,
                                                  typename Cells::side* bottoms) {
  return std::make_unique<floor_executor<Cells>>(
      machine, settled<floor_kernel<Cells>>(machine, how), cells, grid, bottoms);
}

}  // namespace gridloom::juggler::strips
