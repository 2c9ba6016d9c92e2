#pragma once
// A matrix of any shape, cut into square tiles. Its elements need those above, to the left and
// above left. Memory holds only the last row and the last column of each tile.

#include <cstdint>
#include <vector>

#include "apps/grid/tiling.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

/// The largest number of rows and columns of a tile.
inline constexpr int largest_tile = 1024;

/// Tiles at the lower and right border may be smaller.
struct tile_grid {
  std::int64_t rows;
  std::int64_t cols;
  int tile;

  [[nodiscard]] GRIDLOOM_FN std::int64_t down() const { return (rows + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t across() const { return (cols + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN int rows_of(std::int64_t i) const { return part(rows - i * tile); }
  [[nodiscard]] GRIDLOOM_FN int cols_of(std::int64_t j) const { return part(cols - j * tile); }
  /// bottom(i, j): the index of the last row of tile (i, j) in the array of all last rows.
  /// bottoms(): the length of that array.
  [[nodiscard]] GRIDLOOM_FN std::int64_t bottom(std::int64_t i, std::int64_t j) const {
    return (i * across() + j) * tile;
  }
  [[nodiscard]] std::int64_t bottoms() const { return bottom(down(), 0); }
  /// The index of the last column of tile (i, j). The tiles of one column have consecutive indices.
  [[nodiscard]] GRIDLOOM_FN std::int64_t right(std::int64_t i, std::int64_t j) const {
    return (j * down() + i) * tile;
  }
  [[nodiscard]] std::int64_t rights() const { return right(0, across()); }

 private:
  [[nodiscard]] GRIDLOOM_FN int part(std::int64_t left) const {
    return left < tile ? static_cast<int>(left) : tile;
  }
};

/// The elements above and to the left of a matrix or tile, and the one above left.
template <class Side>
struct borders {
  std::vector<Side> above, left;
  Side corner;
};

/// Columns per lane, 2 or 4, unless the user chooses. With few columns, strips are narrow, so a
/// small tile occupies more lanes and warps. A large tile has enough warps, and more columns take
/// fewer shuffles per element. A host has one lane, so it also takes more columns.
[[nodiscard]] inline int columns_of_lane(int wanted, int tile, bool is_host) {
  if (wanted != 0) return wanted;
  return tile <= 256 && !is_host ? 2 : 4;
}

}  // namespace gridloom::juggler::strips
