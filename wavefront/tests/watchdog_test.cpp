// A scheduler that cannot finish returns within the time limit and says what each worker waited
// for.

#include <boost/test/unit_test.hpp>

#include "scheduler_checks.hpp"
#include "wavefront/stop_rule.hpp"

BOOST_AUTO_TEST_SUITE(watchdog_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

BOOST_AUTO_TEST_CASE(a_lost_dependence_stops_every_algorithm_at_the_limit) {
  constexpr grid host_grids[] = {{1, 1}, {2, 1}, {8, 1}};
  device machine("host", 0);
  check_watchdog(machine, host_grids);
}

BOOST_AUTO_TEST_CASE(a_round_that_nobody_draws_stops_tickets_at_the_limit) {
  constexpr grid host_grids[] = {{1, 1}, {2, 1}, {8, 1}};
  device machine("host", 0);
  check_watchdog_of_tickets(machine, host_grids);
}

BOOST_AUTO_TEST_CASE(blocks_that_go_wave_by_wave_leave_together_whenever_they_are_stopped) {
  constexpr std::uint32_t waves = 100;
  // The last wave of a block, which looks before or after the write in the wave of the write.
  auto const last_wave = [](stop_rule const& rule, std::uint32_t written, bool late) {
    std::uint32_t seen = none;
    std::uint32_t wave = 0;
    for (; wave < waves; ++wave) {
      bool const is_there = wave > written || (wave == written && late);
      if (rule.looks(wave)) seen = is_there ? rule.named(written) : none;
      if (rule.leaves(wave, seen)) break;
    }
    return wave;
  };
  for (std::uint32_t const every : {1U, 2U, 16U}) {
    for (std::uint32_t written = 0; written < waves / 2; ++written) {
      std::uint32_t const last = last_wave({every}, written, false);
      BOOST_TEST(last_wave({every}, written, true) == last);
      BOOST_TEST(last > written);
      BOOST_TEST(last <= written + every);
    }
  }
}

BOOST_AUTO_TEST_CASE(work_beyond_the_limit_stops_algorithms_without_counters) {
  device machine("host", 0);
  check_watchdog_by_work(machine, 1);
}

BOOST_AUTO_TEST_SUITE_END()
