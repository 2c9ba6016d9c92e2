#pragma once
// The application for tiles that need the tiles above, to the left and above left. A task walks
// over one tile (walk.hpp). It reads the last rows and columns of these three tiles and writes its
// own.

#include "apps/strips/walk.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::strips {

/// Cells have the members that walk.hpp requires, and
/// - `most_warps`: the largest number of warps that work on one tile;
/// - `shared`: their shared memory, with one part per warp;
/// - `begin(lane, place, grid)`: called before a tile;
/// - `prepare(warp, team, first row, first column, valid, shared, lane)`: called before a strip;
/// - `bottom(lane, c)`: the value that column c passes to the row below the strip;
/// - `end_tile(block, team, lane, place, grid, shared)`: called after a tile, when the block has
///   synchronised.
///
/// floor.hpp calls `begin_alone(lane)` instead of `begin`, and `end_alone(warp, team, lane, strip)`
/// instead of `end_tile`.
template <class Cells>
struct app {
  using task_data = tile_place;
  using side = typename Cells::side;
  struct scratch {
    side_lines<side> lines;
    row_lines<Cells> rows;
    typename Cells::shared own;
  };
  static constexpr int max_threads = 256;

  Cells cells;
  tile_grid grid;
  /// Last rows and last columns of all tiles: see tile_grid.
  side* bottoms;
  side* rights;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    auto const warp = block.warp();
    crew const team = crew_of(block, Cells::most_warps);
    int const rows = grid.rows_of(of.i);
    int const cols = grid.cols_of(of.j);
    int const strip_cols = team.lanes * Cells::columns;
    strip_turns turns(team, rows, cols, strip_cols);
    std::int64_t const first_row = std::int64_t{of.i} * grid.tile;
    fill_line(block, of, rows, shared.lines.of[0]);
    shared.rows.fill(block, cells, team.lanes, first_row, turns.steps());
    lane_state<Cells> mine;
    cells.begin(mine.own, of, grid);
    block.sync();
    for (int phase = turns.phases(); phase > 0; --phase) {
      if (team.works() && turns.works()) {
        // Column ranges of the strip and of the lane, counted from the tile's first column.
        int const strip_begin = turns.strip() * strip_cols;
        int const strip_end = strip_begin + strip_cols < cols ? strip_begin + strip_cols : cols;
        int const first = strip_begin + team.lane * Cells::columns;
        int const last = strip_end - 1 - strip_begin;
        strip_part const strip{rows, last / Cells::columns, last % Cells::columns};
        if (turns.begins()) {
          cells.prepare(warp, team, first_row, std::int64_t{of.j} * grid.tile + first,
                        strip_end - first, shared.own, mine.own);
          take_top(cells, of.i == 0 ? nullptr : bottoms + grid.bottom(of.i - 1, of.j) + first,
                   of.j == 0 && first == 0, strip_end - first, mine);
          mine.rows.begin(cells, mine.own, shared.rows.at(team.lane, 0));
        }
        walk_phase(warp, team, strip, turns, shared, mine);
        if (turns.ends()) leave_bottom(of, first, strip_end - first, mine);
      }
      turns.next();
      block.sync();
    }
    leave_right(block, of, rows, shared.lines.of[turns.strips() % 2]);
    cells.end_tile(block, team, mine.own, of, grid, shared.own);
  }

 private:
  /// Reads the last column of the tile to the left.
  template <thread_group Block>
  GRIDLOOM_FN void fill_line(Block const& block, task_data of, int rows, side* line) const {
    side const* const left = of.j == 0 ? nullptr : rights + grid.right(of.i, of.j - 1);
    for (int row = block.thread_rank(); row < rows; row += block.num_threads())
      line[row] = left == nullptr ? cells.beside() : left[row];
  }
  template <thread_group Block>
  GRIDLOOM_FN void leave_right(Block const& block, task_data of, int rows, side const* line) const {
    side* const right = rights + grid.right(of.i, of.j);
    for (int row = block.thread_rank(); row < rows; row += block.num_threads())
      right[row] = line[row];
  }
  GRIDLOOM_FN void leave_bottom(task_data of, int first, int valid,
                                lane_state<Cells> const& mine) const {
    side* const own = bottoms + grid.bottom(of.i, of.j) + first;
    GRIDLOOM_UNROLL
    for (int c = 0; c < Cells::columns; ++c) {
      if (c < valid) own[c] = cells.bottom(mine.own, c);
    }
  }

  template <warp_group Warp>
  GRIDLOOM_FN void walk_phase(Warp const& warp, crew const& team, strip_part const& strip,
                              strip_turns const& turns, scratch& shared,
                              lane_state<Cells>& mine) const {
    side const* const in = shared.lines.of[turns.strip() % 2];  // WA.R2
    side* const out = shared.lines.of[(turns.strip() + 1) % 2];
    int const begin = turns.at() * phase_steps;
    int const end = begin + phase_steps;
    if (begin >= team.lanes * Cells::columns - 1 && end <= strip.rows &&
        strip.last_column == Cells::columns - 1) {
      walk_steps<true, false>(warp, cells, team, strip, begin, end, shared.rows, 0, in, out, mine);
      return;
    }
    int const steps = up_to_group(turns.steps());
    walk_steps<false, false>(warp, cells, team, strip, begin, end < steps ? end : steps,
                             shared.rows, 0, in, out, mine);
  }
};

}  // namespace gridloom::juggler::strips
