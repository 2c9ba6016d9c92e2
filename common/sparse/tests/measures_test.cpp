#include "gridloom/sparse/measures.hpp"

#include <algorithm>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gridloom/sparse/transform.hpp"
#include "matrices.hpp"
#include "test_support.hpp"

using namespace gridloom::sparse;
using namespace gridloom::test;
using gridloom::random_source;

namespace gridloom::sparse {

inline std::ostream& operator<<(std::ostream& out, symmetry value) {
  return out << "symmetry " << static_cast<int>(value);
}

}  // namespace gridloom::sparse

BOOST_AUTO_TEST_SUITE(measures_test)

namespace {

using value_types = boost::mpl::list<no_value, float, double>;

// Calls the function with row, column and value of each entry.
template <typename Value, typename Function>
void for_entries(csr_matrix<Value> const& matrix, Function function) {
  dense<Value> const entries = dense_of(matrix);
  for (std::size_t r = 0; r < matrix.num_rows; ++r) {
    for (std::size_t c = 0; c < matrix.num_cols; ++c) {
      if (entries[r][c]) {
        function(static_cast<std::int64_t>(r), static_cast<std::int64_t>(c), *entries[r][c]);
      }
    }
  }
}

// Spreads labels along entries until none changes. Then each is its component's smallest vertex.
template <typename Value>
std::vector<std::int64_t> smallest_reachable(csr_matrix<Value> const& matrix) {
  std::vector<std::int64_t> label(matrix.num_rows);
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<std::int64_t>(v);
  for (bool changed = true; changed;) {
    changed = false;
    for_entries(matrix, [&](std::int64_t r, std::int64_t c, Value) {
      auto const smaller = std::min(label[std::size_t(r)], label[std::size_t(c)]);
      changed = changed || label[std::size_t(r)] != label[std::size_t(c)];
      label[std::size_t(r)] = label[std::size_t(c)] = smaller;
    });
  }
  return label;
}

template <typename Value>
symmetry symmetry_by_definition(csr_matrix<Value> const& matrix) {
  if (!matrix.is_square()) return symmetry::none;
  dense<Value> const entries = dense_of(matrix);
  bool pattern = true;
  bool equal = has_values<Value>;
  bool opposite = has_values<Value>;
  for_entries(matrix, [&](std::int64_t r, std::int64_t c, Value value) {
    auto const mirror = entries[std::size_t(c)][std::size_t(r)];
    pattern = pattern && mirror.has_value();
    if constexpr (has_values<Value>) {
      equal = equal && mirror && *mirror == value;
      opposite = opposite && mirror && *mirror == -value;
    }
  });
  if (!pattern) return symmetry::none;
  if (equal) return symmetry::values;
  return opposite ? symmetry::skew : symmetry::pattern;
}

}  // namespace

BOOST_AUTO_TEST_CASE(measures_by_hand) {
  // The entries are (0,1) (2,0) (2,2) (3,2).
  auto const matrix = matrix_of<double>({{0, 5, 0, 0}, {0, 0, 0, 0}, {7, 0, 1, 0}, {0, 0, 2, 0}});
  BOOST_TEST(band_of(matrix).lower == 2U);
  BOOST_TEST(band_of(matrix).upper == 1U);
  BOOST_TEST(band_of(matrix).half() == 2U);
  BOOST_TEST(thesis_bandwidth(matrix) == 4U);
  BOOST_TEST(profile(matrix) == 3U);
  BOOST_TEST(row_lengths_of(matrix).shortest == 0U);
  BOOST_TEST(row_lengths_of(matrix).longest == 2U);
  BOOST_TEST(row_lengths_of(matrix).average == 1.0);
  BOOST_TEST(diagonal_of(matrix).stored == 1U);
  BOOST_TEST(diagonal_of(matrix).zero == 0U);
  BOOST_TEST(components_of(matrix).count() == 1U);
  BOOST_TEST(symmetry_of(matrix) == symmetry::none);
}

BOOST_AUTO_TEST_CASE(the_thesis_bandwidth_does_not_take_the_diagonal_as_stored) {
  // The only diagonal is one above the main one.
  auto const shifted = matrix_of<no_value>({{0, 1, 0}, {0, 0, 1}, {0, 0, 0}});
  BOOST_TEST(thesis_bandwidth(shifted) == 1U);
  BOOST_TEST(band_of(shifted).half() == 1U);
  BOOST_TEST(band_of(shifted).lower == 0U);
  auto const tridiagonal = matrix_of<no_value>({{1, 1, 0}, {1, 1, 1}, {0, 1, 1}});
  BOOST_TEST(thesis_bandwidth(tridiagonal) == 3U);
}

BOOST_AUTO_TEST_CASE(empty_matrices_have_measures_of_zero) {
  for (csr_matrix<float> const& matrix :
       {csr_matrix<float>{}, csr_matrix<float>{2, 2, {0, 0, 0}, {}, {}}}) {
    BOOST_TEST(band_of(matrix).half() == 0U);
    BOOST_TEST(thesis_bandwidth(matrix) == 0U);
    BOOST_TEST(profile(matrix) == 0U);
    BOOST_TEST(row_lengths_of(matrix).shortest == 0U);
    BOOST_TEST(row_lengths_of(matrix).average == 0.0);
    BOOST_TEST(diagonal_of(matrix).stored == 0U);
    BOOST_TEST(components_of(matrix).count() == matrix.num_rows);
    BOOST_TEST(symmetry_of(matrix) == symmetry::values);
  }
}

BOOST_AUTO_TEST_CASE(components_are_numbered_by_their_smallest_vertices) {
  // The components are 0 - 4, 1, and 2 - 5 - 3. Each entry is stored in one direction only.
  csr_matrix<no_value> const graph{6, 6, {0, 0, 0, 1, 2, 3, 3}, {5, 5, 0}, {}};
  components const found = components_of(graph);
  std::vector<std::uint32_t> const component{0, 1, 2, 2, 0, 2};
  std::vector<std::uint32_t> const sizes{2, 1, 3};
  BOOST_TEST(found.component == component, per_element());
  BOOST_TEST(found.sizes == sizes, per_element());
}

BOOST_AUTO_TEST_CASE(a_long_path_is_one_component) {
  constexpr std::uint32_t n = 300000;
  csr_matrix<no_value> path{n, n, {0}, {}, {}};
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v + 1 < n) path.columns.push_back(v + 1);
    path.row_offsets.push_back(path.columns.size());
  }
  random_source source{7};
  csr_matrix<no_value> const shuffled = permute(path, random_order(n, source));
  for (csr_matrix<no_value> const& matrix : {path, transpose(path), shuffled}) {
    BOOST_TEST(components_of(matrix).count() == 1U);
    BOOST_TEST(components_of(matrix).sizes[0] == n);
  }
}

BOOST_AUTO_TEST_CASE(symmetries_by_hand) {
  BOOST_TEST(symmetry_of(matrix_of<double>({{1, 2}, {2, 0}})) == symmetry::values);
  BOOST_TEST(symmetry_of(matrix_of<double>({{0, 2}, {-2, 0}})) == symmetry::skew);
  BOOST_TEST(symmetry_of(matrix_of<double>({{1, 2}, {3, 0}})) == symmetry::pattern);
  BOOST_TEST(symmetry_of(matrix_of<no_value>({{1, 0, 0}, {0, 1, 0}})) == symmetry::none);
  csr_matrix<double> const nan{1, 1, {0, 1}, {0}, {std::nan("")}};
  BOOST_TEST(symmetry_of(nan) == symmetry::pattern);
  csr_matrix<double> const zeros{2, 2, {0, 1, 2}, {1, 0}, {0.0, -0.0}};
  BOOST_TEST(symmetry_of(zeros) == symmetry::values);
}

BOOST_AUTO_TEST_CASE(stored_zeros_of_the_diagonal_are_counted_apart) {
  csr_matrix<double> const matrix{4, 3, {0, 1, 2, 4, 5}, {0, 1, 0, 2, 2}, {0.0, -0.0, 0.0, 1, 0}};
  BOOST_TEST(diagonal_of(matrix).stored == 3U);
  BOOST_TEST(diagonal_of(matrix).zero == 2U);
  BOOST_TEST(diagonal_of(pattern_of(matrix)).stored == 3U);
  BOOST_TEST(diagonal_of(pattern_of(matrix)).zero == 0U);
}

BOOST_AUTO_TEST_CASE(components_need_a_square_matrix) {
  csr_matrix<double> const wide{1, 2, {0, 0}, {}, {}};
  BOOST_TEST(message_of<std::invalid_argument>([&] { (void)components_of(wide); }) ==
             "components_of: expected a square matrix, got 1 x 2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(measures_follow_their_definitions, Value, value_types) {
  for_random_matrices<Value>(false, [](csr_matrix<Value> const& matrix, random_source&) {
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    std::vector<std::int64_t> diagonals;
    std::int64_t envelope = 0;
    // The first column of each row, or the diagonal if that comes first.
    std::vector<std::int64_t> first(matrix.num_rows);
    std::iota(first.begin(), first.end(), 0);
    std::vector<std::uint64_t> length(matrix.num_rows, 0);
    std::uint32_t on_diagonal = 0;
    std::uint32_t zero = 0;
    for_entries(matrix, [&](std::int64_t r, std::int64_t c, Value value) {
      lower = std::max(lower, r - c);
      upper = std::max(upper, c - r);
      diagonals.push_back(r - c);
      first[std::size_t(r)] = std::min(first[std::size_t(r)], c);
      ++length[std::size_t(r)];
      if (r == c) ++on_diagonal;
      if constexpr (has_values<Value>) zero += r == c && value == 0 ? 1U : 0U;
    });
    for (std::size_t r = 0; r < first.size(); ++r) {
      envelope += static_cast<std::int64_t>(r) - first[r];
    }
    BOOST_TEST(band_of(matrix).lower == lower);
    BOOST_TEST(band_of(matrix).upper == upper);
    BOOST_TEST(band_of(matrix).half() == std::max(lower, upper));
    BOOST_TEST(profile(matrix) == envelope);
    BOOST_TEST(diagonal_of(matrix).stored == on_diagonal);
    BOOST_TEST(diagonal_of(matrix).zero == zero);
    auto const [least, most] = std::minmax_element(diagonals.begin(), diagonals.end());
    BOOST_TEST(thesis_bandwidth(matrix) == (diagonals.empty() ? 0 : *most - *least + 1));
    if (matrix.num_rows == 0) return;
    auto const [shortest, longest] = std::minmax_element(length.begin(), length.end());
    BOOST_TEST(row_lengths_of(matrix).shortest == *shortest);
    BOOST_TEST(row_lengths_of(matrix).longest == *longest);
    BOOST_TEST(row_lengths_of(matrix).average ==
               static_cast<double>(diagonals.size()) / static_cast<double>(matrix.num_rows));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(components_are_what_labels_spread_to, Value, value_types) {
  for_random_matrices<Value>(true, [](csr_matrix<Value> const& part, random_source& source) {
    // In the permuted block matrix, the vertices of the components interleave.
    std::vector const parts{part, random_matrix<Value>(4, 4, source),
                            random_matrix<Value>(3, 3, source)};
    csr_matrix<Value> const blocks = block_diagonal<Value>(parts);
    csr_matrix<Value> const matrix = permute(blocks, random_order(blocks.num_rows, source));
    components const found = components_of(matrix);
    std::vector<std::int64_t> const label = smallest_reachable(matrix);
    // Smallest vertices of the components.
    std::vector<std::int64_t> roots;
    std::vector<std::uint32_t> sizes;
    bool same = found.component.size() == label.size();
    for (std::size_t v = 0; same && v < label.size(); ++v) {
      if (label[v] == static_cast<std::int64_t>(v)) {
        roots.push_back(label[v]);
        sizes.push_back(0);
      }
      auto const number = std::find(roots.begin(), roots.end(), label[v]) - roots.begin();
      ++sizes[static_cast<std::size_t>(number)];
      same = found.component[v] == number;
    }
    BOOST_TEST(same);
    BOOST_TEST(found.sizes == sizes, per_element());
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(symmetries_follow_their_definitions, Value, value_types) {
  auto const compare = [](csr_matrix<Value> const& matrix) {
    BOOST_TEST(symmetry_of(matrix) == symmetry_by_definition(matrix));
  };
  for_random_matrices<Value>(true, [&](csr_matrix<Value> const& matrix, random_source& source) {
    compare(matrix);
    dense<Value> mirrored = dense_of(matrix);
    for (std::size_t r = 0; r < mirrored.size(); ++r) {
      for (std::size_t c = 0; c < r; ++c) mirrored[c][r] = mirrored[r][c];
    }
    csr_matrix<Value> symmetric = csr_of(mirrored, matrix.num_cols);
    compare(symmetric);
    if (symmetric.num_entries() == 0) return;
    if constexpr (has_values<Value>) {
      dense<Value> off_diagonal = dense_of(symmetric);
      for (std::size_t k = 0; k < off_diagonal.size(); ++k) off_diagonal[k][k].reset();
      csr_matrix<Value> skew = csr_of(off_diagonal, symmetric.num_cols);
      for (std::uint32_t row = 0; row < skew.num_rows; ++row) {
        for (std::uint64_t e = skew.row_offsets[row]; e < skew.row_offsets[row + 1]; ++e) {
          if (skew.columns[e] < row) skew.values[e] = -skew.values[e];
        }
      }
      compare(skew);
      symmetric.values[source.below(symmetric.num_entries())] += 1;
      compare(symmetric);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
