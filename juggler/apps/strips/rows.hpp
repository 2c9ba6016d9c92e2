#pragma once
// Row data of a strip on its way to the columns.
//
// Row data comes from global memory, where a lane that first touches a line waits for hundreds of
// cycles. So a block copies a tile's row data into shared memory before the first step, while it
// waits for the line to its left anyway. From there, each lane reads a row when its first column
// comes near it, and passes it from column to column. A lane reads as many rows apart from its
// neighbour as it has columns. The rows are kept in that number of lines, one row to each in turn,
// so lanes read neighbouring words. Rows could come from lane to lane by shuffles instead. That
// takes one shuffle per word, and two for a double, where reading takes one instruction.

#include <cstdint>

#include "apps/strips/tile_grid.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

inline constexpr int most_lanes = 32;
/// The largest number of columns per lane.
inline constexpr int most_columns = 4;
/// Steps that are unrolled, so that what a row passes on stays in its register.
inline constexpr int group_steps = 4;

/// Warps that have strips of a tile at once; blocks have at least as many.
[[nodiscard]] constexpr int warps_of_tile(int columns) {
  int const strips = largest_tile / (most_lanes * columns);
  return strips < 8 ? strips : 8;
}

/// Rows around a matrix that may be read: waiting lanes read values that are not used.
inline constexpr int room_before = most_lanes * most_columns;
inline constexpr int room_behind = room_before + 4 * group_steps;

/// Whether a row belongs to the strip.
[[nodiscard]] GRIDLOOM_FN inline bool is_row(int at, int rows) {
  return static_cast<unsigned>(at) < static_cast<unsigned>(rows);
}

[[nodiscard]] GRIDLOOM_FN inline int up_to_group(int steps) {
  return (steps + group_steps - 1) / group_steps * group_steps;
}

/// Rows in shared memory. Cells have
/// - `value`, `row_value(i)`: what row i of the matrix has in global memory; may be asked for
///   room_before rows before the first one, and for room_behind behind the last one.
/// - `early`, `look(value)`: what a lane keeps of a value two groups of steps before its use;
/// - `row`, `read(lane, value, early)`: one group before its use, in the form that is used.
template <class Cells>
struct row_lines {
  static constexpr int columns = Cells::columns;
  static_assert(columns >= 2 && columns <= most_columns && group_steps % columns == 0);
  static constexpr int room = most_lanes * columns;
  static constexpr int length = (largest_tile + 2 * room + 4 * group_steps) / columns;
  using value = typename Cells::value;

  /// The lines, one behind another.
  value of[columns * length];

  /// at(): the row that the first column of lane `lane` reaches at `step`, which counts from the
  /// first row kept and is a multiple of group_steps. further(): the distance to the row that it
  /// reaches `steps` steps later.
  [[nodiscard]] GRIDLOOM_FN value const* at(int lane, int step) const {
    return of + (room + step) / columns - lane;
  }
  [[nodiscard]] GRIDLOOM_FN static constexpr int further(int steps) {
    return steps % columns * length + steps / columns;
  }
  /// Copies the rows that lanes may read in `steps` steps. The block meets before they are used.
  template <thread_group Block>
  GRIDLOOM_FN void fill(Block const& block, Cells const& cells, int lanes, std::int64_t first_row,
                        int steps) {
    int const end = room + steps + 3 * group_steps;
    for (int k = room - lanes * columns + block.thread_rank(); k < end; k += block.num_threads())
      of[further(k)] = cells.row_value(first_row + k - room);
  }
};

/// The rows in a lane's registers: those that its first column reaches in a group of steps, and
/// earlier ones that its other columns reach later. A new row takes the place of one that the last
/// column has passed, so hardly any row has to be moved.
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
  /// Called after step u of the group that begins `at`: reads rows of the next group.
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
