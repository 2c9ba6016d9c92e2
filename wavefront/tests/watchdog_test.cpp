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

// One block's first thread asks. The other block looks before that or after it.
BOOST_AUTO_TEST_CASE(blocks_that_go_wave_by_wave_leave_together_whenever_they_are_stopped) {
  constexpr std::uint32_t waves = 100;
  struct counting_memory {
    int stores = 0;
    std::uint32_t load_relaxed(std::uint32_t const* word) { return *word; }
    void store_relaxed(std::uint32_t* word, std::uint32_t value) {
      *word = value;
      ++stores;
    }
  };
  for (std::uint32_t const every : {1U, 2U, 16U}) {
    for (std::uint32_t stopped = 0; stopped < waves / 2; ++stopped) {
      for (bool const late : {false, true}) {
        counting_memory memory;
        std::uint32_t word = none;
        std::uint32_t stop = 0;
        wait_note note{};
        watch patience({&stop, &note, ~std::uint64_t{0}}, 0, true);
        wave_stop first(every);
        wave_stop second(every);
        std::uint32_t wave = 0;
        for (; wave < waves; ++wave) {
          if (wave == stopped) stop = 1;
          first.look(memory, &word, wave);
          if (!late) second.look(memory, &word, wave);
          first.ask(memory, &word, true, patience, wave, waves);
          second.ask(memory, &word, false, patience, wave, waves);
          if (late) second.look(memory, &word, wave);
          BOOST_TEST(first.leaves(wave) == second.leaves(wave));
          if (first.leaves(wave)) break;
        }
        BOOST_TEST(memory.stores == 1);
        BOOST_TEST(wave > stopped);
        BOOST_TEST(wave <= stopped + every);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(work_beyond_the_limit_stops_algorithms_without_counters) {
  device machine("host", 0);
  check_watchdog_by_work(machine, 1);
}

BOOST_AUTO_TEST_SUITE_END()
