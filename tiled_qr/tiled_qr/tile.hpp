#pragma once
// How a matrix is cut into tiles (report, I.C). The matrix is column-major with a leading
// dimension, as in LAPACK. Tile (i, j) begins at row i · b and column j · b. The last row and the
// last column of tiles may be smaller, because b need not divide m or n. m may be smaller than n.
//
// The factors tau of the Householder vectors are stored apart, b for each tile (tiling::taus). They
// take at most about 1/b of the matrix's memory, and nothing else is stored.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// A column-major block of a matrix, in any memory.
template <class T>
struct tile_ref {
  T* data;
  std::int64_t ld;
  int rows;
  int cols;

  GRIDLOOM_FN T* column(int j) const { return data + j * ld; }
  GRIDLOOM_FN T& at(int i, int j) const { return data[i + j * ld]; }
  /// Converts to a read-only tile. It is a template, because nvcc warns if a tile of constant
  /// elements has this conversion.
  template <class Constant>
  requires std::is_same_v<Constant, T const> GRIDLOOM_FN operator tile_ref<Constant>() const {
    return {data, ld, rows, cols};
  }
};

/// The sizes of an m × n matrix that is cut into p × q tiles of b × b.
struct tiling {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int tile = 1;

  GRIDLOOM_FN std::uint32_t p() const { return tiles_of(rows); }
  GRIDLOOM_FN std::uint32_t q() const { return tiles_of(cols); }
  /// Steps k of Algorithm 2: the smaller of p and q.
  GRIDLOOM_FN std::uint32_t steps() const { return p() < q() ? p() : q(); }
  GRIDLOOM_FN std::uint64_t tiles() const { return std::uint64_t{p()} * q(); }
  GRIDLOOM_FN int rows_of(std::uint32_t i) const { return part_of(rows, i); }
  GRIDLOOM_FN int cols_of(std::uint32_t j) const { return part_of(cols, j); }
  /// Number of places for factors tau: `b` for each tile of the first steps() columns. Those of
  /// tiles above the diagonal stay unused.
  GRIDLOOM_FN std::uint64_t taus() const {
    return std::uint64_t{p()} * steps() * static_cast<std::uint64_t>(tile);
  }

  bool operator==(tiling const&) const = default;

 private:
  GRIDLOOM_FN std::uint32_t tiles_of(std::int64_t n) const {
    return static_cast<std::uint32_t>((n + tile - 1) / tile);
  }
  GRIDLOOM_FN int part_of(std::int64_t n, std::uint32_t i) const {
    std::int64_t const left = n - static_cast<std::int64_t>(i) * tile;
    return static_cast<int>(left < tile ? left : tile);
  }
};

/// A matrix that is being factorised, in the memory of a device: first A, then R in its upper
/// triangle and the Householder vectors below. Kernels take it by value.
template <class T>
struct tiled_matrix_ref {
  T* data;
  /// Leading dimension, at least `cut.rows`.
  std::int64_t ld;
  /// Array of `cut.taus()` factors.
  T* taus;
  tiling cut;

  GRIDLOOM_FN tile_ref<T> tile(std::uint32_t i, std::uint32_t j) const {
    auto const b = static_cast<std::int64_t>(cut.tile);
    return {data + static_cast<std::int64_t>(i) * b + static_cast<std::int64_t>(j) * b * ld, ld,
            cut.rows_of(i), cut.cols_of(j)};
  }
  /// Returns the factors of the vectors in tile (i, k).
  GRIDLOOM_FN T* taus_of(std::uint32_t i, std::uint32_t k) const {
    return taus +
           (static_cast<std::uint64_t>(k) * cut.p() + i) * static_cast<std::uint64_t>(cut.tile);
  }

  bool operator==(tiled_matrix_ref const&) const = default;
};

static_assert(std::is_trivially_copyable_v<tiled_matrix_ref<double>>);

}  // namespace gridloom::tiled_qr
