#include "wavefront/floors.hpp"

#include <algorithm>
#include <vector>

namespace gridloom::wavefront {

floor_latencies measure_floors(device& machine) {
  // On a busy host every signal may take a turn of the system's scheduler, milliseconds.
  std::uint32_t const rounds = machine.is_host() ? 100 : 1000;
  auto const words = machine.allocate<floor_words>(1);
  // The last of a grid of one block a multiprocessor sits on another multiprocessor than the first.
  int const workers = machine.is_host() ? 2 : machine.properties().multiprocessors;
  watchdog dog(machine, workers, 5);
  std::vector<double> signal;
  std::vector<double> atomic;
  for (int repetition = 0; repetition < 11; ++repetition) {
    machine.fill_bytes(words, 0);
    auto const stopper = dog.arm();
    double const there_and_back = machine.time_ms([&] {
      machine.launch({workers, 1}, signal_kernel{words.data(), rounds, stopper});
    });
    if (dog.fired()) throw run_error("the latency measurement did not end: " + dog.lines().front());
    double const chain = machine.time_ms([&] {
      machine.launch({1, 1}, atomic_chain_kernel{words.data(), rounds});
    });
    if (repetition == 0) continue;  // warm-up
    signal.push_back(there_and_back * 1e6 / rounds / 2);
    atomic.push_back(chain * 1e6 / rounds);
  }
  // A floor is the least that was seen; the median of a busy host says more about its system's
  // scheduler.
  return {*std::min_element(signal.begin(), signal.end()),
          *std::min_element(atomic.begin(), atomic.end())};
}

}  // namespace gridloom::wavefront
