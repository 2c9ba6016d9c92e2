#pragma once
// Reading a user's matrix file of any supported format: the argument of `--matrix`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::sparse {

/// Reads the file. The ending of its name gives the format: .h5 and .hdf5 (CSR), .mtx and .mtx.gz
/// (Matrix Market). A pattern has no values; other Matrix Market files give double. Throws
/// usage_error like the readers, and for other endings. For METIS graphs and edge lists the message
/// names the command that imports them.
[[nodiscard]] any_csr read_matrix(std::filesystem::path const& path);

/// Whether read_matrix reads a file of this name as CSR, which has a provenance.
[[nodiscard]] bool is_csr_name(std::filesystem::path const& path);

/// Whether read_matrix reads a file of this name as Matrix Market.
[[nodiscard]] bool is_market_name(std::filesystem::path const& path);

/// A dense matrix row by row, as in the file.
struct dense_rows {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::vector<double> values;
};

/// Reads the two-dimensional dataset `name` in the root group of an HDF5 file, of float32 or
/// float64 and without conversion. Returns nothing if `name` is a group with an attribute `kind`,
/// like a sparse matrix. Throws usage_error naming the file and what was expected. One thread at a
/// time (HDF5 is not thread-safe).
[[nodiscard]] std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                                        std::string const& name);

}  // namespace gridloom::sparse
