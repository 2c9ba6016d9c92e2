// The queues that the policies choose for freed tasks, compared with results by hand.

#include "juggler/ours/local_then_shorter.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "gridloom/atomic.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(juggler_policies_test)

using namespace gridloom;
using namespace gridloom::juggler;
using gridloom::test::per_element;

namespace {

constexpr std::uint32_t workers = 8;

struct scene {
  direct_memory memory;
  rt_words words{};
  std::vector<inbox_words> inboxes = std::vector<inbox_words>(workers);
  rt_context_ref context{};
  policy_words counters{};

  scene() {
    context.workers = workers;
    context.words = &words;
    context.inboxes = inboxes.data();
  }
  /// Queues of the next `count` tasks that the current task frees.
  template <class Policy>
  std::vector<std::uint32_t> queues(freeing_task by, std::uint32_t count) {
    std::uint32_t const first = Policy::number(memory, context, counters, by, count);
    std::vector<std::uint32_t> found;
    for (std::uint32_t k = 0; k < count; ++k)
      found.push_back(Policy::queue(context, by, first + k));
    return found;
  }
};

using numbers = std::vector<std::uint32_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(local_round_robin_continues_after_the_workers_last_queue) {
  scene on;
  on.counters.freed = 6;
  BOOST_TEST(on.queues<local_round_robin>({6, 0, 0}, 3) == (numbers{6, 7, 0}), per_element());
  BOOST_TEST(on.queues<local_round_robin>({6, 1, 1}, 2) == (numbers{1, 2}), per_element());
}

BOOST_AUTO_TEST_CASE(global_round_robin_continues_after_any_workers_last_queue) {
  scene on;
  BOOST_TEST(on.queues<global_round_robin>({6, 0, 0}, 3) == (numbers{0, 1, 2}), per_element());
  BOOST_TEST(on.queues<global_round_robin>({2, 0, 0}, 2) == (numbers{3, 4}), per_element());
}

BOOST_AUTO_TEST_CASE(local_first_begins_with_its_own_queue_at_each_work_cycle) {
  scene on;
  BOOST_TEST(on.queues<local_first>({6, 0, 0}, 2) == (numbers{6, 7}), per_element());
  BOOST_TEST(on.queues<local_first>({6, 0, 0}, 2) == (numbers{0, 1}), per_element());
  BOOST_TEST(on.queues<local_first>({6, 1, 0}, 1) == (numbers{2}), per_element());
  BOOST_TEST(on.queues<local_first>({6, 2, 1}, 3) == (numbers{6, 7, 0}), per_element());
}

BOOST_AUTO_TEST_CASE(local_first_of_task_begins_with_its_own_queue_at_each_task) {
  scene on;
  BOOST_TEST(on.queues<local_first_of_task>({6, 0, 0}, 2) == (numbers{6, 7}), per_element());
  BOOST_TEST(on.queues<local_first_of_task>({6, 0, 0}, 1) == (numbers{0}), per_element());
  BOOST_TEST(on.queues<local_first_of_task>({6, 1, 0}, 2) == (numbers{6, 7}), per_element());
}

BOOST_AUTO_TEST_CASE(the_shorter_of_two_queues_is_chosen) {
  scene on;
  for (std::uint32_t task = 0; task < 100; ++task) {
    for (std::uint32_t q = 0; q < workers; ++q)
      on.inboxes[q].iqs = static_cast<std::int32_t>((q * 5 + task) % workers);
    auto const seen = local_then_shorter::look(on.memory, on.context, {3, task, 0}, 0);
    std::uint32_t const chosen = local_then_shorter::queue(seen);
    BOOST_TEST((chosen == seen.first || chosen == seen.second));
    BOOST_TEST(on.inboxes[chosen].iqs <= on.inboxes[seen.first].iqs);
    BOOST_TEST(on.inboxes[chosen].iqs <= on.inboxes[seen.second].iqs);
  }
}

BOOST_AUTO_TEST_CASE(the_second_queue_may_be_any_and_is_mostly_another_than_the_first) {
  scene on;
  std::set<std::uint32_t> found;
  int others = 0;
  for (std::uint32_t task = 0; task < 100; ++task) {
    auto const seen = local_then_shorter::look(on.memory, on.context, {3, task, 0}, task % 3);
    found.insert(seen.second);
    others += seen.second != seen.first;
  }
  BOOST_TEST(found.size() == workers);
  BOOST_TEST(others > 50);
}

BOOST_AUTO_TEST_CASE(a_worker_reads_the_length_of_its_own_queue) {
  scene on;
  for (std::uint32_t q = 0; q < workers; ++q) on.inboxes[q].iqs = 100 + static_cast<int>(q);
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    auto const seen = local_then_shorter::look(on.memory, on.context, {worker, 7, 0}, 0);
    BOOST_TEST(seen.own_length == 100 + static_cast<int>(worker));
    BOOST_TEST(seen.first_length == 100 + static_cast<int>(seen.first));
    BOOST_TEST(seen.second_length == 100 + static_cast<int>(seen.second));
  }
}

BOOST_AUTO_TEST_CASE(with_equal_durations_the_children_of_a_task_do_not_meet) {
  scene on;
  std::set<numbers> spreads;
  for (std::uint32_t task = 0; task < 100; ++task) {
    numbers queues;
    for (std::uint32_t child = 0; child < workers; ++child)
      queues.push_back(local_then_shorter::queue(
          local_then_shorter::look(on.memory, on.context, {3, task, 0}, child)));
    BOOST_TEST(std::set<std::uint32_t>(queues.begin(), queues.end()).size() == workers);
    spreads.insert(queues);
  }
  BOOST_TEST(spreads.size() == workers);
}

BOOST_AUTO_TEST_SUITE_END()
