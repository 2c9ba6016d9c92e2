// Compares the index of gaps with a linear scan of the sorted list of gaps, which is its
// specification. The index must stay flat with many gaps.
#include "pets/timeline.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <utility>

BOOST_AUTO_TEST_SUITE(timeline_test)

namespace pets = gridloom::pets;
using pets::time_value;

namespace {

// The gaps [from, to) in ascending order. Everything from end_ on is also free.
class scanned_gaps {
 public:
  [[nodiscard]] time_value earliest_start(time_value ready, time_value cost) const {
    for (auto const& [from, to] : list_) {
      if (std::max(from, ready) + cost <= to) return std::max(from, ready);
    }
    return std::max(end_, ready);
  }
  void take(time_value start, time_value cost) {
    std::vector<std::pair<time_value, time_value>> next;
    bool taken = false;
    for (auto const& [from, to] : list_) {
      if (taken || start < from || start + cost > to) {
        next.emplace_back(from, to);
        continue;
      }
      taken = true;
      if (from < start) next.emplace_back(from, start);
      if (start + cost < to) next.emplace_back(start + cost, to);
    }
    if (!taken) {
      if (start > end_) next.emplace_back(end_, start);
      end_ = start + cost;
    }
    list_ = std::move(next);
  }

 private:
  std::vector<std::pair<time_value, time_value>> list_;
  time_value end_ = 0;
};

// Whether no task is inside another. A task without cost may be at a border.
bool apart(std::vector<std::pair<time_value, time_value>> tasks) {
  std::sort(tasks.begin(), tasks.end());
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    if (tasks[i - 1].second > tasks[i].first) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_goes_to_the_earliest_gap_that_holds_it) {
  pets::gaps one;
  BOOST_TEST(one.earliest_start(10, 5) == 10U);
  // This leaves [0, 10) and everything from 15 on.
  one.take(10, 5);
  // This leaves [0, 10), [15, 20) and everything from 25 on.
  one.take(20, 5);
  BOOST_TEST(one.earliest_start(0, 10) == 0U);
  BOOST_TEST(one.earliest_start(0, 11) == 25U);
  BOOST_TEST(one.earliest_start(5, 5) == 5U);
  BOOST_TEST(one.earliest_start(6, 5) == 15U);
  BOOST_TEST(one.earliest_start(16, 4) == 16U);
  BOOST_TEST(one.earliest_start(17, 4) == 25U);
  BOOST_TEST(one.earliest_start(30, 4) == 30U);
  // This leaves [0, 3), [7, 10), [15, 20) and everything from 25 on.
  one.take(3, 4);
  BOOST_TEST(one.earliest_start(0, 3) == 0U);
  BOOST_TEST(one.earliest_start(1, 3) == 7U);
  BOOST_TEST(one.earliest_start(0, 4) == 15U);
  one.take(0, 3);
  one.take(7, 3);
  // This leaves no gap.
  one.take(15, 5);
  BOOST_TEST(one.earliest_start(0, 1) == 25U);
}

BOOST_AUTO_TEST_CASE(a_task_without_cost_stands_in_a_gap_or_at_its_border) {
  pets::gaps one;
  one.take(10, 5);
  BOOST_TEST(one.earliest_start(0, 0) == 0U);
  BOOST_TEST(one.earliest_start(4, 0) == 4U);
  BOOST_TEST(one.earliest_start(10, 0) == 10U);
  BOOST_TEST(one.earliest_start(11, 0) == 15U);
  // At a border, a task without cost changes nothing.
  one.take(10, 0);
  one.take(0, 0);
  BOOST_TEST(one.earliest_start(0, 10) == 0U);
  // Inside a gap, no other task may cover the task without cost.
  one.take(4, 0);
  BOOST_TEST(one.earliest_start(0, 7) == 15U);
  BOOST_TEST(one.earliest_start(0, 6) == 4U);
  BOOST_TEST(one.earliest_start(0, 4) == 0U);
  BOOST_TEST(one.earliest_start(4, 0) == 4U);
  // After the last task, the time before the task without cost stays free.
  one.take(20, 0);
  BOOST_TEST(one.earliest_start(12, 5) == 15U);
  BOOST_TEST(one.earliest_start(12, 6) == 20U);
  one.take(0, 4);
  one.take(4, 6);
  // There is no gap between two adjacent tasks.
  BOOST_TEST(one.earliest_start(10, 0) == 15U);
}

BOOST_AUTO_TEST_CASE(appended_starts_after_the_last_task_only) {
  pets::appended one;
  one.take(10, 5);
  BOOST_TEST(one.earliest_start(0, 1) == 15U);
  BOOST_TEST(one.earliest_start(16, 1) == 16U);
}

BOOST_AUTO_TEST_CASE(index_and_scan_agree_on_random_tasks) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::uint64_t bound) { return random() % bound; };
    pets::gaps index;
    scanned_gaps scan;
    std::vector<std::pair<time_value, time_value>> tasks;
    // With small costs, many tasks fit exactly and many cost nothing.
    std::uint64_t const most_cost = 1 + below(12);
    std::uint64_t const horizon = 1 + below(3000);
    for (int i = 0; i < 500; ++i) {
      for (int question = 0; question < 3; ++question) {
        time_value const ready = below(horizon);
        time_value const cost = below(2 * most_cost);
        BOOST_REQUIRE_EQUAL(index.earliest_start(ready, cost), scan.earliest_start(ready, cost));
      }
      time_value const ready = below(horizon);
      time_value const cost = below(most_cost);
      time_value const start = index.earliest_start(ready, cost);
      BOOST_TEST_REQUIRE(start == scan.earliest_start(ready, cost), "seed " << seed);
      BOOST_REQUIRE_GE(start, ready);
      index.take(start, cost);
      scan.take(start, cost);
      tasks.emplace_back(start, start + cost);
    }
    BOOST_TEST_REQUIRE(apart(tasks), "seed " << seed);
  }
}

// Searches and changes walk down the tree, so its depth bounds their work. The gaps come in order,
// so a list or an unbalanced tree would be 100,000 deep. Priorities are the same in every run.
BOOST_AUTO_TEST_CASE(a_hundred_thousand_gaps_stay_flat) {
  // A balanced tree has 17 levels.
  constexpr std::size_t most_levels = 4 * 17;
  pets::gaps one;
  time_value const tasks = 100000;
  // This leaves [10 i, 10 i + 5) for all i.
  for (time_value i = 0; i < tasks; ++i) one.take(10 * i + 5, 5);
  // The last gap is the only one of length 9: a search by length must not visit the others.
  one.take(10 * tasks + 9, 1);
  BOOST_TEST(one.depth() >= 17U);
  BOOST_TEST(one.depth() <= most_levels);
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    BOOST_REQUIRE_EQUAL(one.earliest_start(random() % (10 * tasks), 6), 10 * tasks);
    time_value const place = random() % tasks;
    BOOST_REQUIRE_EQUAL(one.earliest_start(10 * place, 1), 10 * place);
  }
  // Fills the gaps in a scattered order.
  for (time_value i = 0; i < tasks; ++i) {
    time_value const place = i * 7919 % tasks;
    one.take(10 * place + 1, 2);
    one.take(10 * place, 1);
  }
  BOOST_TEST(one.earliest_start(0, 3) == 10 * tasks);
  BOOST_TEST(one.earliest_start(0, 2) == 3U);
  BOOST_TEST(one.depth() <= most_levels);
}

BOOST_AUTO_TEST_SUITE_END()
