// Tests the storage of tasks that wait for a dependency: its slots, its insert policies, and the
// report when it is full.

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "forest.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using namespace gridloom::test;

BOOST_AUTO_TEST_SUITE(waiting_storage)

// All tasks wait at once and are released in the next phase, which records their slots.
template <class Policy>
struct waiter_task;
template <class Policy>
struct waiter_data {
  dependency<waiter_task<Policy>>* on;
  std::uint32_t* slots;
  std::uint32_t* executions;
};
template <class Policy>
struct waiter_task : task_of<1> {
  using insert_policy = Policy;
  static constexpr std::string_view name = "waiter";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    direct_memory{}.fetch_add_relaxed(context.data().executions + number, 1U);
  }
};
template <class Policy>
struct hold_task : task_of<1> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    context.enqueue_with_dependencies(number, context.data().on + number, 1);
  }
};
template <class Policy>
struct let_go_task : task_of<1> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    auto const& data = context.data();
    auto* const on = data.on + number;
    data.slots[number] =
        dependency<waiter_task<Policy>>::location_of(direct_memory{}.load_relaxed(&on->word));
    context.reduce(on);
  }
};

struct always_slot_3 {
  template <class Item>
  GRIDLOOM_FN static std::uint32_t start(Item const&, std::uint32_t) {
    return 3;
  }
};
struct by_number {
  template <class Item>
  GRIDLOOM_FN static std::uint32_t start(Item const& number, std::uint32_t) {
    // Modulo 64, 27x + 5 visits all 64 numbers.
    return 27 * number + 5;
  }
};

/// Returns the slots in which 64 tasks wait, in a storage for 64. `more` further tasks find no
/// slot. For the last `early` of these, all reductions come before they are enqueued.
template <class Scheduler, class Policy>
std::vector<std::uint32_t> run_waiters(test_machine const& on, std::uint32_t more,
                                       std::uint32_t early) {
  auto& machine = *on.machine;
  std::uint32_t const n = 64 + more;
  std::vector<std::uint32_t> numbers = numbers_below(n);
  using word = dependency<waiter_task<Policy>>;
  std::vector<word> fresh(n);
  for (std::uint32_t k = n - early; k < n; ++k) fresh[k].word = word::of(-1, 0);
  auto const dependencies = machine.allocate_copy(fresh);
  auto const slots = machine.allocate_copy(std::vector<std::uint32_t>(n));
  auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(n));
  program<phase_queue<phaseless<waiter_task<Policy>>, phase<hold_task<Policy>>,
                      phase<let_go_task<Policy>>>>
      tasks{machine, {.capacity = 128, .waiting = 64, .workers = on.shape.blocks}};
  tasks.template enqueue<hold_task<Policy>>(numbers);
  numbers.resize(n - early);
  tasks.template enqueue<let_go_task<Policy>>(numbers);
  (void)tasks.template run<Scheduler>(
      waiter_data<Policy>{dependencies.data(), slots.data(), executions.data()});
  BOOST_TEST(machine.copy_to_host(executions) == std::vector<std::uint32_t>(n, 1U));
  std::vector<std::uint32_t> used = machine.copy_to_host(slots);
  used.resize(64);
  return used;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_waiting_storage_serves_as_many_tasks_as_it_has_slots, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    std::vector<std::uint32_t> slots = run_waiters<Scheduler, always_slot_3>(on, 0, 0);
    std::sort(slots.begin(), slots.end());
    BOOST_TEST(slots == numbers_below(64));
    std::string const message =
        message_of<run_error>([&] { (void)run_waiters<Scheduler, always_slot_3>(on, 1, 0); });
    BOOST_TEST(message == "waiting storage of waiter: full, all 64 slots are taken");
    // Tasks that need not wait need no slot.
    (void)run_waiters<Scheduler, always_slot_3>(on, 5, 5);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tasks_wait_where_the_insert_policy_of_their_type_says, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    std::vector<std::uint32_t> const slots = run_waiters<Scheduler, by_number>(on, 0, 0);
    for (std::uint32_t k = 0; k < 64; ++k) BOOST_TEST(slots[k] == (27 * k + 5) % 64);
  }
}

// A hundred tasks run one after the other in a storage of two slots. In each variant, tasks are
// released in one of these ways. With reduce_before, only every second task waits, because the
// reduction for the others comes before they are enqueued. If a slot were not freed, the storage
// would soon be full.
enum class release_by : int { reduce, reduce_each, reduce_before };
struct chain_task;
struct chain_data {
  dependency<chain_task>* on;
  std::uint32_t* executions;
  release_by how;
};
struct chain_task : task_of<1> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = "chain";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    chain_data const& data = context.data();
    direct_memory{}.fetch_add_relaxed(data.executions, 1U);
    if (number + 1 == 100) return;
    bool const before = data.how == release_by::reduce_before && number % 2 == 0;
    if (before) context.reduce(data.on);
    context.enqueue_with_dependencies(number + 1, data.on, 1);
    if (before) return;
    if (data.how == release_by::reduce_each) {
      context.reduce_each(true, data.on);
    } else {
      context.reduce(data.on);
    }
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(slots_come_back_however_their_tasks_are_released, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    for (auto const how :
         {release_by::reduce, release_by::reduce_each, release_by::reduce_before}) {
      auto const single = machine.allocate_copy(std::vector<dependency<chain_task>>(1));
      auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(1));
      (void)run_from<Scheduler, phase_queue<phaseless<chain_task>>, chain_task>(
          on, {0}, chain_data{single.data(), executions.data(), how},
          {.capacity = 16, .waiting = 2});
      BOOST_TEST(machine.copy_to_host(executions)[0] == 100U);
      BOOST_TEST(machine.copy_to_host(single)[0].word == 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
