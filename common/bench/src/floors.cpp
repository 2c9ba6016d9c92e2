#include "gridloom/bench/floors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "floor_kernels.hpp"

namespace gridloom::bench {
namespace {

constexpr int most_tries = 20;
constexpr int fewest_tries = 3;
constexpr double enough_ms = 5;

/// The shortest time of several tries, after one try to warm up.
template <class Try>
double least_ms(Try&& once) {
  (void)once();
  double least = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int k = 0; k < most_tries && (k < fewest_tries || spent < enough_ms); ++k) {
    double const ms = once();
    least = std::min(least, ms);
    spent += ms;
  }
  return least;
}

// The data is many times as large as the caches. A copy takes about 250 us, its launch only 5.
std::uint64_t bytes_moved(device& machine) {
  if (machine.is_host()) return std::uint64_t{1} << 25U;
  return std::min(std::uint64_t{1} << 30U, std::bit_floor(machine.properties().memory_bytes / 8));
}

void measure_bandwidth(device& machine, floors& found) {
  std::uint64_t const bytes = bytes_moved(machine);
  auto const from = machine.allocate<quad>(bytes / sizeof(quad));
  auto const to = machine.allocate<quad>(bytes / sizeof(quad));
  machine.fill_bytes(from, 1);
  // On a device each thread moves four elements and ends. Loops in the blocks would be slower.
  int const threads = machine.is_host() ? 1 : 512;
  int const blocks = machine.is_host() ? machine.properties().multiprocessors
                                       : static_cast<int>(from.size() / 4 / threads);
  launch_shape const shape{blocks, threads};
  auto const time = [&](auto const& kernel) {
    return least_ms([&] { return machine.time_ms([&] { machine.launch(shape, kernel); }); });
  };
  double const by_kernel = time(copy_kernel{from.data(), to.data(), from.size()});
  double const by_driver =
      least_ms([&] { return machine.time_ms([&] { machine.copy_on_device(to, from); }); });
  auto const gbs = [](std::uint64_t moved, double ms) {
    return static_cast<double>(moved) / ms * 1e-6;
  };
  found.copy_gbs = gbs(2 * bytes, std::min(by_kernel, by_driver));
  found.read_gbs = gbs(bytes, time(read_kernel{from.data(), to.data(), from.size()}));
}

void measure_latencies(device& machine, double timeout_s, floors& found) {
  // On a busy host every signal may take a time slice of milliseconds.
  std::uint32_t const rounds = machine.is_host() ? 100 : 1000;
  int const launches = machine.is_host() ? 10 : 200;
  auto const per = [](double ms, auto n) { return ms * 1e6 / static_cast<double>(n); };
  found.launch_ns = per(least_ms([&] {
                          return machine.time_ms([&] {
                            for (int k = 0; k < launches; ++k) {
                              machine.launch({1, 1}, empty_kernel{});
                            }
                          });
                        }),
                        launches);
  auto const words = machine.allocate<floor_words>(1);
  machine.fill_bytes(words, 0);
  found.atomic_ns = per(least_ms([&] {
                          return machine.time_ms([&] {
                            machine.launch({1, 1}, atomic_chain_kernel{words.data(), rounds});
                          });
                        }),
                        rounds);
  // With one block per multiprocessor, the first and the last block are on different ones.
  int const workers = machine.is_host() ? 2 : machine.properties().multiprocessors;
  watchdog dog(machine, workers, timeout_s);
  bool stopped = false;
  double const there_and_back = least_ms([&] {
    machine.fill_bytes(words, 0);
    auto const stopper = dog.arm();
    double const ms = machine.time_ms([&] {
      machine.launch({workers, 1}, signal_kernel{words.data(), rounds, stopper});
    });
    stopped = stopped || dog.fired();
    return ms;
  });
  found.signal_ns = stopped ? std::nan("") : per(there_and_back, 2 * rounds);
}

}  // namespace

floors measure_floors(device& machine, double timeout_s) {
  floors found{};
  measure_bandwidth(machine, found);
  measure_latencies(machine, timeout_s, found);
  return found;
}

void set_floors(run_meta& meta, floors const& found) {
  meta.set("floor_copy_gbs", found.copy_gbs);
  meta.set("floor_read_gbs", found.read_gbs);
  meta.set("floor_launch_ns", found.launch_ns);
  meta.set("floor_signal_ns", found.signal_ns);
  meta.set("floor_atomic_ns", found.atomic_ns);
}

}  // namespace gridloom::bench
