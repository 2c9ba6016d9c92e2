#pragma once
// The inspection loop of LU decomposition (Listing 5), and how a matrix lies in memory: tile by tile,
// so that a task's data is one range of the array.

#include <cstdint>

#include "apps/lud/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::lud {

/// A square matrix in square tiles; tiles at the border are filled up by those of an identity.
struct blocking {
  std::int64_t rows;
  int tile;

  /// Tiles in a row.
  [[nodiscard]] std::int64_t tiles() const { return (rows + tile - 1) / tile; }
  [[nodiscard]] std::int64_t tile_elements() const { return std::int64_t{tile} * tile; }
  [[nodiscard]] std::int64_t elements() const { return tiles() * tiles() * tile_elements(); }
  /// Where tile (i, j) begins.
  [[nodiscard]] std::int64_t begin(std::int64_t i, std::int64_t j) const {
    return (i * tiles() + j) * tile_elements();
  }
};

/// Of so many tiles in a row: p (p + 1) (2p + 1) / 6, which is Table 1's 1240 for 15.
[[nodiscard]] std::uint64_t count_tasks(std::int64_t tiles);

/// `a` is a name for the array's storage and is not read.
[[nodiscard]] inspected<task_data> inspect_lud(blocking const& cut, double const* a);

}  // namespace gridloom::juggler::lud
