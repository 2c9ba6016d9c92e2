#pragma once
// Dense matrices in HDF5 files: a two-dimensional dataset of numbers.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gridloom {

/// Row after row, as the file has it.
struct dense_rows {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::vector<double> values;
};

/// The dataset `name` at the top of a file, of float32 or float64 and without conversion; nothing if
/// `name` is a group that says what kind it is, as sparse matrices do. Throws usage_error naming the file and what was expected. One thread at a time
/// (HDF5 is not thread-safe).
[[nodiscard]] std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                                        std::string const& name);

}  // namespace gridloom
