#pragma once
// Synthetic matrices from a line of text, such as `poisson2d:nx=1000,ny=1000,points=5,seed=3`. The
// same text gives the same matrix on every machine: all random numbers come from random_source.
//
// A SPEC is NAME or NAME:KEY=VALUE,... Every generator takes `seed` (default 1) and `shuffle` (1
// renumbers rows and columns by one random permutation). `union(A;B;...)` puts matrices along the
// diagonal. In `union(A*3;isolated:n=5)` the three copies of A are equal. A union takes `seed` and
// `shuffle` as well, as in `union(A;B):shuffle=1`. Unions may be nested up to 16 deep.
//
// Discretisations and linear systems have values (double). Graphs are patterns without a diagonal.
// A union is a pattern if all its parts are patterns. Otherwise its patterns get the value 1.

#include <string>
#include <string_view>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Makes the matrix. Throws usage_error that names the generator, the key and what was expected.
/// Also throws it if the matrix has more than most_rows rows or does not fit into memory.
[[nodiscard]] any_csr generate(std::string_view spec);

/// One generator, for --list.
struct generator_help {
  std::string name;
  /// Keys with their defaults, such as "nx=100,ny=nx,points=5".
  std::string keys;
  /// One sentence.
  std::string what;
};

/// All generators in the order of --list.
[[nodiscard]] std::vector<generator_help> list_generators();

}  // namespace gridloom::sparse
