#pragma once
// The matrix of mhive-rcm, as a graph that can be ordered.

#include <cstdint>
#include <string>

#include "graph.hpp"
#include "gridloom/bench/inputs.hpp"

namespace gridloom::mhive::rcm {

/// The symmetric pattern of a square matrix with at least one row.
struct problem {
  /// Name of the file, or the generator's text.
  std::string name;
  sparse::csr_matrix<sparse::no_value> pattern;

  [[nodiscard]] graph_ref graph() const { return graph_of(pattern); }
};

/// With `symmetrise`, reads A | A^T in place of A. Throws usage_error as `input` does. Also throws
/// it if the matrix is rectangular or empty, or, without `symmetrise`, has an unsymmetric pattern.
[[nodiscard]] problem read_problem(bench::matrix_input const& input, bool symmetrise);

}  // namespace gridloom::mhive::rcm
