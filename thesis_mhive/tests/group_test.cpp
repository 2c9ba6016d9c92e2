// Tests groups whose items are found in the application's memory: groups of many sizes, released
// while others are claimed, beside single tasks, with a dependency that a released task sets again.

#include <boost/test/unit_test.hpp>

#include "forest.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using namespace gridloom::test;

BOOST_AUTO_TEST_SUITE(groups)

// Several chains of generations run at once. The tasks of a generation are a group, which every
// task of the generation before reduces. The first task of a generation enqueues the next one on
// the dependency that released its own. Each task overwrites its item, which is then the item of
// the generation after the next.
constexpr std::uint32_t chains = 3;
constexpr std::uint32_t most = 1000;
constexpr std::uint32_t num_sizes = 8;
GRIDLOOM_FN inline std::uint32_t size_of(std::uint32_t chain, std::uint32_t generation) {
  constexpr std::uint32_t sizes[num_sizes] = {33, 1, most, 32, 31, 257, 256, 2};
  return sizes[(3 * chain + generation) % num_sizes];
}

struct link {
  std::uint32_t chain;
  std::uint32_t generation;
  std::uint32_t index;
};
/// The index of a task that belongs to no generation.
constexpr std::uint32_t single = ~0U;

template <int Size, bool Phased, int Turn>
struct link_task;

template <int Size, bool Phased>
struct chain_data {
  /// For each chain, the dependency of its even and of its odd generations. Without phases, all
  /// generations have the first one.
  group_dependency<link_task<Size, Phased, 0>>* even;
  group_dependency<link_task<Size, Phased, 1>>* odd;
  /// For each chain, the items of an even and of an odd generation.
  link* items;
  /// For each chain and generation, the number of tasks that ended.
  std::uint32_t* ended;
  /// For each chain, generation and index, the number of executions.
  std::uint32_t* executions;
  /// Two counts: single tasks, and tasks that ran too early.
  std::uint32_t* counts;
  std::uint32_t generations;

  GRIDLOOM_FN link* items_of(std::uint32_t chain, std::uint32_t generation) const {
    return items + (2 * chain + generation % 2) * most;
  }
};

struct noise_task : task_of<1> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t) {
    direct_memory{}.fetch_add_relaxed(context.data().counts, 1U);
  }
};

template <int Size, bool Phased, int Turn>
struct link_task : task_of<Size, link> {
  static constexpr bool grouped = true;
  static constexpr std::string_view name = "link";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, link const& at) {
    auto const& data = context.data();
    direct_memory memory;
    bool const first = context.worker().thread_rank() == 0;
    if (at.index == single) {
      if (first) memory.fetch_add_relaxed(data.counts, 1U);
      return;
    }
    std::uint32_t const size = size_of(at.chain, at.generation);
    std::uint32_t* const ended = data.ended + at.chain * data.generations + at.generation;
    if (first) {
      memory.fetch_add_relaxed(
          data.executions + (at.chain * data.generations + at.generation) * most + at.index, 1U);
      bool const early = at.generation > 0 &&
                         memory.load_relaxed(ended - 1) != size_of(at.chain, at.generation - 1);
      if (early) memory.fetch_add_relaxed(data.counts + 1, 1U);
      link* const items = data.items_of(at.chain, at.generation);
      for (std::uint32_t i = at.index; i < most; i += size) {
        items[i] = {at.chain, at.generation + 2, i};
      }
      if (at.index % 4 == 1) context.template enqueue<link_task>({0, 0, single});
      if constexpr (Phased) {
        if (at.index % 4 == 2) context.template enqueue<noise_task>(0U);
      }
    }
    if (at.generation + 1 < data.generations) {
      if constexpr (Phased && Turn == 0) {
        follow(context, at, size, ended, data.odd + at.chain);
      } else {
        follow(context, at, size, ended, data.even + at.chain);
      }
    } else if (first) {
      memory.fetch_add_relaxed(ended, 1U);
    }
  }

 private:
  template <class Context, class Next>
  GRIDLOOM_FN static void follow(Context& context, link const& at, std::uint32_t size,
                                 std::uint32_t* ended, Next* next) {
    std::uint32_t const generation = at.generation + 1;
    if (at.index == 0) {
      context.enqueue_with_dependencies(next, context.data().items_of(at.chain, generation),
                                        size_of(at.chain, generation),
                                        static_cast<std::int32_t>(size));
    }
    if (context.worker().thread_rank() == 0) direct_memory{}.fetch_add_relaxed(ended, 1U);
    context.reduce(next);
  }
};

template <class Scheduler, int Size, bool Phased>
void check_chains(test_machine const& on, std::uint32_t generations, std::uint32_t capacity) {
  using even = link_task<Size, Phased, 0>;
  using odd = link_task<Size, Phased, 1>;
  using queue =
      std::conditional_t<Phased, phase_queue<phaseless<noise_task>, phase<even>, phase<odd>>,
                         phase_queue<phaseless<even>>>;
  auto& machine = *on.machine;
  std::vector<link> items;
  std::vector<link> roots;
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    for (std::uint32_t generation : {0U, 1U}) {
      for (std::uint32_t i = 0; i < most; ++i) {
        items.push_back({chain, generation, i});
        if (generation == 0 && i < size_of(chain, 0)) roots.push_back(items.back());
      }
    }
  }
  auto const places = machine.allocate_copy(items);
  auto const evens = machine.allocate_copy(std::vector<group_dependency<even>>(chains));
  auto const odds = machine.allocate_copy(std::vector<group_dependency<odd>>(chains));
  auto const ended =
      machine.allocate_copy(std::vector<std::uint32_t>(std::size_t{chains} * generations));
  auto const executions =
      machine.allocate_copy(std::vector<std::uint32_t>(std::size_t{chains} * generations * most));
  auto const counts = machine.allocate_copy(std::vector<std::uint32_t>(2));
  (void)run_from<Scheduler, queue, even>(
      on, roots,
      chain_data<Size, Phased>{evens.data(), odds.data(), places.data(), ended.data(),
                               executions.data(), counts.data(), generations},
      {.capacity = capacity});

  std::vector<std::uint32_t> const times = machine.copy_to_host(executions);
  std::uint32_t singles = 0;
  std::uint32_t not_once = 0;
  for (std::uint32_t k = 0; k < times.size(); ++k) {
    std::uint32_t const index = k % most;
    std::uint32_t const row = k / most;
    bool const there = index < size_of(row / generations, row % generations);
    not_once += times[k] == (there ? 1U : 0U) ? 0 : 1;
    if (there) singles += (index % 4 == 1) + (Phased && index % 4 == 2);
  }
  BOOST_TEST(not_once == 0U);
  BOOST_TEST(machine.copy_to_host(counts) == (std::vector<std::uint32_t>{singles, 0}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(generations_of_all_sizes_follow_each_other_beside_single_tasks,
                              Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    BOOST_TEST_CONTEXT("workers " << on.shape.blocks) {
      check_chains<Scheduler, 1, false>(on, 10, 4096);
      check_chains<Scheduler, 32, false>(on, 10, 4096);
    }
  }
}

BOOST_TEST_DECORATOR(*boost::unit_test::label("teams"))
BOOST_AUTO_TEST_CASE_TEMPLATE(generations_of_teams_follow_each_other, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    BOOST_TEST_CONTEXT("workers " << on.shape.blocks) {
      check_chains<Scheduler, 64, false>(on, 4, 4096);
      check_chains<Scheduler, 64, true>(on, 4, 4096);
    }
  }
}

// A worker that claims a task after the end of its phase puts it back, also if a group has it.
BOOST_AUTO_TEST_CASE_TEMPLATE(generations_may_be_phases, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    BOOST_TEST_CONTEXT("workers " << on.shape.blocks) {
      check_chains<Scheduler, 32, true>(on, 9, 4096);
    }
  }
}

// This run is small enough for tools that check every access.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_few_generations_follow_each_other, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) check_chains<Scheduler, 32, false>(on, 2, 4096);
}

// The task with number 100 stops the run. Items that were not read count as queued.
struct stop_data {
  group_dependency<struct stopping_task>* group;
  std::uint32_t const* items;
  std::uint32_t* executed;
};
struct stopping_task : task_of<1> {
  static constexpr bool grouped = true;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    direct_memory{}.fetch_add_relaxed(context.data().executed, 1U);
    if (number == 100) context.stop();
  }
};
struct releasing_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t) {
    context.enqueue_with_dependencies(context.data().group, context.data().items, 1000U, 0);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(unread_items_of_a_group_count_as_not_executed, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    auto const group = machine.allocate_copy(std::vector<group_dependency<stopping_task>>(1));
    auto const items = machine.allocate_copy(numbers_below(1000));
    auto const executed = machine.allocate_copy(std::vector<std::uint32_t>(1));
    program<phase_queue<phaseless<>, phase<releasing_task>, phase<stopping_task>>> tasks{
        machine, {.capacity = 1024, .workers = on.shape.blocks}};
    tasks.template enqueue<releasing_task>(std::vector<std::uint32_t>{0});
    report const done =
        tasks.template run<Scheduler>(stop_data{group.data(), items.data(), executed.data()});
    BOOST_TEST(done.stopped);
    BOOST_TEST(tasks.template executed<stopping_task>() == machine.copy_to_host(executed)[0]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
