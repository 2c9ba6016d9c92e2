// The plan of a triangular solve: the rounds that warps get, and a proof that the system can be
// solved in that order.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "solve_plan.hpp"
#include "sptrsv_systems.hpp"

using namespace gridloom::wavefront::sptrsv;
using namespace gridloom::wavefront::sptrsv::test;

namespace {

/// An entry comes from a position below the round's level, or from its slot of the ring. The level
/// must not write that slot.
void check_entries(solve_plan const& plan, dealt_rounds const& dealt, round_info const& round,
                   std::uint32_t slots) {
  auto const lanes = static_cast<std::size_t>(plan.options.lanes);
  std::uint32_t level_begin = 0, level_end = 0;
  for (std::uint32_t level = 0; level_end <= round.first; ++level) {
    level_begin = level_end;
    for (auto r = plan.level_rounds[level]; r < plan.level_rounds[level + 1]; ++r)
      level_end += plan.rounds[r].rows;
  }
  for (std::size_t at = round.entries * lanes; at < (round.entries + round.steps) * lanes; ++at) {
    std::uint32_t const position = plan.from[at];
    // Kernels read the dealt entry, not that of the plan.
    std::uint32_t const from = dealt.from[at];
    if (position == nothing || (from & near_bit) == 0) {
      BOOST_REQUIRE(from == position);
      continue;
    }
    BOOST_REQUIRE(round.near_first != nothing);
    BOOST_REQUIRE((from ^ near_bit) == position % slots);
    BOOST_REQUIRE(position < level_begin);
    BOOST_REQUIRE(position + slots >= level_end);
  }
}

/// Simulates the plan without times. Each warp takes its next round as soon as all x that it needs
/// are known and its block has ended enough rounds. Returns the number of rows that never get an x.
/// A round of a pack must read from the ring only values that its count guarantees.
std::size_t rows_never_solved(solve_plan const& plan, dealt_rounds const& dealt,
                              std::size_t warps) {
  auto const lanes = static_cast<std::size_t>(plan.options.lanes);
  std::size_t const all = dealt.offsets.size() - 1;
  std::vector<bool> known(plan.numbers.size());
  std::vector<std::uint32_t> at(dealt.offsets.begin(), dealt.offsets.end() - 1);
  // Number of ended rounds of each block.
  std::vector<std::uint32_t> ended(all);
  auto const entries_there = [&](round_info const& round, bool wants_ring) {
    for (std::size_t e = round.entries * lanes; e < (round.entries + round.steps) * lanes; ++e) {
      bool const in_ring = dealt.from[e] != plan.from[e];
      if (plan.from[e] != nothing && in_ring == wants_ring && !known[plan.from[e]]) return false;
    }
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t w = 0; w < all; ++w) {
      for (; at[w] != dealt.offsets[w + 1]; ++at[w], moved = true) {
        round_info const& round = dealt.rounds[at[w]];
        if (round.gate != nothing && !known[round.gate]) break;
        if (!entries_there(round, false) || ended[w / warps] < round.after) break;
        BOOST_REQUIRE(entries_there(round, true));
        for (std::uint32_t k = 0; k < round.rows; ++k) known[round.first + k] = true;
        if (round.near_first != nothing) ++ended[w / warps];
      }
    }
  }
  return static_cast<std::size_t>(std::count(known.begin(), known.end(), false));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_holds_each_row_once_after_its_predecessors) {
  auto const of = random_system(4000, 300, 70, 12);
  for (int const lanes : {1, 32}) {
    for (std::uint32_t const narrow : {0U, 4U, 1000U}) {
      solve_plan const plan = make_plan(of, {lanes, 4, narrow});
      std::vector<std::uint32_t> position(of.rows(), nothing);
      for (std::uint32_t p = 0; p < of.rows(); ++p) position[plan.numbers[p]] = p;
      std::uint64_t later = 0;
      for (std::uint32_t row = 0; row < of.rows(); ++row) {
        for (std::uint32_t const column : of.matrix.row(row))
          later += column != row && position[column] >= position[row];
      }
      BOOST_TEST(later == 0U);
      BOOST_TEST(std::count(position.begin(), position.end(), nothing) == 0);
      BOOST_TEST(plan.levels() == level_sizes(of).size());

      for (int const warps : {1, 3, 16}) {
        std::uint32_t const slots = warps == 3 ? near_slots : 200;
        dealt_rounds const dealt = deal(plan, {5, warps, warps - 1, 2, 8, slots});
        std::vector<int> dealt_rows(of.rows());
        for (std::size_t w = 0; w + 1 < dealt.offsets.size(); ++w) {
          std::int64_t last = -1;
          for (auto r = dealt.offsets[w]; r < dealt.offsets[w + 1]; ++r) {
            round_info const& round = dealt.rounds[r];
            BOOST_REQUIRE(round.first > last);
            last = round.first;
            BOOST_REQUIRE((round.gate == nothing || round.gate < round.first));
            for (std::uint32_t k = 0; k < round.rows; ++k) ++dealt_rows[round.first + k];
            check_entries(plan, dealt, round, slots);
          }
          BOOST_TEST((w < static_cast<std::size_t>(dealt.blocks * warps) ||
                      dealt.offsets[w] == dealt.offsets[w + 1]));
        }
        BOOST_TEST(std::count(dealt_rows.begin(), dealt_rows.end(), 1) == of.rows());
        BOOST_TEST(rows_never_solved(plan, dealt, static_cast<std::size_t>(warps)) == 0U);
      }
    }
  }
}

namespace {

/// A system with `widths` rows per level. Each row depends on the first row of the previous level.
solve_plan plan_of_levels(std::vector<std::uint32_t> const& widths, std::uint32_t narrow) {
  std::vector<std::vector<entry>> rows;
  std::uint32_t before = nothing;
  for (std::uint32_t const width : widths) {
    auto const first = static_cast<std::uint32_t>(rows.size());
    for (std::uint32_t k = 0; k < width; ++k) {
      rows.push_back(before == nothing ? std::vector<entry>{} : std::vector<entry>{{before, 1}});
      rows.back().push_back({first + k, 1});
    }
    before = first;
  }
  return make_plan(system_of(matrix_of(rows)), {32, 4, narrow});
}

/// Number of rounds of each warp.
std::vector<std::uint32_t> rounds_of_warps(dealt_rounds const& dealt) {
  std::vector<std::uint32_t> rounds;
  for (std::size_t w = 0; w + 1 < dealt.offsets.size(); ++w)
    rounds.push_back(dealt.offsets[w + 1] - dealt.offsets[w]);
  return rounds;
}

}  // namespace

BOOST_AUTO_TEST_CASE(wide_levels_go_to_few_warps_of_each_block_and_to_more_if_they_have_more) {
  auto const six = plan_of_levels({6 * 32}, 0);
  std::vector<std::uint32_t> const two_a_block{1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
  BOOST_TEST(rounds_of_warps(deal(six, {4, 4, 2})) == two_a_block,
             boost::test_tools::per_element());
  BOOST_TEST(deal(six, {4, 4, 2}).blocks == 3);
  BOOST_TEST(deal(six, {4, 8, 0}).blocks == 1);
  // 100 rounds are dealt to 32 warps.
  auto const many = rounds_of_warps(deal(plan_of_levels({100 * 32}, 0), {4, 8, 1}));
  BOOST_TEST(*std::max_element(many.begin(), many.end()) == 4U);
}

BOOST_AUTO_TEST_CASE(each_warp_of_a_pack_waits_at_its_gate_once) {
  std::vector<std::uint32_t> widths(10, 320);
  widths.resize(40, 40);
  solve_plan const plan = plan_of_levels(widths, 8);
  for (int const warps : {1, 3, 8}) {
    dealt_rounds const dealt = deal(plan, {2, warps, 1, 0, 8});
    std::uint32_t gates = 0;
    for (std::size_t w = 0; w + 1 < dealt.offsets.size(); ++w) {
      std::uint32_t packed = 0;
      for (auto r = dealt.offsets[w]; r < dealt.offsets[w + 1]; ++r) {
        round_info const& round = dealt.rounds[r];
        bool const first = round.near_first != nothing && packed++ == 0;
        BOOST_TEST(round.gate == (first ? 3 * 320 - 1 : nothing));
        gates += first;
      }
    }
    BOOST_TEST(gates == static_cast<std::uint32_t>(warps));
  }
}

BOOST_AUTO_TEST_CASE(a_level_with_more_rows_than_half_a_ring_is_not_packed) {
  auto const plan = plan_of_levels({1, 33, 1, 1, 32, 1}, 1000);
  BOOST_TEST(deal(plan, {1, 1, 0, 0, 8, 64}).near_rows == 35U);
  BOOST_TEST(deal(plan, {1, 1, 0, 0, 8, 66}).near_rows == 69U);
}
