#pragma once
// Traffic between real threads (host workers or CUDA blocks) through a queue under test.
//
// Every thread sends its values and takes any values until all have been taken. The accesses to the
// data of a value are not atomic. Only the queue orders them, as a sanitizer checks.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::test {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr std::uint32_t host_values = 40'000;
#else
inline std::uint32_t const host_values = full_stress() ? 100'000 : 30'000;
#endif
inline constexpr std::uint32_t cuda_values = 20'000;

/// Shared state of the kernels.
struct traffic {
  /// Array of one word per value: its data.
  std::uint32_t* data;
  /// Array of the number of times that each value was received.
  std::uint32_t* received;
  /// Number of values that were received without their data or never sent.
  std::uint32_t* errors;
  /// Number of values taken so far.
  std::uint32_t* taken;
  std::uint32_t total;
  /// Number of values per thread. Value k of a thread is thread · each + k.
  std::uint32_t each;
  watchdog_ref dog;

  GRIDLOOM_FN static std::uint32_t data_of(std::uint32_t value) { return value * 2654435761U + 1U; }
  GRIDLOOM_FN std::uint32_t make(int thread, std::uint32_t k) const {
    std::uint32_t const value = static_cast<std::uint32_t>(thread) * each + k;
    data[value] = data_of(value);
    return value;
  }
  GRIDLOOM_FN void receive(direct_memory& memory, std::uint32_t value) const {
    if (value >= total || data[value] != data_of(value)) {
      memory.fetch_add_relaxed(errors, 1U);
      return;
    }
    memory.fetch_add_relaxed(received + value, 1U);
    memory.fetch_add_relaxed(taken, 1U);
  }
  GRIDLOOM_FN bool all_taken(direct_memory& memory) const {
    return memory.load_relaxed(taken) == total;
  }
};

/// Runs `launch(traffic)` and checks that every value was received once.
template <class Launch>
void check_traffic(device& machine, int blocks, std::uint32_t senders, std::uint32_t each,
                   Launch&& launch) {
  std::uint32_t const total = senders * each;
  auto const data = machine.allocate<std::uint32_t>(total);
  auto const received = machine.allocate<std::uint32_t>(total);
  auto const counts = machine.allocate<std::uint32_t>(2);
  machine.fill_bytes(data, 0);
  machine.fill_bytes(received, 0);
  machine.fill_bytes(counts, 0);
  watchdog dog(machine, blocks, 60);
  launch(traffic{data.data(), received.data(), counts.data(), counts.data() + 1, total, each,
                 dog.arm()});
  machine.synchronize();
  auto const lines = dog.lines();
  BOOST_TEST(!dog.fired(), (lines.empty() ? "" : lines.front()));
  auto const seen = machine.copy_to_host(counts);
  BOOST_TEST(seen[0] == 0U);
  BOOST_TEST(seen[1] == total);
  for (std::uint32_t const times : machine.copy_to_host(received)) BOOST_REQUIRE(times == 1U);
}

}  // namespace gridloom::test
