#pragma once
// Reads a dense matrix from a file:
//
//   .mtx, .mtx.gz  Matrix Market. Elements that a coordinate file leaves out are zeros.
//   .h5, .hdf5     A two-dimensional dataset /matrix of float32 or float64, row-major as h5py
//                  writes it. Or a sparse matrix, as gridloom-matrix writes it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace gridloom::tiled_qr {

/// Column-major without gaps.
struct dense_matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> values;
};

/// Throws usage_error if a matrix of this size is too large.
using room_check = std::function<void(std::int64_t rows, std::int64_t cols)>;

/// Reads a matrix. Calls `require_room` before the elements take memory, because the dense form of
/// a sparse file may be far larger than the file. Throws usage_error that names the file and, in a
/// text, the line. Causes: the file is absent or no matrix, the matrix has no elements, values that
/// are not finite, or more elements than memory holds.
dense_matrix read_dense(std::filesystem::path const& path, room_check const& require_room = {});

}  // namespace gridloom::tiled_qr
