// Tests limits of a run: clearing and stopping by a task, work for the host's queues, full queues,
// time limits and misuse.

#include <boost/test/unit_test.hpp>

#include "forest.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using namespace gridloom::test;

BOOST_AUTO_TEST_SUITE(limits_test)

struct counted_data {
  /// Two counts: executed victims, then other executed tasks.
  std::uint32_t* executed;
  std::uint32_t victims;
};

// A clearing_task drops these tasks. It runs in an earlier phase.
struct victim_task : task_of<32> {
  static constexpr bool clearable = true;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t) {
    if (context.worker().thread_rank() == 0) {
      direct_memory{}.fetch_add_relaxed(context.data().executed, 1U);
    }
  }
};
struct clearing_task : task_of<64> {
  // The work item `later` is the number of victims to enqueue after the clear.
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t later) {
    auto const& worker = context.worker();
    if (worker.thread_rank() == 0) context.template clear<victim_task>();
    worker.sync();
    context.template enqueue_many<victim_task>(static_cast<int>(later),
                                               [](int i) { return static_cast<std::uint32_t>(i); });
  }
};
using clearing_queue = phase_queue<phaseless<>, phase<clearing_task>, phase<victim_task>>;

/// Runs tasks of one type. `Others` are types of the same queue without tasks.
template <class Scheduler, class Task, class... Others>
report run_alone(test_machine const& on, std::vector<std::uint32_t> const& items,
                 counted_data const& data, program_options const& options) {
  return run_from<Scheduler, phase_queue<phaseless<Task, Others...>>, Task>(on, items, data,
                                                                            options);
}
template <class Scheduler, class Task, class... Others>
std::string refusal_alone(test_machine const& on, std::vector<std::uint32_t> const& items,
                          counted_data const& data, program_options const& options) {
  return message_of<run_error>(
      [&] { (void)run_alone<Scheduler, Task, Others...>(on, items, data, options); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(clear_drops_only_tasks_enqueued_before_it, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    for (std::uint32_t const later : {0U, 1U, 100U}) {
      auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
      program<clearing_queue> tasks{*on.machine, {.capacity = 512, .workers = on.shape.blocks}};
      tasks.enqueue<victim_task>(numbers_below(300));
      tasks.enqueue<clearing_task>(std::vector<std::uint32_t>{later});
      // The items at the start are kept for a second run.
      for (int run = 0; run < 2; ++run) {
        on.machine->fill_bytes(executed, 0);
        report const done = tasks.run<Scheduler>(counted_data{executed.data(), 300});
        BOOST_TEST(on.machine->copy_to_host(executed)[0] == later);
        BOOST_TEST(!done.stopped);
        BOOST_TEST(done.phase_changes == 1U);
      }
    }
  }
}

// A chain that would never end. Task number 100 stops the run.
struct endless_task : task_of<1> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    direct_memory{}.fetch_add_relaxed(context.data().executed, 1U);
    if (number == 100) context.stop();
    context.template enqueue<endless_task>(number + 1);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(a_task_can_stop_the_run, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    report const done =
        run_alone<Scheduler, endless_task>(on, {0}, {executed.data(), 0}, {.capacity = 64});
    BOOST_TEST(done.stopped);
    BOOST_TEST(on.machine->copy_to_host(executed)[0] >= 101U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_run_that_does_not_end_is_stopped_by_the_clock, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    // This chain begins behind the task that would stop it.
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    std::string const message = refusal_alone<Scheduler, endless_task>(
        on, {101}, {executed.data(), 0}, {.capacity = 64, .timeout_s = 0.2});
    BOOST_TEST(message.starts_with("timeout after 0.2"));
  }
}

// Whole blocks execute these tasks under the megakernel, or, beside smaller tasks, teams of warps.
// Each level has twice as many tasks as the previous one. So
// the queue overflows while the leaders of teams hold tickets.
struct doubling_task : task_of<64> {
  static constexpr std::string_view name = "doubling";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    if (context.worker().thread_rank() == 0 && number == context.data().victims) context.stop();
    context.template enqueue_many<doubling_task>(2, [&](int) { return number + 1; });
  }
};

struct small_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context&, std::uint32_t) {}
};

template <class Scheduler, class... Others>
void check_full_queues() {
  for (auto const& on : test_machines()) {
    for (std::uint32_t const capacity : {2U, 64U, 4096U}) {
      std::string const message = refusal_alone<Scheduler, doubling_task, Others...>(
          on, {0}, {nullptr, 1U << 30U}, {.capacity = capacity});
      BOOST_TEST(message ==
                 "queue of doubling: full, all " + std::to_string(capacity) + " slots are taken");
    }
  }
}
BOOST_AUTO_TEST_CASE_TEMPLATE(a_full_queue_of_large_workers_is_an_error_that_names_it, Scheduler,
                              test_schedulers) {
  check_full_queues<Scheduler>();
}
BOOST_AUTO_TEST_CASE_TEMPLATE(a_full_queue_of_teams_is_an_error_that_names_it, Scheduler,
                              test_schedulers) {
  check_full_queues<Scheduler, small_task>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(large_workers_can_be_stopped, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    for (int run = 0; run < 10; ++run) {
      report const done =
          run_alone<Scheduler, doubling_task>(on, {0}, {nullptr, 9}, {.capacity = 1U << 14U});
      BOOST_TEST(done.stopped);
    }
  }
}

// Each task has one successor. With `LongOnes`, every 16th task is long. Its slot is still free
// again long before the ring's next lap reaches it.
template <bool LongOnes>
struct ring_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t left) {
    direct_memory memory;
    if (context.worker().thread_rank() != 0) return;
    if (memory.fetch_add_relaxed(context.data().executed, 1U) % 16 == 0 && LongOnes) {
      std::uint64_t const begin = now_ns();
      while (now_ns() - begin < 100'000) give_way(0);
    }
    if (left != 0) context.template enqueue<ring_task<LongOnes>>(left - 1);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(a_ring_may_be_filled_completely, Scheduler, test_schedulers) {
  constexpr std::uint32_t capacity = 8;
  constexpr std::uint32_t rounds = 100;
  for (auto const& on : test_machines()) {
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    (void)run_alone<Scheduler, ring_task<true>>(on,
                                                std::vector<std::uint32_t>(capacity, rounds - 1),
                                                {executed.data(), 0}, {.capacity = capacity});
    BOOST_TEST(on.machine->copy_to_host(executed)[0] == capacity * rounds);
  }
}

// On machines with few workers, some of these numbers of chains are slightly larger than the number
// of workers. The ring has little room. If a worker took a second task while it executes the first,
// it would wait for its own slot.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_worker_never_waits_for_a_slot_of_its_own, Scheduler,
                              test_schedulers) {
  constexpr std::uint32_t rounds = 5000;
  for (auto const& on : test_machines()) {
    for (std::uint32_t const chains : {3U, 5U, 6U, 13U, 20U}) {
      auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2, 1));
      (void)run_alone<Scheduler, ring_task<false>>(
          on, std::vector<std::uint32_t>(chains, rounds - 1), {executed.data(), 0},
          {.capacity = 2 * chains + 2});
      BOOST_TEST(on.machine->copy_to_host(executed)[0] == chains * rounds + 1);
    }
  }
}

// No machine finishes so many tasks of at least 20 ms in time.
constexpr std::uint32_t long_tasks = 50'000;
constexpr std::uint32_t long_task_ms = 20;
struct long_task : task_of<256> {
  static constexpr std::string_view name = "long";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t) {
    if (context.worker().thread_rank() == 0) {
      direct_memory{}.fetch_add_relaxed(context.data().executed, 1U);
    }
    std::uint64_t const begin = now_ns();
    while (now_ns() - begin < std::uint64_t{1'000'000} * long_task_ms) give_way(0);
    context.worker().sync();
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(long_tasks_do_not_outlast_the_time_limit_by_more_than_themselves,
                              Scheduler, test_schedulers) {
  constexpr std::uint32_t limit_ms = 300;
  for (auto const& on : test_machines()) {
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    bool const host = on.machine->is_host();
    std::string const message =
        refusal_alone<Scheduler, long_task>(on, numbers_below(long_tasks), {executed.data(), 0},
                                            {.capacity = 1U << 16U,
                                             .workers = host ? on.shape.blocks : 0,
                                             .timeout_s = 0.001 * limit_ms});
    BOOST_TEST(message.starts_with("timeout after 0.3 s"));
    BOOST_TEST(message.ends_with(" of long"));
    // However slow the machine is, a worker begins no more tasks than fit into the limit, and the
    // last task may begin just before it. The test does not know how many workers a device has.
    auto const workers = static_cast<std::uint32_t>(on.shape.blocks);
    std::uint32_t const most = host ? workers * (limit_ms / long_task_ms + 1) : long_tasks - 1;
    BOOST_TEST(on.machine->copy_to_host(executed)[0] <= most);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(warps_launched_from_the_device_stay_below_their_bound, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    program<phase_queue<phaseless<victim_task>>> tasks{*on.machine, {.capacity = 1U << 18U}};
    tasks.enqueue<victim_task>(numbers_below(200'000));
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    report const done = tasks.run<Scheduler>(counted_data{executed.data(), 0});
    if (Scheduler::name != device_controller::name || on.machine->is_host()) {
      BOOST_TEST(done.most_warps == 0);
      continue;
    }
    auto const& machine = on.machine->properties();
    auto const resident = machine.multiprocessors * machine.threads_per_multiprocessor / 32;
    BOOST_TEST(done.most_warps <= resident * 3 / 2);
    BOOST_TEST(done.most_warps > resident);
  }
}

BOOST_AUTO_TEST_CASE(clear_on_the_host_drops_the_items_of_the_next_run) {
  for (auto const& on : test_machines()) {
    auto executed = on.machine->allocate_copy(std::vector<std::uint32_t>(2));
    program<clearing_queue> tasks{*on.machine, {.capacity = 512}};
    tasks.enqueue<victim_task>(numbers_below(300));
    tasks.clear();
    tasks.enqueue<victim_task>(numbers_below(7));
    (void)tasks.run<megakernel_or_only>(counted_data{executed.data(), 7});
    BOOST_TEST(on.machine->copy_to_host(executed)[0] == 7U);
  }
}

BOOST_AUTO_TEST_CASE(sizes_out_of_range_are_refused) {
  for (auto const& on : test_machines()) {
    auto const make = [&](program_options const& options) {
      return message_of<usage_error>([&] { program<clearing_queue>{*on.machine, options}; });
    };
    BOOST_TEST(make({.capacity = 0}) == "queue size: expected 1 to 2^30, got 0");
    BOOST_TEST(make({.waiting = 0}) == "waiting storage size: expected 1 to 2^30, got 0");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
