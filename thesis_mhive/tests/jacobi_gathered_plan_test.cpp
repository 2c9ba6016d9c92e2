// Tests plans of `gathered`. They contain the whole system exactly once, no two products share a
// place, and a block that is read waits for its readers.

#include "thesis_mhive/ours/jacobi/gathered_plan.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "jacobi_support.hpp"

namespace gridloom::mhive::jacobi::test {

BOOST_AUTO_TEST_SUITE(jacobi_gathered_plans)
namespace {

constexpr std::uint32_t few_places = 32 * 32;

using plan_of = gathered_plan<double>;
using matrix_entries = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

matrix_entries entries_of(system<double> const& of) {
  matrix_entries all;
  for (std::uint32_t row = 0; row < of.num_rows(); ++row) {
    for (std::uint64_t at = of.matrix.row_offsets[row]; at < of.matrix.row_offsets[row + 1]; ++at) {
      all[{row, of.matrix.columns[at]}] = of.matrix.values[at];
    }
  }
  return all;
}

// What a plan contains, and which blocks have it.
struct contents {
  matrix_entries entries;
  /// Block of each row.
  std::vector<std::size_t> owner;
  /// Pairs of a block and a column that it reads.
  std::set<std::pair<std::size_t, std::uint32_t>> reads;
};

void add_row(contents& to, system<double> const& of, std::size_t block,
             gathered_row<double> const& row) {
  BOOST_REQUIRE(row.row < of.num_rows());
  BOOST_TEST(to.owner[row.row] == ~std::size_t{0});
  to.owner[row.row] = block;
  BOOST_TEST(row.right_side == of.right_side[row.row]);
  BOOST_TEST(row.diagonal == of.diagonal[row.row]);
}

// Adds an entry, and checks that entries of a row keep the order of the matrix.
void add_entry(contents& to, gathered_row<double> const& row, std::uint32_t number,
               system<double> const& of, std::uint32_t column, double value) {
  std::uint64_t const at = of.matrix.row_offsets[row.row] + number;
  BOOST_REQUIRE(at < of.matrix.row_offsets[row.row + 1]);
  BOOST_TEST(of.matrix.columns[at] == column);
  BOOST_TEST((to.entries.insert({{row.row, column}, value}).second));
}

void add_chunk(contents& to, system<double> const& of, plan_of const& plan, std::size_t block,
               gathered_chunk const& chunk, std::uint32_t places) {
  // For each place of the chunk that holds a product: the index of its entry.
  std::map<std::uint32_t, std::size_t> at;
  std::uint32_t last = 0;
  for (std::size_t i = chunk.first_entry; i < chunk.first_entry + chunk.num_entries; ++i) {
    BOOST_TEST(last <= plan.columns[i]);
    last = plan.columns[i];
    to.reads.insert({block, plan.columns[i]});
    if (plan.places[i] == no_place) continue;
    BOOST_TEST(plan.places[i] < places);
    BOOST_TEST(at.insert({plan.places[i], i}).second);
  }
  BOOST_TEST(chunk.num_short % slice_rows == 0U);
  std::size_t found = 0;
  for (std::uint32_t r = 0; r < chunk.num_long + chunk.num_short; ++r) {
    gathered_row<double> const& row = plan.rows[chunk.first_row + r];
    if (row.row == no_index) continue;
    add_row(to, of, block, row);
    std::uint32_t const step = r < chunk.num_long ? 1 : slice_rows;
    if (r >= chunk.num_long) BOOST_TEST(row.length <= slice_rows);
    for (std::uint32_t i = 0; i < row.length; ++i) {
      BOOST_REQUIRE(at.count(row.first + i * step) == 1U);
      std::size_t const entry = at[row.first + i * step];
      add_entry(to, row, i, of, plan.columns[entry], plan.values[entry]);
      ++found;
    }
  }
  BOOST_TEST(found == at.size());
}

// Makes a plan, and requires the properties that the beginning of this file lists. Returns the
// number of chunks and of giants.
std::pair<std::size_t, std::size_t> check_plan(system<double> const& of, int blocks,
                                               std::uint32_t segment, std::uint32_t places) {
  auto const plan = make_gathered_plan(of, blocks, segment, places);
  BOOST_TEST(plan.parts.size() == std::min<std::size_t>(blocks, of.num_rows()));
  contents has;
  has.owner.assign(of.num_rows(), ~std::size_t{0});
  for (std::size_t b = 0; b < plan.parts.size(); ++b) {
    gathered_part const& part = plan.parts[b];
    BOOST_TEST(part.num_chunks > 0U);
    for (std::uint32_t c = 0; c < part.num_chunks; ++c) {
      add_chunk(has, of, plan, b, plan.chunks[part.first_chunk + c], places);
    }
    for (std::uint32_t g = 0; g < part.num_giants; ++g) {
      giant_row<double> const& giant = plan.giants[part.first_giant + g];
      BOOST_TEST(giant.of.length > places);
      add_row(has, of, b, giant.of);
      for (std::uint32_t i = 0; i < giant.of.length; ++i) {
        std::size_t const at = giant.first_entry + i;
        add_entry(has, giant.of, i, of, plan.columns[at], plan.values[at]);
        has.reads.insert({b, plan.columns[at]});
      }
    }
  }
  BOOST_TEST((has.entries == entries_of(of)));
  for (std::size_t b = 0; b < plan.parts.size(); ++b) {
    BOOST_TEST(has.owner[plan.parts[b].first_row] == b);
  }
  // If block A reads from block B, block B must also read from A.
  std::set<std::pair<std::size_t, std::size_t>> related;
  for (auto const& [block, column] : has.reads) related.insert({block, has.owner[column]});
  for (auto const& [reader, read] : related) BOOST_TEST(related.count({read, reader}) == 1U);
  return {plan.chunks.size(), plan.giants.size()};
}

BOOST_AUTO_TEST_CASE(every_row_and_entry_is_there_once) {
  for (int const blocks : {1, 2, 7, 40}) {
    check_plan(generated<double>("poisson2d:nx=9,ny=14"), blocks, 512, most_places);
    check_plan(generated<double>("dominant:n=120,nnz=7000"), blocks, 512, most_places);
    check_plan(system_of(sparse_of(random_dense(90, 4, 60, 3))), blocks, 512, most_places);
    check_plan(system_of(sparse_of(random_dense(90, 4, 60, 3))), blocks, 3, most_places);
  }
  check_plan(system_of(sparse_of({{2}})), 5, 512, few_places);
  // The matrix makes block 2 read from block 0, but not the reverse.
  check_plan(system_of(sparse_of({{2, 0, 0}, {0, 2, 0}, {1, 0, 3}})), 3, 512, few_places);
}

BOOST_AUTO_TEST_CASE(a_part_that_does_not_fit_is_cut_into_chunks) {
  auto const grid = check_plan(generated<double>("poisson2d:nx=40,ny=40"), 2, 512, few_places);
  BOOST_TEST(grid.first > 6U);
  auto const dense = check_plan(generated<double>("dominant:n=120,nnz=7000"), 3, 512, few_places);
  BOOST_TEST(dense.first >= 6U);
  BOOST_TEST(dense.second == 0U);
}

BOOST_AUTO_TEST_CASE(rows_that_fit_nowhere_are_giants) {
  auto const of = system_of(sparse_of(random_dense(1100, 3, 1100, 5)));
  BOOST_TEST(check_plan(of, 3, 512, few_places).second == 1U);
  BOOST_TEST(check_plan(of, 3, 512, most_places).second == 0U);
}

BOOST_AUTO_TEST_CASE(places_have_bounds) {
  auto const of = generated<double>("poisson2d:nx=4,ny=4");
  BOOST_CHECK_THROW((void)make_gathered_plan(of, 2, 512, few_places - 1), std::invalid_argument);
  BOOST_CHECK_THROW((void)make_gathered_plan(of, 2, 512, most_places + 1), std::invalid_argument);
  BOOST_CHECK_THROW((void)make_gathered_plan(of, 0, 512, few_places), std::invalid_argument);
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::jacobi::test
