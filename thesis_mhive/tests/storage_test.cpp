// Tests of waiting storages and queues with one thread. Every free slot of a storage is found,
// insert policies choose where the search starts, and a queue's numbers stay right when tickets
// wrap.

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "mhive/insert_policy.hpp"
#include "mhive/waiting_storage.hpp"
#include "mhive/work_queue.hpp"

namespace gridloom::mhive {

BOOST_AUTO_TEST_SUITE(storage_test)
namespace {

struct waiting_task {
  using work_item = std::uint32_t;
};
using storage_type = waiting_storage_ref<waiting_task>;

struct test_storage {
  explicit test_storage(std::uint32_t capacity)
      : states(capacity), items(capacity), owners(capacity) {}
  storage_type ref() {
    return {states.data(), items.data(), owners.data(), static_cast<std::uint32_t>(states.size())};
  }

  std::vector<std::uint32_t> states;
  std::vector<std::uint32_t> items;
  std::vector<std::int64_t*> owners;
};

BOOST_AUTO_TEST_CASE(the_last_free_slot_is_found_from_any_start) {
  direct_memory memory;
  for (std::uint32_t const capacity : {2U, 4U, 8U, 64U}) {
    for (std::uint32_t last = 0; last < capacity; ++last) {
      for (std::uint32_t start = 0; start < 2 * capacity; ++start) {
        // A policy may return any number, even near 2^32.
        for (std::uint32_t const from : {start, start - capacity}) {
          test_storage storage{capacity};
          storage.states.assign(capacity, slot_state::reserved | slot_state::filled);
          storage.states[last] = slot_state::empty;
          BOOST_REQUIRE(storage.ref().reserve(memory, from) == last);
          storage.states[last] |= slot_state::filled;
          BOOST_REQUIRE(storage.ref().reserve(memory, from) == storage_type::none);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_storage_waits_for_a_slot_that_is_only_reserved) {
  direct_memory memory;
  test_storage storage{4};
  storage.states.assign(4, slot_state::reserved | slot_state::filled);
  storage.states[2] = slot_state::reserved;
  std::jthread const other{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    storage.ref().give_back(memory, 2);
  }};
  BOOST_TEST(storage.ref().reserve(memory, 0) == 2U);
}

BOOST_AUTO_TEST_CASE(slots_are_probed_in_order_from_the_start) {
  direct_memory memory;
  test_storage storage{16};
  for (std::uint32_t k = 0; k < 16; ++k) {
    BOOST_TEST(storage.ref().reserve(memory, 16 * 5 + 11) == (11 + k) % 16);
  }
}

BOOST_AUTO_TEST_CASE(a_slot_is_free_again_when_its_task_was_taken_or_it_was_given_back) {
  direct_memory memory;
  test_storage storage{2};
  dependency<waiting_task> on{};
  storage_type const ref = storage.ref();
  BOOST_TEST(ref.reserve(memory, 0) == 0U);
  BOOST_TEST(ref.reserve(memory, 0) == 1U);
  ref.write(memory, 1, 7U, &on.word);
  BOOST_TEST(storage.states[0] == slot_state::reserved);
  BOOST_TEST(storage.states[1] == (slot_state::reserved | slot_state::filled));
  BOOST_TEST(storage.owners[1] == &on.word);
  BOOST_TEST(ref.item(1) == 7U);
  ref.give_back(memory, 0);
  BOOST_TEST(ref.reserve(memory, 1) == 0U);
  BOOST_TEST(ref.take(memory, 1) == 7U);
  BOOST_TEST(ref.reserve(memory, 0) == 1U);
}

BOOST_AUTO_TEST_CASE(random_insert_goes_by_the_salt) {
  std::set<std::uint32_t> starts;
  for (std::uint32_t salt = 0; salt < 64; ++salt) starts.insert(random_insert::start(7, salt) % 64);
  BOOST_TEST(starts.size() > 32U);
}

using queue_type = work_queue_ref<std::uint32_t>;

BOOST_AUTO_TEST_CASE(the_head_and_the_count_of_a_queue_share_a_word_where_tickets_wrap) {
  for (std::uint32_t const head : {0U, 1U, 0x7fffffffU, 0x80000000U, ~0U}) {
    for (std::int32_t const count : {-3, -1, 0, 1, 5}) {
      BOOST_TEST(ready::head(ready::word(head, count)) == head);
      BOOST_TEST(ready::count(ready::word(head, count)) == count);
      // Three items are claimed, and the head advances.
      std::uint64_t const after = ready::word(head, count) + ready::word(3, -3);
      BOOST_TEST(ready::head(after) == head + 3);
      BOOST_TEST(ready::count(after) == count - 3);
    }
  }
}

BOOST_AUTO_TEST_CASE(claims_continue_after_tickets_wrap) {
  direct_memory memory;
  for (bool const many : {false, true}) {
    queue_words words{};
    words.ready = ready::word(~0U, 3);
    queue_type const queue{{nullptr, 8}, &words};
    claimed_tickets const two = claim_tickets(*queue.words, memory, words.ready, 2, many);
    BOOST_TEST(two.n == 2);
    BOOST_TEST(two.first == ~0U);
    claimed_tickets const rest = claim_tickets(*queue.words, memory, words.ready, 2, many);
    BOOST_TEST(rest.n == 1);
    BOOST_TEST(rest.first == 1U);
    BOOST_TEST(words.ready == ready::word(2, 0));
    BOOST_TEST(claim_tickets(*queue.words, memory, words.ready, 2, many).n == 0);
    BOOST_TEST(words.ready == ready::word(2, 0));
  }
}

BOOST_AUTO_TEST_CASE(only_cleared_tasks_are_dropped_however_many_run) {
  direct_memory memory;
  queue_words words{};
  queue_type const queue{{nullptr, 1U << 20U}, &words};
  // Two rounds of tickets are executed in order, a little early, and a little late.
  constexpr std::uint64_t step = queue_type::longest_queue / 4;
  for (std::uint64_t ticket = 0; ticket < std::uint64_t{2} << 32U; ticket += step) {
    auto const here = static_cast<std::uint32_t>(ticket);
    for (std::uint32_t const next : {here + 1000, here, here + 1, here + 999}) {
      BOOST_TEST(!queue.dropped(memory, next));
    }
    if (ticket > 0) BOOST_TEST(!queue.dropped(memory, here - 1000));
    BOOST_TEST(!queue.dropped(memory, here + static_cast<std::uint32_t>(step) - 1));
  }
}

BOOST_AUTO_TEST_CASE(only_cleared_tickets_are_dropped_when_tickets_wrap) {
  direct_memory memory;
  for (std::uint32_t const boundary : {100U, 0x80000005U, 0U - 5U, 0U, 5U}) {
    queue_words words{};
    words.cleared = boundary - 100;
    queue_type const queue{{nullptr, 1U << 20U}, &words};
    queue.drop_before(memory, boundary);
    // A late call must not move the boundary back.
    queue.drop_before(memory, boundary - 50);
    for (std::uint32_t k = 1; k <= 90; ++k) {
      BOOST_TEST(queue.dropped(memory, boundary - k));
      BOOST_TEST(!queue.dropped(memory, boundary + k - 1));
    }
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive
