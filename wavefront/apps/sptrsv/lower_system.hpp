#pragma once
// L x = b with a lower triangular L. L is the user's matrix or a factor of its incomplete
// decomposition. The file has the serial solver that all others are compared with.

#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::wavefront::sptrsv {

/// Where L comes from.
enum class factor_kind {
  /// The matrix's lower triangle with its diagonal; entries above it are left out.
  lower,
  /// The matrix itself, which must have no entries above the diagonal.
  given,
  /// The unit lower factor of the incomplete LU decomposition without fill, ILU(0).
  ilu0
};

struct lower_system {
  std::string name;
  /// The last entry of each row is on the diagonal, and it is not 0. All entries are finite.
  sparse::csr_matrix<double> matrix;
  std::vector<double> right_side;

  [[nodiscard]] std::uint32_t rows() const { return matrix.num_rows; }
  /// Bytes that any solver reads or writes at least once: the entries of L with their columns, row
  /// offsets of 4 bytes, b and x.
  [[nodiscard]] std::uint64_t least_bytes() const {
    return 12 * matrix.num_entries() + 20 * std::uint64_t{matrix.num_rows};
  }
};

/// Makes L, and b of random numbers in [-1, 1). A pattern, and any matrix if `own_values` is
/// false, gets random values from the same seed. Then the diagonal is so large that neither the
/// factor nor x grows. Throws usage_error "place: row R: expected ..., got ..." if
/// - the matrix is not square, or a value is not finite;
/// - an entry on the diagonal is 0 or missing (for ilu0: a pivot is 0);
/// - an entry divided by the diagonal of its row, or an x, leaves the range of double.
[[nodiscard]] lower_system make_lower(std::string name, sparse::any_csr const& matrix,
                                      factor_kind kind, bool own_values, std::uint64_t seed,
                                      std::string const& place);

/// Computes x by forward substitution, row by row.
void solve_serially(lower_system const& of, std::vector<double> const& right_side,
                    std::vector<double>& x);

/// Throws wrong_result with the first row of x whose residual exceeds a few roundings of its
/// products. Such an x solves no system near this one.
void require_solution(lower_system const& of, std::vector<double> const& right_side,
                      std::vector<double> const& x);

}  // namespace gridloom::wavefront::sptrsv
