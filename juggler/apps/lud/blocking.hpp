#pragma once
// The memory layout of a square matrix. Tiles follow each other, and each is stored by rows, so a
// task's data is one range of the array.

#include <algorithm>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// Tiles at the border have full size.
struct blocking {
  std::int64_t rows;
  int tile;

  [[nodiscard]] GRIDLOOM_FN std::int64_t tiles() const { return (rows + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t tile_elements() const { return std::int64_t{tile} * tile; }
  [[nodiscard]] std::int64_t elements() const { return tiles() * tiles() * tile_elements(); }
  /// The index of the first element of tile (i, j).
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin(std::int64_t i, std::int64_t j) const {
    return (i * tiles() + j) * tile_elements();
  }
};

/// Calls visit(row, column, index) for each element of the matrix, row by row. `index` is the
/// element's place in the tiled array.
template <class Visit>
void for_each_element(blocking const& cut, Visit const& visit) {
  for (std::int64_t row = 0; row < cut.rows; ++row) {
    std::int64_t const i = row / cut.tile;
    for (std::int64_t j = 0; j < cut.tiles(); ++j) {
      std::int64_t const first = j * cut.tile;
      std::int64_t const place = cut.begin(i, j) + row % cut.tile * cut.tile;
      for (std::int64_t col = first; col < std::min(first + cut.tile, cut.rows); ++col)
        visit(row, col, static_cast<std::size_t>(place + col - first));
    }
  }
}

}  // namespace gridloom::juggler
