// Tests that all tasks that a worker of several warps enqueues together arrive exactly once. On the
// host, a worker is one thread. So here up to four fibers form one worker, under seeded schedules.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "explore.hpp"
#include "mhive/context.hpp"

BOOST_AUTO_TEST_SUITE(group_release_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

struct member_task {
  using work_item = std::uint32_t;
  static constexpr int worker_size = 4;
  static constexpr bool grouped = true;
};
using queue = phase_queue<phaseless<member_task>>;
struct no_data {};
using run_type = run_ref<queue, no_data, false>;

/// One thread's view of the worker.
class thread_of_worker {
 public:
  thread_of_worker(scheduled_warp all, scheduled_warp warp) : all_(all), warp_(warp) {}
  [[nodiscard]] int thread_rank() const { return all_.thread_rank(); }
  [[nodiscard]] int num_threads() const { return all_.num_threads(); }
  [[nodiscard]] scheduled_warp warp() const { return warp_; }
  void sync() const { all_.sync(); }
  [[nodiscard]] bool any(bool p) const { return all_.any(p); }

 private:
  scheduled_warp all_;
  scheduled_warp warp_;
};

constexpr std::uint32_t capacity = 1024;
constexpr std::uint32_t none = ~0U;

/// The state of the queue at the start.
struct beginning {
  /// The first ticket.
  std::uint32_t first = 0;
  /// A bit for each page of tickets, which is set if a group has the page.
  std::uint32_t used_pages = 0;
  /// No consumer reads the item in the slot of this ticket, so the run stops there.
  std::uint32_t taken = none;
};

/// All threads of a worker call `act(context)`, which enqueues items 0 .. size - 1.
template <class Act>
class enqueueing {
 public:
  enqueueing(schedule& on, int warps, int lanes, std::uint32_t size, Act act, beginning from = {})
      : on_(&on), warps_(warps), lanes_(lanes), size_(size), act_(act), from_(from) {
    for (std::uint32_t t = 0; t < capacity; ++t) {
      state_->slots[t].tag = ring_slots_ref<std::uint32_t>::first_tag(t, capacity, from.first);
    }
    if (from.taken != none) state_->slots[from.taken] = {from.taken + 1 - capacity, none};
    for (std::uint32_t p = 0; p < pages; ++p) state_->groups[p].tag = from.used_pages >> p & 1U;
    state_->words.queues[0].tail = from.first;
    run_.words = &state_->words;
    run_.control = {&state_->words.control, state_->words.pending};
    run_.dog.stop = &state_->stop;
    static_cast<mhive::detail::type_memory<member_task>&>(run_.memory_of).queue = {
        {state_->slots.data(), capacity}, state_->words.queues, {state_->groups.data(), capacity}};
  }
  [[nodiscard]] int workers() const { return warps_ * lanes_; }
  void work(int thread) {
    int const warp = thread / lanes_;
    thread_of_worker const worker{{*on_, state_->all_board, 0, workers(), thread},
                                  {*on_, state_->warp_boards[static_cast<std::size_t>(warp)],
                                   warp * lanes_, lanes_, thread % lanes_}};
    no_scratch nothing;
    act_(context<run_type, thread_of_worker, no_scratch>{run_, worker, nothing});
  }
  [[nodiscard]] std::string verdict() const {
    if (from_.taken != none) {
      if (state_->stop != 1) return "not stopped";
      return state_->slots[from_.taken].value == none ? "" : "an item is overwritten";
    }
    auto const& own = run_.queue_of<member_task>();
    if (own.words->tail != from_.first + size_) return "not as many tickets as items";
    if (own.words->held_back != 0) return "a group is still held back";
    direct_memory memory;
    std::vector<int> times(size_);
    for (std::uint32_t t = from_.first; t != from_.first + size_; ++t) {
      std::uint32_t item = none;
      bool const in_group = own.groups.find(memory, t, item);
      if (in_group == own.get(memory, t, item)) return "a ticket without an item, or with two";
      if (in_group) own.groups.count_read(memory, t);
      if (item >= size_) return "an item that is none";
      ++times[item];
    }
    for (std::uint32_t p = 0; p < pages; ++p) {
      if (part::unread(state_->groups[p].tag) != (from_.used_pages >> p & 1U)) {
        return "a page is still in use";
      }
    }
    bool const once = std::all_of(times.begin(), times.end(), [](int n) { return n == 1; });
    return once ? "" : "an item twice, another never";
  }

 private:
  using groups_ref = group_pages_ref<std::uint32_t>;
  static constexpr std::uint32_t pages = capacity / groups_ref::page;

  struct memory_of_run {
    run_words<queue> words{};
    std::array<tagged<std::uint32_t>, capacity> slots{};
    std::array<groups_ref::entry, pages> groups{};
    std::uint32_t stop = 0;
    warp_board all_board;
    std::array<warp_board, schedule::max_workers> warp_boards;
  };

  schedule* on_;
  int warps_;
  int lanes_;
  std::uint32_t size_;
  Act act_;
  beginning from_;
  std::unique_ptr<memory_of_run> state_ = std::make_unique<memory_of_run>();
  run_type run_{};
};

// The sizes are around what a warp takes at a time, what all warps take, and a page of tickets.
constexpr std::uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 255, 256, 257, 1000};

template <class Act>
void explore_workers(std::string const& what, Act&& act_for, beginning from = {}) {
  constexpr std::array<std::array<int, 2>, 5> shapes{{{1, 1}, {1, 2}, {1, 4}, {2, 2}, {4, 1}}};
  for (auto const& [warps, lanes] : shapes) {
    for (std::uint32_t const size : sizes) {
      std::string const name = what + " of " + std::to_string(size) + ", " + std::to_string(warps) +
                               " warps of " + std::to_string(lanes);
      explore(name, seeds_from(10), [&, w = warps, l = lanes](schedule& on) {
        return enqueueing{on, w, l, size, act_for(size), from};
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_group_is_released_once_and_whole_by_the_warps_of_its_worker) {
  // No valid items follow the group.
  std::vector<std::uint32_t> items(capacity, ~0U);
  group_dependency<member_task> group{};
  explore_workers("group", [&](std::uint32_t size) {
    for (std::uint32_t i = 0; i < capacity; ++i) items[i] = i < size ? i : ~0U;
    group = {};
    return [&, size](auto const& context) {
      context.enqueue_with_dependencies(&group, items.data(), size, 1);
      context.reduce(&group);
    };
  });
}

// The first ticket is in the middle of a page, at its ends, or so large that tickets wrap around.
// Other groups have some pages.
BOOST_AUTO_TEST_CASE(a_group_is_released_whole_wherever_its_tickets_begin) {
  std::vector<std::uint32_t> items(capacity);
  for (std::uint32_t i = 0; i < capacity; ++i) items[i] = i;
  group_dependency<member_task> group{};
  for (std::uint32_t const first : {1U, 255U, 300U, 511U, 1000U, ~0U - 99U}) {
    for (std::uint32_t const used : {0U, 1U, 6U, 15U}) {
      explore_workers(
          "group from " + std::to_string(first) + ", used pages " + std::to_string(used),
          [&](std::uint32_t size) {
            group = {};
            return [&, size](auto const& context) {
              context.enqueue_with_dependencies(&group, items.data(), size, 1);
              context.reduce(&group);
            };
          },
          {.first = first, .used_pages = used});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_group_whose_reductions_were_made_is_released_as_it_is_enqueued) {
  std::vector<std::uint32_t> items(capacity);
  for (std::uint32_t i = 0; i < capacity; ++i) items[i] = i;
  group_dependency<member_task> group{};
  explore_workers("early group", [&](std::uint32_t size) {
    group = {};
    return [&, size](auto const& context) {
      context.reduce(&group);
      context.enqueue_with_dependencies(&group, items.data(), size, 1);
    };
  });
}

BOOST_AUTO_TEST_CASE(a_group_overwrites_no_item_that_was_not_read) {
  std::vector<std::uint32_t> items(capacity);
  group_dependency<member_task> group{};
  for (std::uint32_t const taken : {0U, 1U, 6U, 17U, 31U, 32U, 62U}) {
    explore("ticket " + std::to_string(taken), seeds_from(30), [&](schedule& on) {
      group = {};
      auto const act = [&](auto const& context) {
        context.enqueue_with_dependencies(&group, items.data(), 63, 1);
        context.reduce(&group);
      };
      return enqueueing{on, 2, 2, 63, act, {.used_pages = 1, .taken = taken}};
    });
  }
}

BOOST_AUTO_TEST_CASE(many_tasks_are_enqueued_once_and_complete) {
  explore_workers("many", [](std::uint32_t size) {
    return [size](auto const& context) {
      context.template enqueue_many<member_task>(
          static_cast<int>(size), [](int i) { return static_cast<std::uint32_t>(i); });
    };
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
