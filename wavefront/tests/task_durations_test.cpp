// Durations have the distributions of their names and are equal for all algorithms.

#include "gridloom/taskgraph/task_durations.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "gridloom/taskgraph/drawn_work.hpp"
#include "scheduler_checks.hpp"

BOOST_AUTO_TEST_SUITE(task_durations_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

constexpr task_durations all_kinds[] = {task_durations::constant, task_durations::uniform,
                                        task_durations::exponential, task_durations::rare_long};

std::vector<float> draws(task_durations kind, std::uint32_t seed, std::uint32_t n) {
  std::vector<float> all;
  for (std::uint32_t task = 0; task < n; ++task) all.push_back(duration_of(kind, seed, task));
  return all;
}

/// Share of the draws that are at most x.
double share(std::vector<float> const& all, float x) {
  auto const n = std::count_if(all.begin(), all.end(), [x](float d) { return d <= x; });
  return static_cast<double>(n) / static_cast<double>(all.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(draws_have_the_shares_of_their_distribution) {
  constexpr std::uint32_t n = 200'000;
  for (std::uint32_t const seed : {1U, 2U, 77U}) {
    for (auto const kind : all_kinds) {
      auto const all = draws(kind, seed, n);
      double sum = 0;
      for (float const d : all) sum += d;
      BOOST_TEST(std::abs(sum / n - 1) < 0.03, sum / n);
      BOOST_TEST(*std::min_element(all.begin(), all.end()) > 0);
    }
    auto const uniform = draws(task_durations::uniform, seed, n);
    for (float const x : {0.2F, 1.0F, 1.8F}) BOOST_TEST(std::abs(share(uniform, x) - x / 2) < 0.01);
    BOOST_TEST(*std::max_element(uniform.begin(), uniform.end()) < 2);
    auto const exponential = draws(task_durations::exponential, seed, n);
    for (float const x : {0.1F, 1.0F, 4.0F})
      BOOST_TEST(std::abs(share(exponential, x) - (1 - std::exp(-x))) < 0.01);
    auto const rare = draws(task_durations::rare_long, seed, n);
    auto const usual = *std::min_element(rare.begin(), rare.end());
    BOOST_TEST(std::abs(share(rare, usual) - 0.99) < 0.001);
    std::set<float> const lengths(rare.begin(), rare.end());
    BOOST_REQUIRE(lengths.size() == 2U);
    BOOST_TEST(std::abs(*lengths.rbegin() / usual - 50) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(a_duration_depends_only_on_seed_and_task) {
  for (auto const kind : all_kinds) {
    BOOST_TEST((draws(kind, 5, 1000) == draws(kind, 5, 1000)));
    bool const same = draws(kind, 5, 1000) == draws(kind, 6, 1000);
    BOOST_TEST(same == (kind == task_durations::constant));
  }
}

BOOST_AUTO_TEST_CASE(work_is_summed_over_tasks_and_along_the_longest_path) {
  device machine("host", 0);
  constexpr auto kind = task_durations::exponential;
  auto const d = [](std::uint32_t task) { return double{duration_of(kind, 3, task)}; };
  // The tasks of the lattice:
  //   0 1
  //   2 3
  auto square = make_store(machine, lattice_of(2, 2));
  drawn_work const found = work_of(square, kind, 3);
  BOOST_TEST(std::abs(found.total - (d(0) + d(1) + d(2) + d(3))) < 1e-5);
  BOOST_TEST(std::abs(found.path - (d(0) + std::max(d(1), d(2)) + d(3))) < 1e-5);
  // The same edges as a graph from a file, whose numbers are no topological order.
  device_graph falling(machine,
                       graph_of_edges(4, std::vector<graph_edge>{{3, 2}, {3, 1}, {2, 0}, {1, 0}}));
  drawn_work const same = work_of(falling, kind, 3);
  BOOST_TEST(std::abs(same.total - found.total) < 1e-5);
  BOOST_TEST(std::abs(same.path - found.path) < 1e-5);
  for (auto const& graph : {lattice_of(4, 5), star(9)}) {
    auto store = make_store(machine, graph);
    drawn_work const constant = work_of(store, task_durations::constant, 3);
    BOOST_TEST(constant.total == store.tasks());
    BOOST_TEST(constant.path == store.depth());
  }
}

BOOST_AUTO_TEST_SUITE_END()
