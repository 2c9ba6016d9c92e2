// Compares the thesis's random graphs with their parameters, and graphs of common/taskgraph with
// their structure.

#include "pets/support/generate.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(generate_test)

using namespace gridloom::pets;
using gridloom::test::contains;

namespace {

std::string message_of(std::string const& specification, std::uint32_t processors = 2) {
  try {
    (void)generate(specification, processors, 1);
  } catch (gridloom::usage_error const& error) {
    return error.what();
  }
  return "no usage_error";
}

double mean_of(std::vector<time_value> const& values) {
  double sum = 0;
  for (time_value const value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

// Checks the properties of every random graph. Returns its levels.
graph_levels check_random(task_graph const& graph, std::uint32_t tasks, std::uint64_t edges,
                          std::uint32_t jump = 0) {
  BOOST_TEST(graph.num_tasks == tasks);
  BOOST_TEST(graph.num_edges() == edges);
  BOOST_TEST(graph.names.empty());
  graph_levels levels = levels_of(graph);
  BOOST_TEST(std::is_sorted(levels.level.begin(), levels.level.end()));
  std::uint64_t too_far = 0;
  std::uint64_t not_ascending = 0;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const children = graph.successors.of(task);
    for (std::size_t i = 0; i < children.size(); ++i) {
      too_far += jump != 0 && levels.level[children[i]] > levels.level[task] + jump ? 1 : 0;
      not_ascending += children[i] <= (i == 0 ? task : children[i - 1]) ? 1 : 0;
    }
  }
  BOOST_TEST(too_far == 0);
  BOOST_TEST(not_ascending == 0);
  return levels;
}

// FNV-1a over all numbers of a graph.
std::uint64_t fingerprint(task_graph const& graph) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  auto const mix = [&hash](auto const& numbers) {
    for (std::uint64_t number : numbers) {
      for (int byte = 0; byte < 8; ++byte, number >>= 8U) {
        hash = (hash ^ (number & 0xffU)) * 0x100000001b3U;
      }
    }
  };
  mix(graph.successors.offsets);
  mix(graph.successors.tasks);
  mix(graph.successors.weights);
  mix(graph.costs);
  return hash;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_generator_of_common_taskgraph_gives_the_structure) {
  task_graph const graph = generate("random:tasks=50,w=7,window=9,ccr=2,degree=3", 3, 5);
  gridloom::csr_graph const edges =
      gridloom::generate_graph("random:tasks=50,window=9,degree=3,seed=5");
  BOOST_TEST(graph.successors.tasks == edges.columns);
  BOOST_TEST(std::equal(edges.row_offsets.begin(), edges.row_offsets.end(),
                        graph.successors.offsets.begin(), graph.successors.offsets.end()));
  for (time_value const weight : graph.successors.weights) BOOST_REQUIRE(weight <= 28);
  BOOST_TEST(generate("star:", 2, 1).num_edges() == 100);
}

BOOST_AUTO_TEST_CASE(random_graphs_have_the_tasks_and_edges_asked_for) {
  check_random(generate("v=1000", 3, 1), 1000, 4000);
  check_random(generate("v=1000,beta=2.5", 3, 2), 1000, 2500);
  check_random(generate("v=5000,alpha=0.1,beta=3", 1, 3), 5000, 15000);
  check_random(generate("v=5000,alpha=10,beta=7", 2, 4), 5000, 35000);
  check_random(generate("v=2000,beta=6,jump=1", 2, 5), 2000, 12000, 1);
  check_random(generate("v=2000,beta=6,jump=3", 2, 6), 2000, 12000, 3);
  check_random(generate("v=300,alpha=2,beta=60", 2, 7), 300, 18000);
}

BOOST_AUTO_TEST_CASE(more_edges_than_there_is_room_for_fill_the_room) {
  check_random(generate("v=1", 1, 1), 1, 0);
  // Levels of one task each: a chain with edges between neighbours only, then with all pairs.
  graph_levels const chain = check_random(generate("v=50,alpha=1e-6,beta=9,jump=1", 1, 1), 50, 49);
  BOOST_TEST(chain.num_levels == 50);
  check_random(generate("v=50,alpha=1e-6,beta=1e6", 1, 1), 50, 50 * 49 / 2);
  check_random(generate("v=50,alpha=1e-6,beta=1e6,jump=2", 1, 1), 50, 49 + 48, 2);
  // A graph with one level has no edges.
  task_graph const flat = generate("v=50,alpha=1e6", 1, 1);
  BOOST_TEST(check_random(flat, 50, 0).num_levels == 1);
}

BOOST_AUTO_TEST_CASE(a_bound_holds_for_children_and_parents_and_costs_few_edges) {
  auto const most = [](adjacency const& edges) {
    std::uint32_t rows = 0;
    for (std::size_t task = 0; task + 1 < edges.offsets.size(); ++task)
      rows = std::max(rows, edges.offsets[task + 1] - edges.offsets[task]);
    return rows;
  };
  BOOST_TEST(most(generate("v=20000", 1, 3).successors) > 30U);
  for (std::string const more : {"", ",alpha=0.1", ",alpha=5", ",jump=1", ",beta=6"}) {
    BOOST_TEST_CONTEXT(more) {
      task_graph const graph = generate("v=20000,degree=8" + more, 1, 3);
      BOOST_TEST(most(graph.successors) == 8U);
      BOOST_TEST(most(graph.predecessors) <= 8U);
      check_random(graph, 20000, graph.num_edges(), more == ",jump=1" ? 1 : 0);
      BOOST_TEST(graph.num_edges() <= (more == ",beta=6" ? 120000U : 80000U));
      BOOST_TEST(graph.num_edges() > (more == ",beta=6" ? 108000U : 72000U));
    }
  }
  // Chains, and a bound that is none.
  BOOST_TEST(most(generate("v=300,degree=1", 1, 1).successors) == 1U);
  BOOST_TEST(fingerprint(generate("v=300,degree=300", 1, 1)) ==
             fingerprint(generate("v=300", 1, 1)));
  BOOST_TEST(contains(message_of("v=9,degree=-1"), "degree"));
}

BOOST_AUTO_TEST_CASE(without_further_edges_each_task_has_one_parent) {
  task_graph const graph = generate("v=3000,beta=0", 1, 1);
  graph_levels const levels = levels_of(graph);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    std::size_t const parents = graph.predecessors.of(task).size();
    BOOST_REQUIRE(parents == (levels.level[task] == 0 ? 0 : 1));
    if (parents != 0) {
      BOOST_REQUIRE(levels.level[graph.predecessors.of(task)[0]] + 1 == levels.level[task]);
    }
  }
}

BOOST_AUTO_TEST_CASE(alpha_sets_height_and_width) {
  constexpr double v = 10000;
  for (double const alpha : {0.25, 1.0, 4.0}) {
    double height = 0;
    std::size_t widest = 0;
    constexpr int graphs = 40;
    for (int seed = 0; seed < graphs; ++seed) {
      graph_levels const levels = levels_of(generate(
          "v=10000,beta=0,alpha=" + std::to_string(alpha), 1, static_cast<unsigned>(seed)));
      height += static_cast<double>(levels.num_levels) / graphs;
      std::vector<std::size_t> widths(levels.num_levels, 0);
      for (std::uint32_t const level : levels.level) ++widths[level];
      widest = std::max(widest, *std::max_element(widths.begin(), widths.end()));
    }
    double const width = alpha * std::sqrt(v);
    BOOST_TEST(std::abs(height - std::sqrt(v) / alpha) < 0.05 * std::sqrt(v) / alpha + 0.7);
    BOOST_TEST(static_cast<double>(widest) <= 2 * width - 1);
    BOOST_TEST(static_cast<double>(widest) > 1.8 * width);
  }
}

// There are 400,000 edges, 100,000 of them in the tree. A task draws 0 to 6 further children,
// uniformly.
BOOST_AUTO_TEST_CASE(further_children_are_uniform_in_number) {
  task_graph const graph = generate("v=100000", 1, 11);
  graph_levels const levels = levels_of(graph);
  std::vector<std::uint32_t> degrees(64, 0);
  std::uint32_t late = 0;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    ++degrees[std::min<std::size_t>(graph.successors.of(task).size(), 63)];
    late += levels.level[task] + 1 == levels.num_levels ? 1 : 0;
  }
  // One in 7 of the tasks without a child in the tree draws 0 further children.
  BOOST_TEST(degrees[0] - late > 100000 / 7 / 5);
  BOOST_TEST(degrees[0] - late < 100000 / 7);
  double squares = 0;
  for (std::size_t d = 0; d < degrees.size(); ++d) {
    squares += degrees[d] * (static_cast<double>(d) - 4) * (static_cast<double>(d) - 4) / 100000;
  }
  // The uniform part has variance (7^2 - 1) / 12 = 4; the tree adds more than 0.5.
  BOOST_TEST(squares > 4.5);
  BOOST_TEST(squares < 9);
}

// In a chain, the tree gives task 0 the child 1. All other children are equally likely in any row.
BOOST_AUTO_TEST_CASE(children_are_uniform_over_later_levels) {
  for (char const* const beta : {"1.5", "2.5", "4"}) {
    std::vector<unsigned> times(12, 0);
    constexpr unsigned graphs = 6000;
    double further = 0;
    for (unsigned seed = 0; seed < graphs; ++seed) {
      task_graph const graph = generate(std::string{"v=12,alpha=1e-6,beta="} + beta, 1, seed);
      for (std::uint32_t const child : graph.successors.of(0)) {
        ++times[child];
        further += child != 1 ? 1 : 0;
      }
    }
    BOOST_TEST(times[1] == graphs);
    for (unsigned child = 2; child < 12; ++child) {
      // The bound is five standard deviations of a count.
      BOOST_TEST(std::abs(times[child] - further / 10) < 5 * std::sqrt(further / 10));
    }
  }
}

BOOST_AUTO_TEST_CASE(costs_and_weights_have_their_means_and_ranges) {
  task_graph const graph = generate("v=20000,ccr=2.5,eta=0.5,w=100", 8, 3);
  BOOST_TEST(std::abs(mean_of(graph.costs) - 100) < 2);
  BOOST_TEST(std::abs(mean_of(graph.successors.weights) - 250) < 3);
  auto const [least, most] =
      std::minmax_element(graph.successors.weights.begin(), graph.successors.weights.end());
  BOOST_TEST(*least == 0);
  BOOST_TEST(*most == 500);
  double widest = 0;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const costs = graph.costs_of(task);
    auto const [low, high] = std::minmax_element(costs.begin(), costs.end());
    BOOST_REQUIRE(*low >= 1);
    BOOST_REQUIRE(*high <= 250);
    // All values are within 1/4 of a common mean, up to rounding.
    BOOST_REQUIRE((static_cast<double>(*high) - 0.5) * 0.75 <=
                  (static_cast<double>(*low) + 0.5) * 1.25);
    if (*low > 50)
      widest = std::max(widest, static_cast<double>(*high) / static_cast<double>(*low));
  }
  BOOST_TEST(widest > 1.5);
}

BOOST_AUTO_TEST_CASE(the_extremes_of_eta_and_ccr_hold) {
  task_graph const even = generate("v=500,eta=0,ccr=0", 5, 3);
  for (std::uint32_t task = 0; task < even.num_tasks; ++task) {
    for (time_value const cost : even.costs_of(task)) BOOST_REQUIRE(cost == even.costs_of(task)[0]);
  }
  for (time_value const weight : even.successors.weights) BOOST_REQUIRE(weight == 0);
  task_graph const wild = generate("v=1500,eta=2,w=1000000000", 4, 3);
  time_value const most = *std::max_element(wild.costs.begin(), wild.costs.end());
  BOOST_TEST(most > 3'000'000'000);
  BOOST_TEST(most < 4'000'000'000);
  task_graph const least = generate("v=200,w=1", 4, 3);
  for (time_value const cost : least.costs) BOOST_REQUIRE((cost >= 1 && cost <= 3));
}

BOOST_AUTO_TEST_CASE(a_seed_gives_one_graph_everywhere) {
  BOOST_TEST(fingerprint(generate("v=1000", 3, 7)) == fingerprint(generate("v=1000", 3, 7)));
  BOOST_TEST(fingerprint(generate("v=1000", 3, 7)) != fingerprint(generate("v=1000", 3, 8)));
  // Hashes computed on one machine, which every other must reproduce.
  BOOST_TEST(fingerprint(generate("v=1000,alpha=0.7,beta=3.3,ccr=0.3,eta=0.9", 3, 7)) ==
             8432559173860202174U);
  BOOST_TEST(fingerprint(generate("v=200,beta=50,jump=9", 2, 7)) == 3510937222788004807U);
}

BOOST_AUTO_TEST_CASE(parameters_of_costs_leave_the_rest_as_it_is) {
  task_graph const base = generate("v=1000", 3, 7);
  task_graph const uneven = generate("v=1000,eta=1.5", 8, 7);
  BOOST_TEST(base.successors.tasks == uneven.successors.tasks);
  BOOST_TEST(base.successors.weights == uneven.successors.weights);
  task_graph const heavy = generate("v=1000,ccr=10", 3, 7);
  BOOST_TEST(base.successors.tasks == heavy.successors.tasks);
  BOOST_TEST(base.costs == heavy.costs);
}

BOOST_AUTO_TEST_CASE(bad_specifications_are_refused_in_one_line) {
  std::vector<std::pair<std::string, std::string>> const cases{
      {"", "generator: expected v=V,"},
      {"alpha=1", "generator: v: expected a whole number from 1 to 2147483646, got \"\""},
      {"v=0", "generator: v: expected a whole number from 1 to 2147483646, got \"0\""},
      {"v=2147483647", "generator: v: expected"},
      {"v=-1", "generator: v: expected"},
      {"v=1e3", "generator: v: expected"},
      {"v=", "generator: v: expected"},
      {"v=9,v=9", "generator: v: expected once, got \"v=9,v=9\""},
      {"v=9,gamma=1",
       "generator: expected one of the keys v, alpha, beta, ccr, eta, w, jump, degree, got"},
      {"v=9,", "generator: expected KEY=VALUE, got \"\""},
      {"v", "generator: expected KEY=VALUE, got \"v\""},
      {"v=9,alpha=0", "generator: alpha: expected"},
      {"v=9,alpha=nan", "generator: alpha: expected"},
      {"v=9,beta=-1", "generator: beta: expected"},
      {"v=9,beta=four", "generator: beta: expected"},
      {"v=9,ccr=-0.1", "generator: ccr: expected"},
      {"v=9,eta=2.1", "generator: eta: expected a number from 0 to 2, got \"2.1\""},
      {"v=9,w=0", "generator: w: expected"},
      {"v=9,w=1.5", "generator: w: expected"},
      {"v=9,jump=-1", "generator: jump: expected"},
      {"v=100000,beta=45000", "generator: beta: expected at most 4294967294 edges, got 4500000000"},
      {"v=20000,beta=200,w=1000000000,ccr=1000000", "generator: expected costs, and weights"},
      {"v=9,m=4", "generator: expected one of the keys"},
      {":v=9", "generator: expected one of lattice, "},
      {"what:m=4", "generator: expected one of lattice, "},
      {"fft:m=4", "fft: expected one of the keys "},
      {"fft:width=0", "fft: width: expected"},
      {"fft:width=4,ccr=-1", "fft: ccr: expected"},
      {"fft:seed=4", "fft: seed: expected once"},
  };
  for (auto const& [specification, start] : cases) {
    std::string const message = message_of(specification);
    BOOST_TEST_CONTEXT(specification << " gives: " << message) {
      BOOST_TEST(message.starts_with(start));
      BOOST_TEST(contains(message, ", got "));
      BOOST_TEST(!contains(message, "\n"));
    }
  }
  BOOST_TEST(message_of("topcuoglu", 2) == "topcuoglu: expected 3 processors, got 2");
  BOOST_TEST(message_of("v=9", 4097) == "generator: expected from 1 to 4096 processors, got 4097");
}

BOOST_AUTO_TEST_CASE(the_help_has_a_line_for_each_kind) {
  std::string const help = generator_help();
  BOOST_TEST(std::count(help.begin(), help.end(), '\n') == 3);
  for (char const* const key :
       {"v=", "alpha=", "beta=", "jump=", "ccr=", "eta=", "w=", "GENERATOR:"}) {
    BOOST_TEST(contains(help, key));
  }
}

BOOST_AUTO_TEST_CASE(parameters_are_those_asked_for_and_defaults) {
  graph_parameters const random = parameters_of("v=30,alpha=0.5,ccr=2,jump=3");
  BOOST_TEST(random.kind == "random");
  BOOST_TEST(random.v == 30);
  BOOST_TEST(random.alpha == 0.5);
  BOOST_TEST(random.beta == 4);
  BOOST_TEST(random.ccr == 2);
  BOOST_TEST(random.eta == 0.5);
  BOOST_TEST(random.jump == 3);
  graph_parameters const fft = parameters_of("fft:width=5,eta=1");
  BOOST_TEST(fft.kind == "fft");
  BOOST_TEST(fft.eta == 1);
  BOOST_TEST(fft.ccr == 1);
  BOOST_TEST(fft.alpha == -1);
  BOOST_TEST(parameters_of("topcuoglu").ccr == -1);
  BOOST_CHECK_THROW((void)parameters_of("v=x"), gridloom::usage_error);
  BOOST_CHECK_THROW((void)parameters_of("fft:eta=3"), gridloom::usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
