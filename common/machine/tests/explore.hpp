#pragma once
// Runs a scene under many schedules and reports the seed of the first failure.

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scheduled_memory.hpp"
#include "test_support.hpp"

namespace gridloom::test {

inline std::uint64_t number_from(char const* variable, std::uint64_t otherwise) {
  char const* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// One thread runs all workers, so sanitizers can only find faults of the tests. They take twenty
// times as long.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr std::uint64_t seeds_divisor = 10;
#else
inline std::uint64_t const seeds_divisor = full_stress() ? 1 : 4;
#endif

/// Number of schedules per scene and machine model: a part of `all`, or `all` under full_stress.
/// GRIDLOOM_SCHEDULE_SEEDS sets another number and GRIDLOOM_SCHEDULE_FIRST the first seed. Together
/// they repeat a single seed.
inline std::uint64_t seeds_from(std::uint64_t all) {
  return number_from("GRIDLOOM_SCHEDULE_SEEDS", all / seeds_divisor);
}
inline std::uint64_t first_seed() { return number_from("GRIDLOOM_SCHEDULE_FIRST", 1); }

/// Runs the scenes that `make(schedule&)` returns. A scene has `workers()`, `work(worker)` and
/// `verdict()`, which returns the problem after the run, or an empty text. Returns whether all
/// passed.
template <class Make>
bool explore(std::string const& name, std::uint64_t seeds, Make&& make) {
  static schedule on;
  for (machine_model const model : {machine_model::host, machine_model::cuda}) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds; ++seed) {
      on.reset(seed, model);
      auto scene = make(on);
      std::string problem = on.run(scene.workers(), [&](int worker) { scene.work(worker); });
      if (problem.empty()) problem = scene.verdict();
      if (problem.empty()) continue;
      BOOST_ERROR(name << ", " << (model == machine_model::host ? "host" : "cuda")
                       << " model: " << problem << " (again: GRIDLOOM_SCHEDULE_FIRST=" << seed
                       << " GRIDLOOM_SCHEDULE_SEEDS=1)");
      return false;
    }
  }
  BOOST_TEST_MESSAGE(name << ": " << 2 * seeds << " schedules");
  return true;
}

}  // namespace gridloom::test
