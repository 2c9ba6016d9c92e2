#pragma once
// The linear system A x = b of mhive-jacobi (thesis, 7.4 and 8.2). The Jacobi method needs a square
// matrix with values and a diagonal without zeros.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::mhive::jacobi {

/// Where a system comes from.
struct problem_source {
  /// Matrix file. If empty, `spec` is generated.
  std::string file{};
  /// See sparse::generate.
  std::string spec{};
  /// File with one number per line; empty: drawn by the seed.
  std::string right_side{};
  std::uint64_t seed = 1;
};

/// A system with n rows, float or double. The method starts from x = 1.
template <typename Value>
struct system {
  using value_type = Value;

  /// Name of the file, or the generator's text.
  std::string name;
  sparse::csr_matrix<Value> matrix;
  /// Array of n values other than zero.
  std::vector<Value> diagonal;
  /// n.
  std::vector<Value> right_side;
  /// Array of n values: the x that the right side was made from. Empty if there is none.
  std::vector<double> known;
  [[nodiscard]] std::uint32_t num_rows() const { return matrix.num_rows; }
  [[nodiscard]] std::uint64_t num_entries() const { return matrix.num_entries(); }
};

using any_system = std::variant<system<float>, system<double>>;

/// Checks the matrix and makes its diagonal. Throws usage_error that begins with `place` if the
/// matrix is rectangular or empty, has 2^32 entries or more, or has a value that is not finite or a
/// diagonal entry that is zero or missing (with the row's number, from 0).
template <typename Value>
[[nodiscard]] system<Value> make_system(std::string name, sparse::csr_matrix<Value> matrix,
                                        std::string const& place);

/// Sets the right side to A times random numbers in [-1, 1), which `known` keeps. So the system has
/// a solution, whatever its rank. Sums are computed in double.
template <typename Value>
void draw_right_side(system<Value>& of, std::uint64_t seed);

/// Reads or generates the matrix, and reads or draws the right side. `precision` is "float" or
/// "double". Throws usage_error like the functions above and the readers, for a matrix without
/// values, and for a right side of another length.
[[nodiscard]] any_system read_system(problem_source const& source, std::string const& precision);

}  // namespace gridloom::mhive::jacobi
