// The counting warps of hand_over, whose threads pass tasks to each other.

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "batch_graphs.hpp"
#include "modelled_block.hpp"
#include "pets/ours/kernels/hand_over.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/generate.hpp"

namespace gridloom::pets::test {

BOOST_AUTO_TEST_SUITE(hand_over_threads_test)
namespace {

// Words of a launch after entry discovery.
struct launch_words {
  explicit launch_words(task_graph const& graph)
      : missing(graph.num_tasks), order(graph.num_tasks), surplus(graph.num_tasks) {
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      missing[task] = static_cast<std::uint32_t>(graph.predecessors.of(task).size());
      if (missing[task] == 0) order[entries++] = task + 1;
    }
    surplus = order;
    placed = pushed = entries;
  }
  hand_over_words ref() {
    return {missing.data(), order.data(), &placed, surplus.data(), &pushed, &drawn, &next};
  }
  std::vector<std::uint32_t> missing;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> surplus;
  std::uint32_t entries = 0;
  std::uint32_t placed = 0;
  std::uint32_t pushed = 0;
  std::uint32_t drawn = 0;
  std::uint32_t next = 0;
};

// The part of each rank that depends only on the task.
std::vector<time_value> own_of(task_graph const& graph) {
  std::vector<time_value> own = cost_sums(graph);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    own[task] = rounded_mean(own[task], graph.num_processors);
    for (time_value const weight : graph.successors.weights_of(task)) own[task] += weight;
  }
  return own;
}

bool is_topological(task_graph const& graph, std::vector<std::uint32_t> const& order) {
  std::uint32_t const none = graph.num_tasks;
  std::vector<std::uint32_t> place(graph.num_tasks, none);
  for (std::uint32_t i = 0; i < graph.num_tasks; ++i) {
    std::uint32_t const task = order[i] - 1;
    if (task >= graph.num_tasks || place[task] != none) return false;
    place[task] = i;
  }
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    for (std::uint32_t const child : graph.successors.of(task)) {
      if (place[task] > place[child]) return false;
    }
  }
  return true;
}

// Returns the number of tasks, other than entries, for which a warp had no free thread.
std::uint32_t check(modelled_threads& threads, int blocks, task_graph const& graph) {
  device machine("host", 0);
  device_graph const there(machine, graph);
  auto const own = own_of(graph);
  std::vector<tagged<time_value>> found(graph.num_tasks, tagged<time_value>{});
  launch_words words(graph);
  watchdog dog(machine, blocks, 60);
  hand_over_kernel const run{{there.ref(), own.data(), found.data()}, words.ref(), dog.arm()};
  std::vector<hand_over_kernel::scratch> scratch(static_cast<std::size_t>(blocks));
  std::memset(static_cast<void*>(scratch.data()), 0xa5, scratch.size() * sizeof(scratch[0]));
  threads.run([&](int thread) {
    modelled_block const block{threads, thread, blocks};
    run(block, scratch[static_cast<std::size_t>(block.index())]);
  });
  BOOST_REQUIRE(!dog.fired());
  priorities const right = priorities_of(graph);
  bool same = true;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    same =
        same && found[task].tag == right.level[task] + 1 && found[task].value == right.rank[task];
  }
  BOOST_TEST(same);
  BOOST_TEST(words.placed == graph.num_tasks);
  BOOST_TEST(is_topological(graph, words.order));
  return words.pushed - words.entries;
}

// Adds the results of `check` for blocks of all sizes, and for grids whose odd blocks only compute.
std::uint32_t check(task_graph const& graph, std::string const& name) {
  std::uint32_t pushed = 0;
  auto const in_blocks = [&](modelled_threads& threads, char const* order, int blocks) {
    BOOST_TEST_CONTEXT(name << ", " << threads.threads() << " threads in " << order << " order, "
                            << blocks << " blocks") {
      pushed += check(threads, blocks, graph);
    }
  };
  with_threads({32, 64, 96, 128}, [&](modelled_threads& threads, char const* order) {
    in_blocks(threads, order, 1);
    if (threads.threads() == 128) {
      in_blocks(threads, order, 2);
      in_blocks(threads, order, 4);
    }
  });
  return pushed;
}

BOOST_AUTO_TEST_CASE(chains) {
  for (std::uint32_t const n : {1U, 2U, 40U}) {
    check(ladder(n, 1, 3), "chain");
    check(reversed(ladder(n, 1, 3)), "chain of falling numbers");
  }
  check(ladder(80, 40, 3), "ladder");
  check(reversed(ladder(80, 40, 3)), "ladder of falling numbers");
  check(layered(std::vector<std::uint32_t>(8, 45), 3,
                [](std::size_t, std::uint32_t i, std::uint32_t j) { return i == j; }),
        "45 chains");
}

BOOST_AUTO_TEST_CASE(fans) {
  for (std::uint32_t const n : {7U, 8U, 9U, 32U, 33U, 64U, 65U, 257U, 2000U}) {
    check(complete({1, n}, 3), "fan of " + std::to_string(n));
    if (n < 100) check(complete({1, n, 1, n, 1}, 3), "fans in turn of " + std::to_string(n));
  }
}

// Several threads of a warp have many successors each, while others have few or none.
BOOST_AUTO_TEST_CASE(several_fans_in_one_graph) {
  check(complete({3, 2000}, 3), "3 tasks before 2000");
  for (std::uint32_t const n : {33U, 257U}) {
    std::string const name = std::to_string(n);
    check(complete({1, 40, n}, 3), "40 tasks before " + name);
    auto const one_of_29 = [](std::size_t layer, std::uint32_t i, std::uint32_t j) {
      return layer != 1 || i == 5 || (i % 2 == 1 && i == j);
    };
    check(layered({1, 29, n, 1}, 3, one_of_29), "one of 29 tasks before " + name);
  }
  auto const each_its_own = [](std::size_t layer, std::uint32_t i, std::uint32_t j) {
    return layer != 1 || j / 50 == i;
  };
  check(layered({1, 12, 12 * 50, 1}, 3, each_its_own), "12 fans of 50");
}

BOOST_AUTO_TEST_CASE(more_ready_tasks_than_threads) {
  BOOST_TEST(check(complete({1, 257, 1, 600, 9}, 3), "wide") > 0U);
  BOOST_TEST(check(complete({1, 20, 1}, 3), "narrow") == 0U);
}

BOOST_AUTO_TEST_CASE(generated_graphs) {
  for (char const* specification :
       {"v=1,beta=0", "v=200,alpha=0.3", "v=300,alpha=3,beta=9", "v=500,alpha=8,beta=9",
        "fft:width=8,steps=4", "sweep:width=12,steps=23", "random_nearest:width=8,steps=7",
        "v=300,jump=1,ccr=0,w=1,eta=0", "v=700,beta=0,alpha=100"}) {
    task_graph const graph = generate(specification, 3, 2);
    check(graph, specification);
    check(reversed(graph), std::string(specification) + " of falling numbers");
  }
}

BOOST_AUTO_TEST_CASE(large_times) {
  check(scaled(generate("v=200,alpha=3", 3, 2), time_value{1} << 36U), "large times");
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets::test
