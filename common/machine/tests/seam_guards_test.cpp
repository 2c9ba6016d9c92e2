// Tests of the watchdog and the trace.
#include <chrono>
#include <cstdint>

#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(seam_guards_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

/// The first thread of each block waits until the word is 1.
struct waiting_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;
  std::uint32_t* word;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() == 0) {
      direct_memory memory;
      watch patience(dog, block.index());
      for (unsigned attempt = 0;; ++attempt) {
        std::uint32_t const seen = memory.load_acquire(word);
        if (seen == 1) break;
        if (patience.stop(memory, wait_kind::queue, 7, seen, 1)) break;
        block.pause(attempt);
      }
    }
    block.sync();
  }
};

struct tracing_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  trace_ref trace;
  std::uint32_t offered;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() != 0 || !trace.on()) return;
    for (std::uint32_t k = 0; k < offered; ++k) {
      std::uint64_t const begin = now_ns();
      trace.record(block.index(),
                   {static_cast<std::uint32_t>(block.index()) * 100 + k, k % 2, begin, now_ns()});
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_endless_wait_ends_and_names_its_object) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const word = machine.allocate_copy(std::vector<std::uint32_t>{0});
    watchdog dog(machine, on.shape.blocks, 0.2);
    auto const begin = std::chrono::steady_clock::now();
    machine.launch(on.shape, waiting_kernel{word.data(), dog.arm()});
    machine.synchronize();
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    BOOST_TEST(elapsed.count() >= 0.15);
    BOOST_TEST(dog.fired());
    auto const lines = dog.lines();
    BOOST_TEST_REQUIRE(lines.size() == static_cast<std::size_t>(on.shape.blocks));
    for (std::size_t worker = 0; worker < lines.size(); ++worker) {
      BOOST_TEST(lines[worker] ==
                 "worker " + std::to_string(worker) + " waited for queue 7: saw 0, wanted 1");
    }
    dog.arm();
    BOOST_TEST(!dog.fired());
    BOOST_TEST(dog.lines().empty());
  });
}

BOOST_AUTO_TEST_CASE(a_wait_that_ends_leaves_no_note) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const word = machine.allocate_copy(std::vector<std::uint32_t>{1});
    watchdog dog(machine, on.shape.blocks, 0.0);
    machine.launch(on.shape, waiting_kernel{word.data(), dog.arm()});
    machine.synchronize();
    BOOST_TEST(!dog.fired());
    BOOST_TEST(dog.lines().empty());
  });
}

BOOST_AUTO_TEST_CASE(a_trace_keeps_the_order_and_counts_what_it_drops) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const workers = static_cast<std::uint32_t>(on.shape.blocks);
    trace_buffer trace(machine, on.shape.blocks, 4);
    machine.launch(on.shape, tracing_kernel{trace.arm(), 6});
    machine.synchronize();
    auto const events = trace.events();
    BOOST_TEST_REQUIRE(events.size() == workers * 4U);
    BOOST_TEST(trace.dropped() == workers * 2U);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      auto const& [worker, event] = events[i];
      BOOST_TEST(worker == static_cast<int>(i / 4));
      BOOST_TEST(event.task == i / 4 * 100 + i % 4);
      BOOST_TEST(event.type == i % 2);
      BOOST_TEST(event.begin_ns <= event.end_ns);
      if (i % 4 != 0) BOOST_TEST(events[i - 1].event.end_ns <= event.begin_ns);
    }
    machine.launch(on.shape, tracing_kernel{trace.arm(), 3});
    machine.synchronize();
    BOOST_TEST(trace.events().size() == workers * 3U);
    BOOST_TEST(trace.dropped() == 0U);
    machine.launch(on.shape, tracing_kernel{trace_ref{}, 3});
    machine.synchronize();
  });
}

BOOST_AUTO_TEST_SUITE_END()
