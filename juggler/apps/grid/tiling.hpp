#pragma once
// The memory layout of a grid of cells, square or not. Tiles follow each other, and each tile is
// stored row by row, so a task's data is one range of the array.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// Tiles at the border have full size; their cells outside the grid are not used.
struct tiling {
  std::int64_t rows;
  std::int64_t cols;
  int tile;

  [[nodiscard]] GRIDLOOM_FN std::int64_t tile_rows() const { return (rows + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t tile_cols() const { return (cols + tile - 1) / tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t tiles() const { return tile_rows() * tile_cols(); }
  [[nodiscard]] GRIDLOOM_FN std::int64_t tile_cells() const { return std::int64_t{tile} * tile; }
  [[nodiscard]] GRIDLOOM_FN std::int64_t cells() const { return tiles() * tile_cells(); }
  [[nodiscard]] GRIDLOOM_FN std::int64_t number(std::int64_t i, std::int64_t j) const {
    return i * tile_cols() + j;
  }
  /// The index of the tile's first cell.
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin(std::int64_t i, std::int64_t j) const {
    return number(i, j) * tile_cells();
  }
};

/// The numbers of tiles. The divisions of `tiling` are made once, for loops over all tiles.
struct tile_numbers {
  explicit tile_numbers(tiling const& cut) : rows(cut.tile_rows()), cols(cut.tile_cols()) {}
  [[nodiscard]] bool has(std::int64_t i, std::int64_t j) const {
    return i >= 0 && i < rows && j >= 0 && j < cols;
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t i, std::int64_t j) const {
    return i * cols + j;
  }

  std::int64_t rows, cols;
};

/// Tile (i, j), the data of a task.
struct tile_place {
  std::int32_t i;
  std::int32_t j;
};

/// Calls visit(row, column, index) for each cell of the grid, row by row. `index` is the cell's
/// place in the tiled array.
template <class Visit>
void for_each_cell(tiling const& cut, Visit const& visit) {
  for (std::int64_t i = 0; i < cut.rows; ++i) {
    for (std::int64_t j = 0; j < cut.tile_cols(); ++j) {
      std::int64_t const first = j * cut.tile;
      std::int64_t const place = cut.begin(i / cut.tile, j) + i % cut.tile * cut.tile;
      for (std::int64_t col = first; col < std::min(first + cut.tile, cut.cols); ++col)
        visit(i, col, static_cast<std::size_t>(place + col - first));
    }
  }
}

/// Converts cells stored by rows to tiles, with 0 outside the grid.
template <class To, class Cells>
[[nodiscard]] std::vector<To> to_tiles(tiling const& cut, Cells const& by_rows) {
  std::vector<To> tiles(static_cast<std::size_t>(cut.cells()));
  for_each_cell(cut, [&](std::int64_t i, std::int64_t j, std::size_t place) {
    tiles[place] = by_rows[static_cast<std::size_t>(i * cut.cols + j)];
  });
  return tiles;
}

[[noreturn]] inline void refuse_cell(std::int64_t i, std::int64_t j) {
  throw wrong_result("row " + std::to_string(i) + ", column " + std::to_string(j) +
                     " differs from the serial version");
}

/// Throws wrong_result unless every cell of the tiles has the same bits as the cell stored by rows.
template <class Cell>
void require_same(tiling const& cut, std::vector<Cell> const& found,
                  std::vector<Cell> const& expected) {
  for_each_cell(cut, [&](std::int64_t i, std::int64_t j, std::size_t place) {
    Cell const& right = expected[static_cast<std::size_t>(i * cut.cols + j)];
    if (std::memcmp(&found[place], &right, sizeof(Cell)) != 0) refuse_cell(i, j);
  });
}

}  // namespace gridloom::juggler
