#pragma once
// Data that a host cannot hold: inputs are made where they are used, and results are compared
// there by hashes. Some tiles are computed again by a serial loop. Only sources that launch kernels
// include this header.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/grid/tiling.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/group.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler {

namespace detail {

template <class Cell, class Source>
struct fill_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  Cell* cells;
  tiling cut;
  Source source;
  Cell padding;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t tile = block.index(); tile < cut.tiles(); tile += block.count()) {
      std::int64_t const top = tile / cut.tile_cols() * cut.tile;
      std::int64_t const left = tile % cut.tile_cols() * cut.tile;
      for (std::int64_t k = block.thread_rank(); k < cut.tile_cells(); k += block.num_threads()) {
        std::int64_t const row = top + k / cut.tile;
        std::int64_t const col = left + k % cut.tile;
        bool const is_inside = row < cut.rows && col < cut.cols;
        cells[tile * cut.tile_cells() + k] = is_inside    ? static_cast<Cell>(source(row, col))
                                             : row == col ? padding
                                                          : Cell{0};
      }
    }
  }
};

/// Adds up one number per word, which depends on the word and on its place in the part.
struct hash_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t const* words;
  std::int64_t parts;
  std::int64_t words_of_part;
  std::uint64_t* hashes;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    direct_memory memory;
    for (std::int64_t part = block.index(); part < parts; part += block.count()) {
      std::uint64_t sum = 0;
      for (std::int64_t k = block.thread_rank(); k < words_of_part; k += block.num_threads()) {
        auto const place = static_cast<std::uint64_t>(k) << 32U;
        sum += random_source(place | words[part * words_of_part + k]).next();
      }
      memory.fetch_add_relaxed(hashes + part, sum);
    }
  }
};

inline launch_shape filling(device const& machine) {
  int const processors = machine.properties().multiprocessors;
  return machine.is_host() ? launch_shape{processors, 1} : launch_shape{8 * processors, 256};
}

}  // namespace detail

/// Sets each cell (row, col) of the tiles to source(row, col). Outside the grid, cells on the
/// diagonal become `padding`, others 0.
template <class Cell, class Source>
void fill_tiles(device& machine, buffer<Cell> const& to, tiling const& cut, Source const& source,
                Cell padding = {}) {
  machine.launch(detail::filling(machine),
                 detail::fill_kernel<Cell, Source>{to.data(), cut, source, padding});
}

/// One hash for each of `parts` equal parts of a buffer, whose elements have 4 or 8 bytes.
template <class T>
[[nodiscard]] std::vector<std::uint64_t> hashes_of(device& machine, buffer<T> const& of,
                                                   std::int64_t parts) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  auto const hashes = machine.allocate<std::uint64_t>(static_cast<std::size_t>(parts));
  machine.fill_bytes(hashes, 0);
  auto const words = static_cast<std::int64_t>(of.bytes() / sizeof(std::uint32_t));
  machine.launch(detail::filling(machine),
                 detail::hash_kernel{reinterpret_cast<std::uint32_t const*>(of.data()), parts,
                                     words / parts, hashes.data()});
  return machine.copy_to_host(hashes);
}

/// What the methods of a problem have in common: the hashes of the first result that was checked.
/// Used by one thread.
class checked_hashes {
 public:
  /// If no result was checked before, calls check(i, j) for some tiles of a grid: those at the
  /// corners, and random ones. Otherwise requires the same hashes. Throws wrong_result.
  template <class Check>
  void require(std::vector<std::uint64_t> found, std::int64_t tile_rows, std::int64_t tile_cols,
               Check const& check) {
    if (hashes_.empty()) {
      for (std::int64_t const i : {std::int64_t{0}, tile_rows - 1}) {
        for (std::int64_t const j : {std::int64_t{0}, tile_cols - 1}) check(i, j);
      }
      random_source random(1);
      for (int k = 0; k < random_tiles; ++k) {
        auto const below = [&](std::int64_t bound) {
          return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
        };
        std::int64_t const i = below(tile_rows);
        check(i, below(tile_cols));
      }
      hashes_ = std::move(found);
      return;
    }
    for (std::size_t k = 0; k < hashes_.size(); ++k) {
      if (found[k] != hashes_[k])
        throw wrong_result("part " + std::to_string(k) + " of " + std::to_string(hashes_.size()) +
                           " differs from the first method's, whose samples were right");
    }
  }

 private:
  static constexpr int random_tiles = 28;
  std::vector<std::uint64_t> hashes_;
};

/// Copies some cells from a buffer to the host.
template <class T>
[[nodiscard]] std::vector<T> copied(device& machine, buffer<T> const& from, std::int64_t begin,
                                    std::int64_t count) {
  std::vector<T> to(static_cast<std::size_t>(count));
  machine.copy_to_host(std::span<T>(to), from.data() + begin);
  return to;
}

/// A tile with `margin` cells around it, as far as the grid reaches.
struct window {
  std::int64_t row, col, rows, cols;

  /// The whole grid.
  explicit window(tiling const& cut) : row(0), col(0), rows(cut.rows), cols(cut.cols) {}
  window(tiling const& cut, std::int64_t i, std::int64_t j, std::int64_t margin)
      : row(std::max<std::int64_t>(i * cut.tile - margin, 0)),
        col(std::max<std::int64_t>(j * cut.tile - margin, 0)),
        rows(std::min((i + 1) * cut.tile + margin, cut.rows) - row),
        cols(std::min((j + 1) * cut.tile + margin, cut.cols) - col) {}

  [[nodiscard]] std::size_t place(std::int64_t at_row, std::int64_t at_col) const {
    return static_cast<std::size_t>((at_row - row) * cols + at_col - col);
  }
  /// The values of source(row, col), by rows.
  template <class Cell, class Source>
  [[nodiscard]] std::vector<Cell> filled(Source const& source) const {
    std::vector<Cell> made;
    made.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t r = row; r < row + rows; ++r) {
      for (std::int64_t c = col; c < col + cols; ++c) made.push_back(source(r, c));
    }
    return made;
  }
};

/// Throws wrong_result unless each cell of tile (i, j), whose memory is `found`, has the bits of
/// expected(row, col).
template <class Cell, class Expected>
void require_tile_is(tiling const& cut, std::int64_t i, std::int64_t j,
                     std::vector<Cell> const& found, Expected const& expected) {
  window const own(cut, i, j, 0);
  for (std::int64_t row = own.row; row < own.row + own.rows; ++row) {
    for (std::int64_t col = own.col; col < own.col + own.cols; ++col) {
      Cell const& is = found[static_cast<std::size_t>(row % cut.tile * cut.tile + col % cut.tile)];
      Cell const should_be = expected(row, col);
      if (std::memcmp(&is, &should_be, sizeof(Cell)) != 0) refuse_cell(row, col);
    }
  }
}

}  // namespace gridloom::juggler
