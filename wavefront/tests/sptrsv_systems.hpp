#pragma once
// Triangular systems for tests.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/random.hpp"
#include "gridloom/sparse/generate.hpp"
#include "solver.hpp"

namespace gridloom::wavefront::sptrsv::test {

using matrix_type = sparse::csr_matrix<double>;

struct entry {
  std::uint32_t column;
  double value;
};
inline matrix_type matrix_of(std::vector<std::vector<entry>> const& rows) {
  matrix_type made;
  made.num_rows = made.num_cols = static_cast<std::uint32_t>(rows.size());
  for (auto const& row : rows) {
    for (entry const& one : row) {
      made.columns.push_back(one.column);
      made.values.push_back(one.value);
    }
    made.row_offsets.push_back(made.columns.size());
  }
  return made;
}

inline lower_system system_of(matrix_type const& matrix, factor_kind kind = factor_kind::given) {
  return make_lower("m", matrix, kind, true, 3, "m");
}
inline lower_system generated(std::string const& spec) {
  return make_lower(spec, sparse::generate(spec), factor_kind::lower, false, 5, spec);
}

/// Each row has at most `most` entries before its diagonal, in the `reach` columns before it.
inline lower_system random_system(std::uint32_t rows, std::uint32_t reach, std::uint32_t most,
                                  std::uint64_t seed) {
  random_source random(seed);
  std::vector<std::vector<entry>> all;
  for (std::uint32_t row = 0; row < rows; ++row) {
    // One row in sixteen is long.
    auto const bound = random.below(16) == 0 ? most : most / 16 + 1;
    auto const wanted = random.below(bound + 1);
    std::vector<std::uint32_t> columns;
    std::uint32_t const before = std::min(reach, row);
    for (std::uint64_t k = 0; before != 0 && k < wanted; ++k)
      columns.push_back(row - 1 - static_cast<std::uint32_t>(random.below(before)));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    std::vector<entry> own;
    double sum = 1;
    for (std::uint32_t const column : columns) {
      own.push_back({column, 2 * random.unit() - 1});
      sum += std::abs(own.back().value);
    }
    own.push_back({row, sum});
    all.push_back(own);
  }
  return system_of(matrix_of(all));
}

/// Each row depends on the previous one and on a random earlier one.
inline lower_system chain_with_old_entries(std::uint32_t rows) {
  std::vector<std::vector<entry>> all;
  std::uint64_t state = 7;
  for (std::uint32_t row = 0; row < rows; ++row) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::vector<entry> own;
    if (row > 1) own.push_back({static_cast<std::uint32_t>((state >> 33U) % (row - 1)), 0.5});
    if (row > 0) own.push_back({row - 1, -1});
    own.push_back({row, 2});
    all.push_back(own);
  }
  return system_of(matrix_of(all));
}

}  // namespace gridloom::wavefront::sptrsv::test
