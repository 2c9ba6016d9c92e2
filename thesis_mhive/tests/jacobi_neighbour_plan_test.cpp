// Tests plans of `neighbours`. They contain the whole system exactly once, and blocks that exchange
// values know each other.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "jacobi_support.hpp"
#include "thesis_mhive/ours/jacobi/neighbour_plan.hpp"

namespace gridloom::mhive::jacobi::test {

BOOST_AUTO_TEST_SUITE(jacobi_neighbour_plans)
namespace {

constexpr std::size_t any_size = std::size_t{1} << 20;

// An entry of a plan, with the system's numbers of row and column.
struct entry {
  std::uint32_t row;
  std::uint32_t column;
  double value;
  friend bool operator<(entry const& a, entry const& b) {
    return std::tie(a.row, a.column, a.value) < std::tie(b.row, b.column, b.value);
  }
};

using plan_of = neighbour_plan<double>;

// Returns the row in each export slot, or no_index for an unused slot.
std::vector<std::uint32_t> rows_of_slots(plan_of const& plan) {
  std::vector<std::uint32_t> rows;
  for (block_part const& part : plan.parts) {
    BOOST_REQUIRE(rows.size() == part.first_export);
    auto const add = [&](std::uint32_t index) {
      rows.push_back(index == no_index ? no_index : part.first_row + index);
    };
    for (std::uint32_t i = 0; i < part.num_long; ++i) add(plan.long_rows[part.first_long + i].row);
    for (std::uint32_t i = 0; i < part.edge_slices * slice_rows; ++i) {
      add(plan.rows[part.first_slice * slice_rows + i]);
    }
  }
  return rows;
}

void check_plan(system<double> const& of, int blocks, std::uint32_t segment, bool local) {
  auto const plan = make_neighbour_plan(of, blocks, segment, local ? any_size : 0);
  BOOST_REQUIRE(plan.local == local);
  BOOST_TEST(plan.parts.size() == std::min<std::size_t>(blocks, of.num_rows()));
  auto const slots = local ? rows_of_slots(plan) : std::vector<std::uint32_t>{};
  std::set<entry> found;
  std::vector<int> given(of.num_rows(), 0);
  std::set<std::pair<std::size_t, std::size_t>> reads;
  // For which blocks each block waits: in a local plan by its halo alone, otherwise by its
  // neighbours.
  std::set<std::pair<std::size_t, std::size_t>> by_halo;
  std::set<std::pair<std::size_t, std::size_t>> by_neighbours;
  std::vector<std::size_t> owner;
  for (std::size_t b = 0; b < plan.parts.size(); ++b) {
    owner.resize(owner.size() + plan.parts[b].num_rows, b);
  }
  BOOST_REQUIRE(owner.size() == of.num_rows());
  std::size_t first_offset = 0;
  for (std::size_t b = 0; b < plan.parts.size(); ++b) {
    block_part const& part = plan.parts[b];
    auto const whole = [&](std::uint32_t index) {
      if (!local) return index;
      if (index < part.num_rows) return part.first_row + index;
      BOOST_REQUIRE(index - part.num_rows < part.num_halo);
      return slots[plan.halo[part.first_halo + index - part.num_rows]];
    };
    auto const add = [&](std::uint32_t row, std::uint64_t at) {
      std::uint32_t const column = whole(plan.columns[part.first_entry + at]);
      BOOST_REQUIRE(column < of.num_rows());
      BOOST_TEST(found.insert({row, column, plan.values[part.first_entry + at]}).second);
      if (owner[column] != b) reads.insert({b, owner[column]});
    };
    for (std::uint32_t i = 0; i < part.num_long; ++i) {
      long_row<double> const& row = plan.long_rows[part.first_long + i];
      ++given[whole(row.row)];
      BOOST_TEST(row.right_side == of.right_side[whole(row.row)]);
      BOOST_TEST(row.diagonal == of.diagonal[whole(row.row)]);
      for (std::uint32_t k = 0; k < row.num_entries; ++k) add(whole(row.row), row.first_entry + k);
    }
    auto const* const offsets = plan.slice_offsets.data() + first_offset;
    first_offset += part.num_slices + 1;
    BOOST_TEST(offsets[part.num_slices] == part.num_entries);
    for (std::uint32_t i = 0; i < part.num_slices * slice_rows; ++i) {
      std::uint32_t const index = plan.rows[part.first_slice * slice_rows + i];
      if (index == no_index) continue;
      std::uint32_t const row = whole(index);
      ++given[row];
      BOOST_TEST(plan.right_side[part.first_slice * slice_rows + i] == of.right_side[row]);
      std::uint32_t last = 0;
      for (std::uint32_t at = offsets[i / slice_rows] + i % slice_rows;
           at < offsets[i / slice_rows + 1]; at += slice_rows) {
        if (plan.columns[part.first_entry + at] == no_index) continue;
        add(row, at);
        std::uint32_t const column = whole(plan.columns[part.first_entry + at]);
        // A row's sum adds its columns in ascending order.
        BOOST_TEST(last <= column);
        last = column;
      }
    }
    for (std::uint32_t i = 0; i < part.num_neighbours; ++i) {
      by_neighbours.insert({b, plan.neighbours[part.first_neighbour + i]});
    }
    for (std::uint32_t i = 0; i < part.num_halo; ++i) {
      std::uint32_t const row = slots[plan.halo[part.first_halo + i]];
      BOOST_REQUIRE(row < of.num_rows());
      by_halo.insert({b, owner[row]});
    }
  }
  BOOST_TEST(found.size() == of.num_entries());
  BOOST_TEST(std::all_of(given.begin(), given.end(), [](int n) { return n == 1; }));
  auto const& related = plan.local ? by_halo : by_neighbours;
  for (auto const& [reader, read] : reads) {
    BOOST_TEST(related.count({reader, read}) == 1U);
    BOOST_TEST(related.count({read, reader}) == 1U);
  }
  BOOST_TEST(related.size() <= 2 * reads.size());
}

BOOST_AUTO_TEST_CASE(every_row_and_entry_is_there_once) {
  for (bool const local : {false, true}) {
    for (int const blocks : {1, 2, 7, 40}) {
      check_plan(generated<double>("poisson2d:nx=9,ny=14"), blocks, 512, local);
      check_plan(system_of(sparse_of(random_dense(90, 4, 60, 3))), blocks, 512, local);
      check_plan(system_of(sparse_of(random_dense(90, 4, 60, 3))), blocks, 3, local);
    }
    check_plan(system_of(sparse_of({{2}})), 5, 512, local);
    // The matrix makes block 2 read from block 0, but not the reverse.
    check_plan(system_of(sparse_of({{2, 0, 0}, {0, 2, 0}, {1, 0, 3}})), 3, 512, local);
  }
}

BOOST_AUTO_TEST_CASE(only_what_fits_is_cached) {
  auto const of = generated<double>("poisson2d:nx=40,ny=40");
  auto plan = make_neighbour_plan(of, 3, 512, any_size);
  fit(plan, any_size, 2);
  for (block_part const& part : plan.parts) {
    BOOST_TEST(part.cached_slices == part.num_slices);
    BOOST_TEST(part.cached_entries == part.num_entries);
  }
  fit(plan, 20000, 2);
  for (block_part const& part : plan.parts) {
    BOOST_TEST(part.cached_slices < part.num_slices);
    BOOST_TEST(part.cached_slices > 0U);
    std::size_t const used = local_bytes_of<double>(part) + part.cached_entries * 10 +
                             part.cached_slices * (slice_rows * 10 + 4);
    BOOST_TEST(used <= 20000U);
  }
  fit(plan, 0, 2);
  for (block_part const& part : plan.parts) BOOST_TEST(part.cached_entries == 0U);
}

BOOST_AUTO_TEST_CASE(blocks_without_room_read_x_from_outside) {
  auto const of = generated<double>("poisson2d:nx=40,ny=40");
  auto const plan = make_neighbour_plan(of, 4, 512, 2000);
  BOOST_TEST(!plan.local);
  BOOST_TEST(plan.halo.empty());
  BOOST_CHECK_THROW((void)make_neighbour_plan(of, 0, 512, 2000), std::invalid_argument);
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::jacobi::test
