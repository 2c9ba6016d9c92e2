// A scheduler that cannot finish returns within the time limit and says what each worker waited
// for.

#include <boost/test/unit_test.hpp>

#include "scheduler_checks.hpp"

BOOST_AUTO_TEST_SUITE(watchdog_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

BOOST_AUTO_TEST_CASE(a_lost_dependence_stops_every_algorithm_at_the_limit) {
  constexpr grid host_grids[] = {{1, 1}, {2, 1}, {8, 1}};
  device machine("host", 0);
  check_watchdog(machine, host_grids);
}

BOOST_AUTO_TEST_CASE(a_round_that_is_never_drawn_stops_tickets_at_the_limit) {
  constexpr grid host_grids[] = {{1, 1}, {2, 1}, {8, 1}};
  device machine("host", 0);
  check_watchdog_of_tickets(machine, host_grids);
}

BOOST_AUTO_TEST_CASE(work_beyond_the_limit_stops_algorithms_without_counters) {
  device machine("host", 0);
  check_watchdog_by_work(machine, 1);
}

BOOST_AUTO_TEST_SUITE_END()
