#pragma once
// Reading a user's matrix file of any supported format: the argument of `--matrix`.

#include <filesystem>

#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::sparse {

/// Reads the file. The end of its name gives the format: .h5 and .hdf5 (CSR), .mtx and .mtx.gz
/// (Matrix Market). A pattern has no values; other Matrix Market files give double. Throws
/// usage_error like the readers, and for other endings. For METIS graphs and edge lists the message
/// names the command that imports them.
[[nodiscard]] any_csr read_matrix(std::filesystem::path const& path,
                                  market_options const& options = {});

/// Whether read_matrix reads a file of this name as CSR, which has a provenance.
[[nodiscard]] bool is_csr_name(std::filesystem::path const& path);

/// Whether read_matrix reads a file of this name as Matrix Market.
[[nodiscard]] bool is_market_name(std::filesystem::path const& path);

}  // namespace gridloom::sparse
