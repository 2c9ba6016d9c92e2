// A device's placements equal the host's, for all numbers of processors, sizes of levels and times.

#include <boost/test/unit_test.hpp>
#include <string>

#include "batch_graphs.hpp"
#include "gridloom/error.hpp"
#include "pets/ours/device_selection.hpp"
#include "pets/ours/radix_order.hpp"
#include "pets/ours/single_launch.hpp"
#include "pets/pets.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/support/generate.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::pets;
using namespace gridloom::test;
using gridloom::pets::test::scaled;

namespace {

struct ordered {
  ordered(device& machine, task_graph const& graph)
      : there(machine, graph),
        metrics(make_hand_over(machine, graph, &there, {30, 0, 0})),
        order(machine, graph.num_tasks) {
    metrics->discover_entries();
    metrics->compute();
    order.sort(metrics->found());
    metrics->require_done();
  }
  device_graph there;
  std::unique_ptr<device_metrics> metrics;
  radix_order order;
};

// If `wide`, times must need words of 64 bits.
void check(task_graph const& graph, std::string const& name, bool wide = false,
           policy how = policy::append) {
  schedule const right = gridloom::pets::pets(graph, how);
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!machine.is_host() && on.shape.threads % 32 != 0) return;
    BOOST_TEST_CONTEXT(name << ", " << graph.num_processors << " processors") {
      ordered const by(machine, graph);
      // 0 means the best number of threads.
      for (int const threads : {on.shape.threads, 0}) {
        device_selection selected(machine, graph.num_tasks, by.there.num_edges(), 30, threads, how);
        for (int turn = 0; turn < 2; ++turn) {
          selected.select(by.there, by.order.found());
          schedule const made = selected.result();
          BOOST_TEST((made.of == right.of));
          BOOST_TEST((made.order == right.order));
          BOOST_TEST(selected.was_wide() == wide);
        }
      }
    }
  });
}

// Independent tasks on one processor.
task_graph alone(std::size_t n, time_value cost) {
  return make_task_graph({std::vector<std::uint64_t>(n + 1, 0), {}}, {},
                         std::vector<time_value>(n, cost), 1, "alone");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pets_device_selection)

BOOST_AUTO_TEST_CASE(placements_equal_the_hosts) {
  for (char const* specification :
       {"v=1,beta=0", "v=2500,alpha=0.3", "v=2500,alpha=8,beta=9,ccr=3", "v=900,jump=1,ccr=0,eta=0",
        "v=1500,w=1,eta=0,ccr=1", "fft:width=32,steps=6", "random_nearest:width=15,steps=11"}) {
    for (std::uint32_t const processors : {1U, 3U, 8U, 13U, 32U}) {
      check(generate(specification, processors, 6), specification);
    }
  }
}

BOOST_AUTO_TEST_CASE(levels_wider_than_chunks_of_all_sizes) {
  for (char const* v : {"255", "256", "257", "600", "1025"}) {
    check(generate(std::string("v=") + v + ",beta=0,alpha=100", 8, 3), v);
  }
}

BOOST_AUTO_TEST_CASE(times_beyond_32_bits_take_words_of_64) {
  task_graph const graph = generate("v=700", 5, 2);
  check(scaled(graph, 1U << 28U), "large", true);
  check(scaled(graph, 1U << 10U), "not so large");
  // Up to four processors leave 29 of 32 bits for a time. Three of these costs fit, five do not.
  check(alone(3, time_value{1} << 27U), "three");
  check(alone(5, time_value{1} << 27U), "five", true);
}

// The faster kernels have at most 61 bits for times.
BOOST_AUTO_TEST_CASE(times_of_up_to_63_bits_are_placed) {
  check(alone(2, time_value{1} << 61U), "two", true);
  check(alone(2, most_total / 2), "as large as there are", true);
}

BOOST_AUTO_TEST_CASE(more_processors_than_a_warp_has_threads) {
  for (std::uint32_t const processors : {33U, 64U, 100U, 257U}) {
    check(generate("v=700,beta=4,ccr=3", processors, 6), "random", true);
    check(generate("fft:width=16,steps=5", processors, 2), "fft", true);
  }
  check(generate("v=40,alpha=3", 4096, 2), "as many as there are", true);
}

// Large transfers make gaps; equal costs make ties; costs of 0 make empty tasks.
BOOST_AUTO_TEST_CASE(insertion_finds_the_gaps_that_the_host_finds) {
  for (char const* specification :
       {"v=1,beta=0", "v=2500,alpha=0.3,ccr=5", "v=2500,alpha=8,beta=9,ccr=3",
        "v=1500,ccr=10,eta=2", "v=1500,w=1,eta=0,ccr=1", "v=900,jump=0,ccr=8,eta=1",
        "fft:width=32,steps=6", "random_nearest:width=15,steps=11"}) {
    for (std::uint32_t const processors : {1U, 3U, 8U, 32U, 40U}) {
      check(generate(specification, processors, 6), specification, true, policy::insertion);
    }
  }
  check(scaled(generate("v=700,ccr=8", 5, 2), time_value{1} << 40U), "large times", true,
        policy::insertion);
}

BOOST_AUTO_TEST_CASE(tasks_without_cost_are_inserted_as_on_the_host) {
  for (std::uint64_t const seed : {1U, 2U, 3U, 4U, 5U}) {
    task_graph graph = generate("v=1200,ccr=4,beta=3", 6, seed);
    for (std::size_t i = 0; i < graph.costs.size(); i += 3) graph.costs[i] = 0;
    check(graph, "some cost nothing", true, policy::insertion);
  }
}

BOOST_AUTO_TEST_CASE(levels_wider_than_chunks_are_inserted) {
  for (char const* v : {"511", "512", "513", "1025"}) {
    check(generate(std::string("v=") + v + ",beta=0,alpha=100", 8, 3), v, true, policy::insertion);
  }
}

BOOST_AUTO_TEST_CASE(parts_of_warps_are_refused_on_a_device) {
  on_each_machine([&](test_machine const& /*on*/, device& machine) {
    if (machine.is_host()) return;
    task_graph const graph = alone(2, 1);
    device_graph const there(machine, graph);
    for (int const threads : {1, 33}) {
      BOOST_CHECK_THROW(device_selection(machine, 2, 0, 30, threads), usage_error);
      BOOST_CHECK_THROW((void)make_hand_over(machine, graph, &there, {30, 1, threads}),
                        usage_error);
    }
  });
}

BOOST_AUTO_TEST_CASE(graphs_that_exceed_memory_are_refused) {
  device machine("host", 0);
  task_graph const graph = alone(3, 1);
  ordered const by(machine, graph);
  radix_order small(machine, 2);
  BOOST_CHECK_THROW(small.sort(by.metrics->found()), std::invalid_argument);
  device_selection selected(machine, 2, 0, 30);
  BOOST_CHECK_THROW(selected.select(by.there, by.order.found()), std::invalid_argument);
}

// Words of 32 bits hold times relative to a base. The base advances with the processors' finish
// times, also within levels. So the times themselves may exceed 32 bits.
BOOST_AUTO_TEST_CASE(many_small_steps_fit_32_bits) {
  time_value const step = time_value{1} << 24U;
  for (std::uint32_t const processors : {1U, 3U, 8U}) {
    // 200 levels with one task per processor; with one processor, a chain.
    csr_graph edges{{0}, {}};
    std::uint32_t const n = 200 * processors;
    for (std::uint32_t task = 0; task < n; ++task) {
      if (task + processors < n) edges.columns.push_back(task + processors);
      edges.row_offsets.push_back(edges.columns.size());
    }
    std::vector<time_value> weights(edges.columns.size(), 1);
    std::vector<time_value> costs(std::size_t{n} * processors, step);
    task_graph const graph = make_task_graph(edges, weights, costs, processors, "steps");
    check(graph, "levels");
  }
  check(alone(10000, time_value{1} << 19U), "one level");
  // These times exceed the 61 bits that a word of 64 bits has for a time.
  check(scaled(
            make_task_graph({{0, 1, 2, 3, 4, 5, 5}, {1, 2, 3, 4, 5}}, std::vector<time_value>(5, 0),
                            std::vector<time_value>(6, 1), 1, "chain"),
            time_value{1} << 60U),
        "long chain", true);
}

BOOST_AUTO_TEST_CASE(a_time_limit_ends_a_selection) {
  task_graph const graph = generate("v=2500,alpha=0.3", 8, 6);
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!machine.is_host() && on.shape.threads % 32 != 0) return;
    ordered const by(machine, graph);
    for (policy const how : {policy::append, policy::insertion}) {
      device_selection selected(machine, graph.num_tasks, by.there.num_edges(), 1e-9,
                                on.shape.threads, how);
      std::string const text = gridloom::test::error_text<run_error>(
          [&] { selected.select(by.there, by.order.found()); });
      BOOST_TEST(contains(text, "selection of processors"));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
