#pragma once
// Synthetic matrices made from a line of text, such as `poisson2d:nx=1000,ny=1000,points=5,seed=3`. The
// same text gives the same matrix on every machine: all randomness comes from random_source.
//
// A SPEC is NAME or NAME:KEY=VALUE,... ; every generator also takes `seed` (default 1) and
// `shuffle` (0 or 1: renumber rows and columns by one random permutation). `union(A;B;...)`, or
// `union(A*3;isolated:n=5)`, puts specs along the diagonal, at most 16 unions deep; the copies of A
// are equal. A union takes `seed` and `shuffle` too: `union(A;B):shuffle=1`.
//
// Discretisations and linear systems have values (double); graphs are patterns without a diagonal.
// A union is a pattern if all of its parts are; otherwise ones stand in for the missing values.

#include <string>
#include <string_view>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Makes the matrix. Throws usage_error naming the generator, the key, and what was expected, and
/// when the matrix would have more than most_rows rows or would not fit into memory.
[[nodiscard]] any_csr generate(std::string_view spec);

/// One generator, for --list.
struct generator_help {
  std::string name;
  /// "nx=100,ny=nx,points=5".
  std::string keys;
  /// One sentence.
  std::string what;
};

/// All generators, in the order in which --list shows them.
[[nodiscard]] std::vector<generator_help> list_generators();

}  // namespace gridloom::sparse
