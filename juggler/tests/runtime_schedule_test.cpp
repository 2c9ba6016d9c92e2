// The runtime under thousands of seeded schedules on a weak memory. Every task must run once, after
// its parents, and the run must end. scripts/tests/test_queue_mutations.py checks that this test
// finds faults put into the runtime.

#include "runtime_scenes.hpp"

BOOST_AUTO_TEST_SUITE(juggler_runtime_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

/// Inserts into slot queues more often than our policy does.
struct first_by_slots : local_first {
  static constexpr char const* name = "lf by slots";
  using inbox = slot_inbox;
};

template <class Policy>
void explore_policy() {
  for (small_graph const& graph : graphs) {
    for (int const workers : {1, 2, 3}) {
      for (shape const block : {shape::one_thread, shape::one_warp, shape::two_warps}) {
        explore(std::string(Policy::name) + ", " + graph.name + ", workers " +
                    std::to_string(workers) + ", shape " + std::to_string(static_cast<int>(block)),
                seeds_from(500),
                [&](schedule& on) { return scene<Policy>(on, graph, workers, block); });
      }
    }
  }
}

/// If a queue is too short, the run must end with its number.
template <class Policy>
class short_scene : public scene<Policy> {
 public:
  using scene<Policy>::scene;
  [[nodiscard]] std::string verdict() const {
    std::uint64_t const queue = this->on_->memory().newest(&this->context_.words->overflowed);
    if (queue == 0) return scene<Policy>::verdict();
    return queue <= this->context_.workers ? "" : "no such queue";
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(local_round_robin_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_round_robin>();
}
BOOST_AUTO_TEST_CASE(global_round_robin_runs_every_task_once_in_order_and_ends) {
  explore_policy<global_round_robin>();
}
BOOST_AUTO_TEST_CASE(queues_read_by_whole_blocks_run_every_task_once_in_order_and_end) {
  explore_policy<global_round_robin_by_block>();
}
BOOST_AUTO_TEST_CASE(local_first_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_first>();
}
BOOST_AUTO_TEST_CASE(local_first_of_task_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_first_of_task>();
}
BOOST_AUTO_TEST_CASE(local_then_shorter_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_then_shorter>();
}

BOOST_AUTO_TEST_CASE(queues_of_slots_run_every_task_once_in_order_and_end) {
  explore_policy<local_then_shorter_slots>();
  explore_policy<first_by_slots>();
}

BOOST_AUTO_TEST_CASE(a_ring_of_one_entry_serves_a_chain) {
  for (int const workers : {1, 2, 3}) {
    explore("ring, chain, workers " + std::to_string(workers), seeds_from(2000), [&](schedule& on) {
      return scene<local_round_robin>(on, graphs[4], workers, shape::one_warp, 1);
    });
    explore("ring of slots, chain, workers " + std::to_string(workers), seeds_from(2000),
            [&](schedule& on) {
              return scene<first_by_slots>(on, graphs[4], workers, shape::one_warp, 1);
            });
  }
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_too_short_ends_the_run) {
  for (small_graph const* graph : {&graphs[1], &graphs[2], &graphs[5]}) {
    for (std::uint32_t const length : {1U, 2U, 3U}) {
      // The tasks ready at the start already need more places.
      if (graph == &graphs[5] && length < 3) continue;
      explore(std::string("short queues, ") + graph->name, seeds_from(1000), [&](schedule& on) {
        return short_scene<local_first>(on, *graph, 2, shape::one_warp, length);
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
