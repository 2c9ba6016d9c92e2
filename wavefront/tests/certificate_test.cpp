// The checker of tickets finds errors.

#include <boost/test/unit_test.hpp>

#include "certificate.hpp"

BOOST_AUTO_TEST_SUITE(certificate_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

// The chain 0 -> 1 -> 2, and its tickets when it runs in that order.
std::vector<edge> const chain{{0, 1}, {1, 2}};
std::vector<order_ticket> right_order() { return {{0, 1, 1}, {2, 3, 1}, {4, 5, 1}}; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_right_order_is_proven) {
  BOOST_TEST(violations(right_order(), chain).empty());
  BOOST_TEST(violations(std::vector<order_ticket>{}, std::vector<edge>{}).empty());
}

BOOST_AUTO_TEST_CASE(tasks_overlap_only_without_an_edge) {
  std::vector<order_ticket> const overlapping{{0, 2, 1}, {1, 3, 1}};
  BOOST_TEST(violations(overlapping, std::vector<edge>{}).empty());
  auto const found = violations(overlapping, std::vector<edge>{{0, 1}});
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].starts_with("edge 0 -> 1"), found[0]);
}

BOOST_AUTO_TEST_CASE(each_fault_of_a_run_is_named) {
  using tickets = std::vector<order_ticket>;
  std::vector<std::pair<tickets, std::string>> const cases{
      {{{0, 1, 1}, {4, 5, 1}, {2, 3, 1}}, "edge 1 -> 2: began at 2, before 5"},
      {{{0, 1, 1}, {2, 3, 2}, {4, 5, 1}}, "task 1 ran 2 times"},
      {{{0, 1, 1}, {2, 3, 1}, {0, 0, 0}}, "task 2 did not run"},
      {{{1, 0, 1}, {2, 3, 1}, {4, 5, 1}}, "task 0 ended before it began"},
      // Tickets that the clock handed out twice, or never.
      {{{0, 1, 1}, {2, 3, 1}, {3, 5, 1}}, "task 2: ticket 3 was never or twice handed out"},
      {{{0, 1, 1}, {2, 3, 1}, {4, 6, 1}}, "task 2: ticket 6 was never or twice handed out"}};
  for (auto const& [run, fault] : cases) {
    auto const found = violations(run, chain);
    BOOST_TEST_REQUIRE(!found.empty(), fault);
    BOOST_TEST(found[0].starts_with(fault), found[0]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
