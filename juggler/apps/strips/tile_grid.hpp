#pragma once
// A matrix of any shape cut into square tiles, as applications have it whose elements need those above,
// to the left and between. Only the last row and the last column of each tile lie in memory.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

/// Rows and columns of a tile at most.
inline constexpr int largest_tile = 1024;

/// Tile (i, j).
struct tile_place {
  std::int32_t i;
  std::int32_t j;
};

/// Tiles at the lower and at the right border may be smaller.
struct tile_grid {
  std::int64_t rows;
  std::int64_t cols;
  int tile;

  [[nodiscard]] GRIDLOOM_FN std::int64_t down() const { return (rows + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t across() const { return (cols + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN int rows_of(std::int64_t i) const { return part(rows - i * tile); }
  [[nodiscard]] GRIDLOOM_FN int cols_of(std::int64_t j) const { return part(cols - j * tile); }
  /// Where the last row of tile (i, j) begins among all last rows, and the number of their elements.
  [[nodiscard]] GRIDLOOM_FN std::int64_t bottom(std::int64_t i, std::int64_t j) const {
    return (i * across() + j) * tile;
  }
  [[nodiscard]] std::int64_t bottoms() const { return bottom(down(), 0); }
  /// The same of last columns. Those of one column of tiles stand beside each other.
  [[nodiscard]] GRIDLOOM_FN std::int64_t right(std::int64_t i, std::int64_t j) const {
    return (j * down() + i) * tile;
  }
  [[nodiscard]] std::int64_t rights() const { return right(0, across()); }

 private:
  [[nodiscard]] GRIDLOOM_FN int part(std::int64_t left) const {
    return left < tile ? static_cast<int>(left) : tile;
  }
};

/// Columns of a lane, 2 or 4, unless the user says. Few make a strip short, and leave a small tile more
/// lanes and warps. In a large one there are warps enough, and more columns take fewer shuffles an
/// element; so they do on the host, which has one lane.
[[nodiscard]] inline int columns_of_lane(int wanted, int tile, bool is_host) {
  if (wanted != 0) return wanted;
  return tile <= 256 && !is_host ? 2 : 4;
}

}  // namespace gridloom::juggler::strips
