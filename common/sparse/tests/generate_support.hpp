#pragma once
// Checks of generated matrices that do not depend on the generators.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "check.hpp"
#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::test {

using pattern = sparse::csr_matrix<sparse::no_value>;
/// Numbers of rows and of entries.
using sizes = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
using real_matrix = sparse::csr_matrix<double>;

/// The generated matrix. Checks that it has this value type and is square and valid.
template <sparse::matrix_value Value>
sparse::csr_matrix<Value> made(std::string const& spec) {
  sparse::any_csr any = sparse::generate(spec);
  BOOST_TEST_REQUIRE(std::holds_alternative<sparse::csr_matrix<Value>>(any), spec);
  auto matrix = std::get<sparse::csr_matrix<Value>>(std::move(any));
  BOOST_TEST_REQUIRE(matrix.is_square(), spec);
  BOOST_REQUIRE_NO_THROW(sparse::check(matrix, spec));
  return matrix;
}

inline std::map<std::pair<std::uint32_t, std::uint32_t>, double> entries_of(
    real_matrix const& matrix) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> entries;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t at = matrix.row_offsets[row]; at < matrix.row_offsets[row + 1]; ++at) {
      entries[{row, matrix.columns[at]}] = matrix.values[at];
    }
  }
  return entries;
}

template <sparse::matrix_value Value>
bool has_entry(sparse::csr_matrix<Value> const& matrix, std::uint32_t row, std::uint32_t column) {
  auto const columns = matrix.row(row);
  return std::binary_search(columns.begin(), columns.end(), column);
}

/// Whether the pattern is symmetric and has no diagonal.
inline bool is_graph(pattern const& graph) {
  return sparse::transpose(graph) == graph && sparse::diagonal_of(graph).stored == 0;
}

inline bool has_symmetric_values(real_matrix const& matrix) {
  return sparse::transpose(matrix) == matrix;
}

/// The largest ratio of a row's other entries to its diagonal, in absolute values. A Jacobi sweep
/// multiplies the error by at most this factor. Infinite if a diagonal entry is missing or 0.
inline double jacobi_factor(real_matrix const& matrix) {
  double worst = 0.0;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    double diagonal = 0.0;
    double others = 0.0;
    for (std::uint64_t at = matrix.row_offsets[row]; at < matrix.row_offsets[row + 1]; ++at) {
      (matrix.columns[at] == row ? diagonal : others) += std::abs(matrix.values[at]);
    }
    worst = std::max(worst, others / diagonal);
  }
  return worst;
}

template <sparse::matrix_value Value>
bool is_connected(sparse::csr_matrix<Value> const& graph) {
  return sparse::components_of(graph).count() == 1;
}

/// For every vertex its degree, the sum of its neighbours' degrees, and the sum of their squares,
/// sorted. Renumbering does not change this list, but almost any other change does.
template <sparse::matrix_value Value>
std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> degree_portrait(
    sparse::csr_matrix<Value> const& graph) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> portrait;
  for (std::uint32_t row = 0; row < graph.num_rows; ++row) {
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    for (std::uint32_t const next : graph.row(row)) {
      std::uint64_t const degree = graph.row(next).size();
      sum += degree;
      squares += degree * degree;
    }
    portrait.emplace_back(graph.row(row).size(), sum, squares);
  }
  std::sort(portrait.begin(), portrait.end());
  return portrait;
}

/// A hash of all bits of a matrix (FNV-1a over its words).
inline std::uint64_t fingerprint(sparse::any_csr const& any) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  auto const add = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte, word >>= 8U)
      hash = (hash ^ (word & 255U)) * 0x100000001b3U;
  };
  std::visit(
      [&](auto const& matrix) {
        for (std::uint64_t const offset : matrix.row_offsets) add(offset);
        for (std::uint32_t const column : matrix.columns) add(column);
        if constexpr (std::is_same_v<decltype(matrix), real_matrix const&>) {
          for (double const value : matrix.values) {
            std::uint64_t word = 0;
            std::memcpy(&word, &value, sizeof word);
            add(word);
          }
        }
      },
      any);
  return hash;
}

}  // namespace gridloom::test
