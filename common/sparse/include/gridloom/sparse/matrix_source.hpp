#pragma once
// A matrix from wherever the user has it: the argument of `--matrix`.

#include <filesystem>

#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::sparse {

struct read_options {
  market_options market;
  edge_list_options edges;
};

/// Reads by the end of the name: .h5 and .hdf5 (CSR), .mtx, .graph and .metis, .txt, .edges, .el,
/// .tsv and .csv (edge lists), each of the text formats also with .gz behind it. Matrix Market
/// patterns and unweighted text graphs give no values, other text files double. Throws usage_error
/// as the readers do, and for another ending.
[[nodiscard]] any_csr read_matrix(std::filesystem::path const& path,
                                  read_options const& options = {});

/// Whether read_matrix takes a file of this name for one of write_csr's, which has a provenance.
[[nodiscard]] bool is_csr_name(std::filesystem::path const& path);

}  // namespace gridloom::sparse
