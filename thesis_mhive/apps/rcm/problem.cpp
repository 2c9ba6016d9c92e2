#include "problem.hpp"

#include <variant>

#include "gridloom/error.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::mhive::rcm {

problem read_problem(bench::matrix_input const& input, bool symmetrise) {
  std::string const option = input.option();
  sparse::any_csr const matrix = input.read();
  problem result;
  result.name = input.name();
  result.pattern = std::visit([](auto const& of) { return sparse::pattern_of(of); }, matrix);
  sparse::csr_matrix<sparse::no_value>& pattern = result.pattern;
  std::string const size =
      std::to_string(pattern.num_rows) + " x " + std::to_string(pattern.num_cols);
  if (!pattern.is_square()) {
    throw usage_error(option + ": expected a square matrix, got one of " + size);
  }
  if (pattern.num_rows == 0) throw usage_error(option + ": expected at least one row, got none");
  if (symmetrise) {
    pattern = sparse::symmetrise(pattern);
  } else if (sparse::symmetry_of(pattern) == sparse::symmetry::none) {
    throw usage_error(option +
                      ": expected a symmetric pattern, got an unsymmetric one; use --symmetrize to "
                      "order the pattern of A + A^T");
  }
  return result;
}

}  // namespace gridloom::mhive::rcm
