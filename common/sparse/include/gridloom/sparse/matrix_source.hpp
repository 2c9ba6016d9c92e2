#pragma once
// A matrix file of a user's, whatever its format: the argument of `--matrix`.

#include <filesystem>

#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::sparse {

/// Reads by the end of the name: .h5 and .hdf5 (CSR), .mtx and .mtx.gz (Matrix Market). A Matrix Market
/// pattern gives no values, other text double. Throws usage_error as the readers do, and for another
/// ending; for those of METIS graphs and edge lists it names the command that imports them.
[[nodiscard]] any_csr read_matrix(std::filesystem::path const& path,
                                  market_options const& options = {});

/// Whether read_matrix takes a file of this name for one of write_csr's, which has a provenance.
[[nodiscard]] bool is_csr_name(std::filesystem::path const& path);

/// Whether read_matrix takes a file of this name for Matrix Market.
[[nodiscard]] bool is_market_name(std::filesystem::path const& path);

}  // namespace gridloom::sparse
