// The threads of the host backend run every block once. Blocks that wait for each other run at the
// same time. Nothing is lost between launches, whether the threads are awake or asleep.

#include "gridloom/backend/host_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "gridloom/host_waiting.hpp"

BOOST_AUTO_TEST_SUITE(host_threads_test)

using namespace gridloom;

namespace {

// Waits until idle threads sleep.
void until_they_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds{2}); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_block_of_every_launch_is_run_once) {
  host_threads threads;
  // Plain integers suffice, because one thread runs a block, and launches are ordered.
  std::vector<int> times(64);
  int expected = 0;
  for (int launch = 0; launch < 3000; ++launch) {
    int const n = launch % 500 == 499 ? 64 : 1 + launch % 4;
    threads.run(n, [&](int block) { ++times[static_cast<std::size_t>(block)]; });
    expected += n;
    if (launch % 200 == 0) until_they_sleep();
  }
  BOOST_TEST(std::accumulate(times.begin(), times.end(), 0) == expected);
  BOOST_TEST(times[0] == 3000);
  BOOST_TEST(times[63] == 6);
}

BOOST_AUTO_TEST_CASE(the_first_block_is_the_callers) {
  host_threads threads;
  for (int n : {1, 2, 5}) {
    std::thread::id by;
    threads.run(n, [&](int block) {
      if (block == 0) by = std::this_thread::get_id();
    });
    BOOST_TEST((by == std::this_thread::get_id()));
  }
}

BOOST_AUTO_TEST_CASE(blocks_that_wait_for_each_other_all_run_at_once) {
  host_threads threads;
  for (int round = 0; round < 100; ++round) {
    int const n = 2 + round * 5 % 15;
    host_barrier peers(n);
    std::vector<int> met(static_cast<std::size_t>(n));
    threads.run(n, [&](int block) {
      for (int meeting = 0; meeting < 3; ++meeting) {
        met[static_cast<std::size_t>(block)] = meeting;
        peers.arrive_and_wait();
      }
    });
    BOOST_TEST(met == std::vector<int>(static_cast<std::size_t>(n), 2));
    if (round % 20 == 0) until_they_sleep();
  }
}

BOOST_AUTO_TEST_CASE(a_launch_ends_when_its_last_block_ends) {
  host_threads threads;
  std::atomic<int> ended{0};
  for (int launch = 1; launch <= 20; ++launch) {
    threads.run(3, [&](int block) {
      if (block != 0) until_they_sleep();
      ended.fetch_add(1, std::memory_order_relaxed);
    });
    BOOST_TEST(ended.load(std::memory_order_relaxed) == 3 * launch);
  }
}

BOOST_AUTO_TEST_CASE(threads_that_never_had_a_block_end_with_their_owner) {
  for (int k = 0; k < 20; ++k) {
    host_threads threads;
    threads.run(8, [](int) {});
    if (k % 2 == 0) until_they_sleep();
  }
}

BOOST_AUTO_TEST_SUITE_END()
