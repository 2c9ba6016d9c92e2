// Blocks that run level by level leave at the same barrier. The test runs the blocks step by step,
// so that it controls whether a look comes before or after the write.
// scripts/tests/test_queue_mutations.py checks that this test finds faults that are put into
// stop_rule.hpp.

#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "gridloom/taskgraph/rivals/stop_rule.hpp"

BOOST_AUTO_TEST_SUITE(stop_rule_test)

using namespace gridloom;

namespace {

/// Value of the word before it is written.
constexpr std::uint32_t nobody = ~std::uint32_t{0};

struct counting_memory {
  int stores = 0;
  std::uint32_t load_relaxed(std::uint32_t const* word) { return *word; }
  void store_relaxed(std::uint32_t* word, std::uint32_t value) {
    *word = value;
    ++stores;
  }
};

}  // namespace

// The first thread of the first block asks the watchdog. The second block looks at the word before
// or after that.
BOOST_AUTO_TEST_CASE(blocks_that_run_level_by_level_leave_together_whenever_they_are_stopped) {
  constexpr std::uint32_t waves = 100;
  for (std::uint32_t const every : {1U, 2U, 16U}) {
    for (std::uint32_t stopped = 0; stopped < waves / 2; ++stopped) {
      for (bool const late : {false, true}) {
        counting_memory memory;
        std::uint32_t word = nobody;
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

BOOST_AUTO_TEST_SUITE_END()
