#pragma once
// Brings row data to the columns of a strip: one value per row, such as an element of a series.
//
// Row data is in global memory, where the first access to a cache line takes hundreds of cycles. So
// a block copies a tile's row data into shared memory before the first step. At that time it waits
// for the last column of the left tile anyway. From there, each lane reads a row shortly before its
// first column reaches this row, and passes it from column to column. At any time, neighbouring
// lanes are `columns` rows apart. Shared memory keeps the rows in `columns` lines, and deals rows
// to the lines in turns. So neighbouring lanes read neighbouring words. Lanes could also pass rows
// to each other. That takes one shuffle per word, two for a double, while a read takes one
// instruction.

#include <cstdint>

#include "apps/strips/tile_grid.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

inline constexpr int most_lanes = 32;
/// The largest number of columns per lane.
inline constexpr int most_columns = 4;
/// Steps that are unrolled, so a row stays in its register while it passes columns.
inline constexpr int group_steps = 4;

/// The largest number of warps that work on one tile: one per strip of the largest tile, but at
/// most the 8 warps of the largest block.
[[nodiscard]] constexpr int warps_of_tile(int columns) {
  int const strips = largest_tile / (most_lanes * columns);
  return strips < 8 ? strips : 8;
}

/// Rows outside a matrix that may be read. Waiting lanes read them without using the values.
inline constexpr int room_before = most_lanes * most_columns;
inline constexpr int room_behind = room_before + 4 * group_steps;

/// Whether a row is in the strip.
[[nodiscard]] GRIDLOOM_FN inline bool is_row(int at, int rows) {
  return static_cast<unsigned>(at) < static_cast<unsigned>(rows);
}

[[nodiscard]] GRIDLOOM_FN inline int up_to_group(int steps) {
  return (steps + group_steps - 1) / group_steps * group_steps;
}

/// Rows in shared memory. Cells have
/// - `value`, `row_value(i)`: the data of row i in global memory. i may be room_before rows before
///   the first row, or room_behind rows after the last one;
/// - `early`, `look(value)`: what a lane keeps of a value two groups of steps before it uses it;
/// - `row`, `read(lane, value, early)`: the data in its final form, one group before its use.
template <class Cells>
struct row_lines {
  static constexpr int columns = Cells::columns;
  static_assert(columns >= 2 && columns <= most_columns && group_steps % columns == 0);
  static constexpr int room = most_lanes * columns;
  static constexpr int length = (largest_tile + 2 * room + 4 * group_steps) / columns;
  using value = typename Cells::value;

  /// The lines, one after another.
  value of[columns * length];

  /// at(): the row that the first column of lane `lane` reaches at `step`. Steps count from the
  /// first row kept; `step` is a multiple of group_steps. further(): the distance to the row that
  /// this column reaches `steps` steps later.
  [[nodiscard]] GRIDLOOM_FN value const* at(int lane, int step) const {
    return of + (room + step) / columns - lane;
  }
  [[nodiscard]] GRIDLOOM_FN static constexpr int further(int steps) {
    return steps % columns * length + steps / columns;
  }
  /// Copies the rows for `steps` steps. The block must synchronise before it uses them.
  template <thread_group Block>
  GRIDLOOM_FN void fill(Block const& block, Cells const& cells, int lanes, std::int64_t first_row,
                        int steps) {
    int const end = room + steps + 3 * group_steps;
    for (int k = room - lanes * columns + block.thread_rank(); k < end; k += block.num_threads())
      of[further(k)] = cells.row_value(first_row + k - room);
  }
};

/// The rows in a lane's registers. They are those that the first column reaches in a group of
/// steps, and earlier ones that the other columns reach later. A new row replaces one that the last
/// column has passed, so few rows must be moved.
template <class Cells>
class row_window {
 public:
  using value = typename Cells::value;

  /// Called before step 0; `at` is row_lines::at() of that step.
  GRIDLOOM_FN void begin(Cells const& cells, typename Cells::lane const& lane, value const* at) {
    GRIDLOOM_UNROLL
    for (int c = 0; c < behind; ++c) rows_[c] = {};
    GRIDLOOM_UNROLL
    for (int u = 0; u < group_steps; ++u) {
      value const& first = at[row_lines<Cells>::further(u)];
      rows_[behind + u] = cells.read(lane, first, cells.look(first));
      early_[u] = cells.look(at[row_lines<Cells>::further(group_steps + u)]);
    }
  }
  /// The row of column c, which is c rows behind the first column.
  [[nodiscard]] GRIDLOOM_FN typename Cells::row const& of(int step, int c) const {
    return rows_[behind + step - c];
  }
  /// Called after step u of the group that begins at `at`. Reads rows of the next group.
  GRIDLOOM_FN void next(Cells const& cells, typename Cells::lane const& lane, value const* at,
                        int u) {
    if (u >= behind) load(cells, lane, at, u - behind);
    if (u < group_steps - 1) return;
    GRIDLOOM_UNROLL
    for (int c = 0; c < behind; ++c) {
      rows_[c] = rows_[group_steps + c];
      load(cells, lane, at, group_steps - behind + c);
    }
  }

 private:
  static constexpr int behind = Cells::columns - 1;

  GRIDLOOM_FN void load(Cells const& cells, typename Cells::lane const& lane, value const* at,
                        int u) {
    rows_[behind + u] = cells.read(lane, at[row_lines<Cells>::further(group_steps + u)], early_[u]);
    early_[u] = cells.look(at[row_lines<Cells>::further(2 * group_steps + u)]);
  }

  typename Cells::row rows_[behind + group_steps];
  typename Cells::early early_[group_steps];
};

}  // namespace gridloom::juggler::strips
