// Tests of the compile-time table of phases, and of the order in which controllers go through the
// phases.

#include "mhive/phases.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

#include "mhive/controller_plan.hpp"
#include "mhive/run_ref.hpp"
#include "mhive/time_sliced.hpp"

namespace gridloom::mhive {

BOOST_AUTO_TEST_SUITE(phases_test)
namespace {

template <int Index>
struct task {
  using work_item = int;
  static constexpr int worker_size = 1 << Index;
};

// The queue of Listing 4.1 and Table 4.1.
using phase_1 = phase<task<1>, task<2>>;
using phase_2 = phase<task<3>, task<4>, task<5>>;
using queue = phase_queue<phaseless<>, phase_1, phase_2>;

static_assert(queue::table() ==
              std::array{phase_row{-1, 0, 0}, phase_row{0, 0, 2}, phase_row{1, 2, 5}});
static_assert(queue::index_of<task<1>>() == 0 && queue::index_of<task<5>>() == 4);
static_assert(queue::phase_of(1) == 0 && queue::phase_of(2) == 1 && queue::phase_of(4) == 1);
static_assert(queue::largest_worker == 32);
static_assert(queue::contains<task<3>> && !queue::contains<task<6>>);

using with_phaseless = phase_queue<phaseless<task<0>, task<1>>, phase<task<2>>>;
static_assert(with_phaseless::table() == std::array{phase_row{-1, 0, 2}, phase_row{0, 2, 3}});
static_assert(with_phaseless::phase_of(0) == -1 && with_phaseless::phase_of(2) == 0);

struct task_of_many_threads : task<6> {
  static constexpr int resident_threads = 1024;
};
static_assert(phase_queue<phaseless<task<0>, task_of_many_threads>>::resident_threads == 1024);
static_assert(queue::resident_threads == 0 && type_kernel_blocks<task<6>> == 1);
static_assert(type_kernel_blocks<task_of_many_threads> == 4);

using only_phaseless = phase_queue<phaseless<task<7>>>;
static_assert(only_phaseless::num_phases == 0 && only_phaseless::phase_of(0) == -1);

// Type 0 is phaseless, and each of the others has its own phase.
using ordered =
    phase_queue<phaseless<task<0>>, phase<task<1>>, phase<task<2>>, phase<task<3>>, phase<task<4>>>;
constexpr int phases = ordered::num_phases;

/// Returns the phase that a controller must run next, or -1 at the end. Types whose bit is set have
/// tasks. Tries the phases one by one, in circular order.
int expected_after(int current, unsigned types_with_tasks) {
  std::vector<int> circle;
  for (int p = current; p < phases; ++p) circle.push_back(p);
  for (int p = 0; p < current; ++p) circle.push_back(p);
  for (int const p : circle) {
    if ((types_with_tasks >> (p + 1) & 1U) != 0) return p;
  }
  return (types_with_tasks & 1U) != 0 ? current : -1;
}

template <class Body>
void for_all_situations(Body&& body) {
  for (int current = 0; current < phases; ++current) {
    for (unsigned tasks = 0; tasks < 1U << ordered::num_types; ++tasks) {
      BOOST_TEST_CONTEXT("phase " << current << ", types with tasks " << tasks) {
        body(current, tasks, expected_after(current, tasks));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_hosts_controller_goes_to_the_nearest_phase_with_tasks_in_a_circle) {
  for_all_situations([](int current, unsigned tasks, int expected) {
    std::uint32_t tails[ordered::num_types];
    for (int t = 0; t < ordered::num_types; ++t) tails[t] = 3 * (tasks >> t & 1U);
    fill_levels<ordered> levels;
    levels.read(tails);
    BOOST_TEST(levels.phase_after(current) == expected);
  });
}

BOOST_AUTO_TEST_CASE(tickets_that_were_given_out_are_not_waiting) {
  std::uint32_t tails[ordered::num_types]{};
  tails[2] = 5;
  fill_levels<ordered> levels;
  levels.read(tails);
  BOOST_TEST(levels.waiting(2) == 5U);
  BOOST_TEST(levels.take(2, 5) == 0U);
  BOOST_TEST(levels.phase_after(1) == -1);
  tails[2] = 7;
  levels.read(tails);
  BOOST_TEST(levels.waiting(2) == 2U);
  BOOST_TEST(levels.take(2, 2) == 5U);
}

BOOST_AUTO_TEST_CASE(the_devices_controller_goes_to_the_nearest_phase_with_tasks_in_a_circle) {
  for_all_situations([](int current, unsigned tasks, int expected) {
    for (bool const first_round : {true, false}) {
      controller_words<ordered> plan{};
      plan.reset();
      plan.phase = current;
      plan.begun = first_round ? 0 : 1;
      for (int t = 0; t < ordered::num_types; ++t) plan.waiting[t] = tasks >> t & 1U;
      plan.decide(true);
      BOOST_TEST((plan.over == 1) == (expected < 0));
      BOOST_TEST(plan.phase == (expected < 0 ? current : expected));
      BOOST_TEST(plan.changes == (plan.phase != current && !first_round ? 1U : 0U));
      for (int t = 0; t < ordered::num_types; ++t) {
        bool const may_run = t == 0 || t == plan.phase + 1;
        BOOST_TEST(plan.ready(t) == (may_run && plan.waiting[t] > 0));
      }
    }
  });
}

// The two types have workers of 32 and 8 threads, so a block of 256 threads has 8 or 32 workers.
BOOST_AUTO_TEST_CASE(while_some_queues_fill_several_blocks_only_those_are_served) {
  using two = phase_queue<phaseless<>, phase<task<5>, task<3>>>;
  auto const worth = [](std::uint32_t first, std::uint32_t second) {
    controller_words<two> plan{};
    plan.reset();
    plan.waiting[0] = first;
    plan.waiting[1] = second;
    plan.decide(false);
    return std::array{plan.should_serve(0), plan.should_serve(1)};
  };
  BOOST_TEST((worth(15, 63) == std::array{true, true}));
  BOOST_TEST((worth(16, 63) == std::array{true, false}));
  BOOST_TEST((worth(15, 64) == std::array{false, true}));
  BOOST_TEST((worth(16, 64) == std::array{true, true}));
  BOOST_TEST((worth(0, 1) == std::array{false, true}));
}

BOOST_AUTO_TEST_CASE(a_phase_lasts_while_its_last_tasks_run) {
  for_all_situations([](int current, unsigned tasks, int) {
    controller_words<ordered> plan{};
    plan.reset();
    plan.phase = current;
    for (int t = 0; t < ordered::num_types; ++t) plan.waiting[t] = tasks >> t & 1U;
    plan.decide(false);
    BOOST_TEST(plan.phase == current);
    BOOST_TEST(plan.over == 0U);
  });
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive
