#pragma once
// The machine of a test, and checks of one run of a scheduler.

#include <boost/test/unit_test.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench.hpp"
#include "test_machines.hpp"

namespace gridloom::wavefront::test {

using gridloom::test::contains;

/// The machine of a program that runs the same cases on the host and on a device.
inline device& machine() { return *gridloom::test::test_machines().front().machine; }
template <class T>
T by_machine(T const& on_host, T const& on_cuda) {
  return machine().is_host() ? on_host : on_cuda;
}
/// Blocks of one thread separate compiler errors from concurrency errors.
inline std::vector<grid> some_grids() {
  return by_machine<std::vector<grid>>({{1, 1}, {2, 1}, {8, 1}},
                                       {{1, 1}, {7, 32}, {132, 96}, {132, 256}});
}

inline grid largest(std::span<grid const> grids) {
  grid most{1, 1};
  for (auto const& g : grids) {
    if (g.blocks * g.threads > most.blocks * most.threads) most = g;
  }
  return most;
}

/// Compares a finished run with the serial results, and names the first difference.
template <class Value>
void check_run(run_result const& got, std::vector<Value> const& values,
               std::vector<Value> const& expected) {
  BOOST_TEST(got.executed == expected.size());
  BOOST_TEST(!got.stopped,
             "stopped by the watchdog, " << (got.waits.empty() ? "no notes" : got.waits.front()));
  BOOST_TEST_REQUIRE(values.size() == expected.size());
  std::size_t task = 0;
  while (task < expected.size() && values[task] == expected[task]) ++task;
  BOOST_TEST(task == expected.size(), "result of task " << task << " differs from the serial run");
}
inline void check_run(run_result const& got, std::vector<std::uint32_t> const& expected) {
  check_run(got, got.values, expected);
}

/// The configuration of an algorithm with one task per lane.
inline configuration lane_configuration(std::string_view name, grid shape) {
  configuration config;
  config.algorithm = &find_algorithm(name);
  config.blocks = shape.blocks;
  config.threads = shape.threads;
  config.width = task_width::lane;
  return config;
}

/// Runs one scheduler several times.
inline void check_runs(bench& on, configuration const& config,
                       std::vector<std::uint32_t> const& expected, int times) {
  BOOST_TEST_CONTEXT(name_of(config)) {
    auto const algorithm = on.make(config);
    for (int k = 0; k < times; ++k) check_run(on.run(*algorithm), expected);
  }
}

}  // namespace gridloom::wavefront::test
