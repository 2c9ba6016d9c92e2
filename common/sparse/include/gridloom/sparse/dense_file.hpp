#pragma once
// Dense matrices in HDF5 files: two-dimensional datasets. This file exists because no artifact
// includes hdf5_io.hpp.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gridloom {

/// A dense matrix row by row, as in the file.
struct dense_rows {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::vector<double> values;
};

/// Reads the dataset `name` at the top of a file, of float32 or float64 and without conversion.
/// Returns nothing if `name` is a group with an attribute kind, like a sparse matrix. Throws
/// usage_error naming the file and what was expected. One thread at a time (HDF5 is not
/// thread-safe).
[[nodiscard]] std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                                        std::string const& name);

}  // namespace gridloom
