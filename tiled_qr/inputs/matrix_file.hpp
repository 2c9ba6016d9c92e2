#pragma once
// A dense matrix from a file.
//
//   .mtx          Matrix Market: `array real general`, or `coordinate` with zeros elsewhere
//   .h5, .hdf5    a two-dimensional dataset /matrix of float32 or float64, rows first as h5py writes
//                 it; or a sparse matrix as gridloom-matrix writes it

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gridloom::tiled_qr {

/// Column-major without gaps.
struct dense_matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> values;
};

/// Throws usage_error that names the file, and the line where there are lines, and says what was
/// expected: for a file that is absent or no matrix, a matrix without elements, values that are not
/// finite, and more elements than memory holds.
dense_matrix read_dense(std::filesystem::path const& path);

}  // namespace gridloom::tiled_qr
