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
  /// Path of the matrix file. If it is empty, `spec` is generated.
  std::string file{};
  /// A text for sparse::generate.
  std::string spec{};
  /// File with one number per line. If it is empty, the seed draws the right side.
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
  /// Array of n values.
  std::vector<Value> right_side;
  /// Array of n values: the x from which the right side was made. Empty if there is none.
  std::vector<double> known;
  [[nodiscard]] std::uint32_t num_rows() const { return matrix.num_rows; }
  [[nodiscard]] std::uint64_t num_entries() const { return matrix.num_entries(); }
};

using any_system = std::variant<system<float>, system<double>>;

/// Checks the matrix and extracts its diagonal. Throws usage_error that begins with `place`. The
/// matrix must be square and not empty, with fewer than 2^32 entries and finite values. If a
/// diagonal entry is zero or missing, the message has the row's number, from 0.
template <typename Value>
[[nodiscard]] system<Value> make_system(std::string name, sparse::csr_matrix<Value> matrix,
                                        std::string const& place);

/// Draws x from [-1, 1), and sets the right side to A times x, which `known` keeps. So the system
/// has a solution, whatever its rank. Sums are computed in double.
template <typename Value>
void draw_right_side(system<Value>& of, std::uint64_t seed);

/// Reads or generates the matrix, and reads or draws the right side. `precision` is "float" or
/// "double". Throws usage_error as the functions above and the readers do. Also throws it for a
/// matrix without values, and for a right side of another length.
[[nodiscard]] any_system read_system(problem_source const& source, std::string const& precision);

}  // namespace gridloom::mhive::jacobi
