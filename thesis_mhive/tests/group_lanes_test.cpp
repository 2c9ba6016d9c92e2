// Tests groups with workers of whole warps, whose lanes and warps follow each other at random. On
// the host a worker is one thread, so here the lanes are fibers.

#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include "mhive/unit.hpp"
#include "modelled_threads.hpp"

BOOST_AUTO_TEST_SUITE(group_lanes_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

// Two chains of generations run at once. The tasks of a generation are a group, which all tasks of
// the generation before reduce, and whose dependency the first of them sets. Some tasks also
// enqueue a single task.
constexpr std::uint32_t generations = 5;
constexpr std::uint32_t rows = 2 * generations;
constexpr std::uint32_t most = 130;
constexpr std::uint32_t capacity = 512;
constexpr std::uint32_t single = rows * most;

constexpr std::uint32_t sizes[rows] = {33, 1, most, 32, 64, 32, 64, most, 1, 33};

struct scene {
  group_dependency<struct member_task>* on;
  std::vector<std::uint32_t> items{std::vector<std::uint32_t>(rows * most)};
  /// Number of executions of each item, and of ended tasks of each row.
  std::vector<std::uint32_t> times{std::vector<std::uint32_t>(rows * most + 1)};
  std::vector<std::uint32_t> ended{std::vector<std::uint32_t>(rows)};
  int early = 0;
};

struct member_task {
  using work_item = std::uint32_t;
  static constexpr int worker_size = 32;
  static constexpr bool grouped = true;

  template <class Context>
  static void execute(Context& context, std::uint32_t item) {
    scene& of = *context.data();
    bool const first = context.worker().thread_rank() == 0;
    if (first) ++of.times.at(item);
    if (item == single) return;
    std::uint32_t const row = item / most;
    bool const is_last = row % generations == generations - 1;
    if (row % generations != 0 && of.ended[row - 1] != sizes[row - 1]) ++of.early;
    if (first && item % 4 == 1) context.template enqueue<member_task>(single);
    auto* const on = of.on + row / generations;
    if (!is_last && item % most == 0)
      context.enqueue_with_dependencies(on, &of.items[(row + 1) * most], sizes[row + 1],
                                        static_cast<std::int32_t>(sizes[row]));
    if (first) ++of.ended[row];
    if (!is_last) context.reduce(on);
  }
};
using queue = phase_queue<phaseless<member_task>>;
using run_type = run_ref<queue, scene*, true>;

/// A warp that takes one ticket after the other, until no task is left.
void work(run_type const& run, modelled_warp const& warp) {
  direct_memory memory;
  auto const& own = run.queue_of<member_task>();
  no_scratch nothing;
  for (unsigned attempt = 0;; ++attempt) {
    claimed_tickets got;
    std::int64_t& left = run.control.words->total;
    bool const over = warp.thread_rank() == 0 && left == 0;
    std::uint64_t const seen = own.words->ready;
    if (warp.thread_rank() == 0 && ready::count(seen) > 0)
      got = claim_tickets(*own.words, memory, seen, 1, attempt % 2 == 0);
    if (warp.any(over)) return;
    if (warp.shuffle(got.n, 0) == 0) {
      warp.pause(attempt);
      continue;
    }
    execute_ticket<member_task>(run, warp, nothing, warp.shuffle(got.first, 0));
    if (warp.thread_rank() == 0) --left;
  }
}

struct memory_of_run {
  run_words<queue> words{};
  tagged<std::uint32_t> slots[capacity]{};
  group_pages_ref<std::uint32_t>::entry groups[2]{};
  std::uint32_t stop = 0;
};

void check(std::uint32_t first, std::uint64_t seed) {
  group_dependency<member_task> on[2]{};
  scene of{on};
  auto const state = std::make_unique<memory_of_run>();
  for (std::uint32_t t = 0; t < capacity; ++t)
    state->slots[t].tag = ring_slots_ref<std::uint32_t>::first_tag(t, capacity, first);
  state->words.queues[0].tail = first;
  state->words.queues[0].ready = ready::word(first, 0);
  run_type run;
  run.words = &state->words;
  run.control = {&state->words.control, state->words.pending};
  run.dog = {&state->stop, nullptr, 20'000'000'000};
  run.data = &of;
  static_cast<mhive::detail::type_memory<member_task>&>(run.memory_of).queue = {
      {state->slots, capacity}, state->words.queues, {state->groups, capacity}};
  direct_memory memory;
  for (std::uint32_t i = 0; i < rows * most; ++i) {
    of.items[i] = i;
    if (i / most % generations == 0 && i % most < sizes[i / most])
      run.put<member_task>(memory, run.announce<member_task>(memory, 1), i);
  }
  modelled_threads all(4 * modelled_threads::lanes, false);
  all.switch_at_random(seed);
  all.run([&](int thread) { work(run, {all, thread}); });

  BOOST_TEST(state->words.control.fault == 0U);
  BOOST_TEST(of.early == 0);
  std::uint32_t wrong = 0;
  std::uint32_t singles = 0;
  for (std::uint32_t i = 0; i < rows * most; ++i) {
    bool const is_there = i % most < sizes[i / most];
    wrong += of.times[i] == (is_there ? 1U : 0U) ? 0 : 1;
    singles += is_there && i % 4 == 1 ? 1 : 0;
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(of.times[single] == singles);
  for (auto const& entry : state->groups) BOOST_TEST(part::unread(entry.tag) == 0U);
}

BOOST_AUTO_TEST_CASE(warps_execute_every_task_of_every_group_once_and_in_time) {
  for (std::uint32_t const first : {0U, ~0U - 300U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      BOOST_TEST_CONTEXT("first ticket " << first << ", seed " << seed) check(first, seed);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
