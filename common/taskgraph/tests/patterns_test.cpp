#include "gridloom/taskgraph/patterns.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "edges_text.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(patterns_test)

using namespace gridloom;
using gridloom::test::edges_of;
using gridloom::test::message_of;

BOOST_AUTO_TEST_CASE(small_patterns_have_the_edges_of_task_bench) {
  struct expected {
    std::string name;
    std::uint64_t width, steps, tasks;
    std::string edges;
    pattern_parameters parameters = {};
  };
  std::string const complete = "0-3 0-4 0-5 1-3 1-4 1-5 2-3 2-4 2-5";
  for (expected const& one : std::vector<expected>{
           {"trivial", 3, 2, 6, ""},
           {"no_comm", 2, 3, 6, "0-2 1-3 2-4 3-5"},
           {"stencil_1d", 3, 2, 6, "0-3 0-4 1-3 1-4 1-5 2-4 2-5"},
           {"stencil_1d_periodic", 4, 2, 8, "0-4 0-5 0-7 1-4 1-5 1-6 2-5 2-6 2-7 3-4 3-6 3-7"},
           {"stencil_1d_periodic", 2, 2, 4, "0-2 0-3 1-2 1-3"},
           {"sweep", 3, 5, 9, "0-1 0-2 1-3 1-4 2-4 2-5 3-6 4-6 4-7 5-7 6-8 7-8"},
           // With three steps instead of five, task 2 depends on none.
           {"sweep", 3, 3, 4, "0-1 1-3 2-3"},
           // Distances 1, 2 and 1.
           {"fft", 4, 4, 16,
            "0-4 0-5 1-4 1-5 1-6 2-5 2-6 2-7 3-6 3-7 4-8 4-10 5-9 5-11 6-8 6-10 7-9 7-11 "
            "8-12 8-13 9-12 9-13 9-14 10-13 10-14 10-15 11-14 11-15"},
           {"fft", 3, 3, 9, "0-3 0-4 1-3 1-4 1-5 2-4 2-5 3-6 3-8 4-7 5-6 5-8"},
           {"tree", 4, 3, 7, "0-1 0-2 1-3 1-4 2-5 2-6"},
           {"tree", 3, 4, 9, "0-1 0-2 1-3 1-4 2-5 3-6 3-7 4-8"},
           {"all_to_all", 3, 2, 6, complete},
           {"nearest", 3, 2, 6, "0-3 0-4 1-3 1-4 1-5 2-4 2-5"},
           {"nearest", 3, 2, 6, "0-3 1-4 2-5", {.radix = 1}},
           {"nearest", 3, 2, 6, "0-3 0-4 1-4 1-5 2-5", {.radix = 2}},
           {"nearest", 4, 2, 8, "0-4 0-5 0-6 1-4 1-5 1-6 1-7 2-5 2-6 2-7 3-6 3-7", {.radix = 4}},
           {"nearest", 3, 2, 6, complete, {.radix = 99}},
           // Distances 3 + 1 and then 3 + 0.
           {"spread",
            6,
            3,
            18,
            "0-6 0-8 1-7 1-9 2-8 2-10 3-9 3-11 4-6 4-10 5-7 5-11 "
            "6-12 6-15 7-13 7-16 8-14 8-17 9-12 9-15 10-13 10-16 11-14 11-17",
            {.radix = 2, .period = 2}},
           {"spread", 3, 2, 6, complete},
           {"random_nearest", 3, 2, 6, "0-3 1-4 2-5", {.fraction = 0}},
           {"random_nearest", 3, 2, 6, "0-3 0-4 1-3 1-4 1-5 2-4 2-5", {.fraction = 1}},
           {"random_nearest",
            4,
            3,
            12,
            "0-4 1-4 1-5 2-6 2-7 3-7 4-8 5-8 5-9 6-10 6-11 7-10 7-11",
            {.fraction = 0.5}},
       }) {
    BOOST_TEST_CONTEXT(one.name << " of width " << one.width) {
      csr_graph const graph = make_pattern(one.name, one.width, one.steps, 1, one.parameters);
      BOOST_TEST(graph.tasks() == one.tasks);
      BOOST_TEST(edges_of(graph) == one.edges);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_pattern_of_any_size_is_a_dag_with_one_level_per_step) {
  std::map<std::string_view, int> seen;
  for (std::string_view const name : pattern_names()) {
    ++seen[name];
    for (std::uint64_t const width : {1, 2, 3, 5, 8, 13, 64, 100}) {
      for (std::uint64_t const steps : {1, 2, 3, 7, 16}) {
        BOOST_TEST_CONTEXT(name << " of " << width << " x " << steps) {
          csr_graph const graph = make_pattern(name, width, steps);
          check_dag(graph, "pattern");
          for (std::uint64_t from = 0; from < graph.tasks(); ++from) {
            std::uint64_t last = from;
            for (std::uint32_t const to : graph.of(from)) {
              BOOST_TEST(to > last);
              last = to;
            }
          }
          BOOST_TEST(levels_of(graph).groups() == (name == "trivial" ? 1 : steps));
          if (name != "tree" && name != "sweep") BOOST_TEST(graph.tasks() == width * steps);
        }
      }
    }
  }
  BOOST_TEST(seen.size() == 11U);
}

BOOST_AUTO_TEST_CASE(only_the_random_pattern_depends_on_the_seed_and_it_repeats) {
  for (std::string_view const name : pattern_names()) {
    auto const columns = [&](std::uint64_t seed) {
      return make_pattern(name, 50, 9, seed).columns;
    };
    BOOST_TEST((columns(7) == columns(7)));
    BOOST_TEST((columns(7) == columns(8)) == (name != "random_nearest"), name);
  }
}

BOOST_AUTO_TEST_CASE(a_random_pattern_has_the_fraction_of_edges_and_repeats_after_its_period) {
  constexpr std::uint64_t width = 1000, steps = 21;
  csr_graph const graph =
      make_pattern("random_nearest", width, steps, 3, {.radix = 9, .period = 5, .fraction = 0.25});
  auto const steps_equal = [&](std::uint64_t a, std::uint64_t b) {
    for (std::uint64_t place = 0; place < width; ++place) {
      auto const one = graph.of(a * width + place), other = graph.of(b * width + place);
      auto const shifted = [&](std::uint32_t x, std::uint32_t y) {
        return x - a * width == y - b * width;
      };
      if (!std::equal(one.begin(), one.end(), other.begin(), other.end(), shifted)) return false;
    }
    return true;
  };
  for (std::uint64_t step = 1; step < 15; ++step)
    BOOST_TEST(steps_equal(0, step) == (step % 5 == 0), "step " << step);
  // The own place and a quarter of eight others.
  double const mean = static_cast<double>(graph.edges()) / (width * (steps - 1));
  BOOST_TEST(mean > 2.9);
  BOOST_TEST(mean < 3.1);
}

BOOST_AUTO_TEST_CASE(wrong_names_and_sizes_are_refused) {
  auto const said = [](auto const&... arguments) {
    return message_of<usage_error>([&] { (void)make_pattern(arguments...); });
  };
  BOOST_TEST(said("ring", 2, 2) ==
             "pattern ring: expected one of trivial, no_comm, stencil_1d, stencil_1d_periodic, "
             "sweep, fft, tree, all_to_all, nearest, spread, random_nearest");
  for (auto const& [width, steps] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0, 3}, {3, 0}, {1U << 31U, 1}, {1U << 16U, 1U << 15U}, {~0ULL, ~0ULL}}) {
    BOOST_TEST(said("fft", width, steps).starts_with("pattern fft: width and steps must be"));
  }
  for (pattern_parameters const& wrong : std::vector<pattern_parameters>{
           {.radix = 0}, {.period = 0}, {.fraction = -0.1}, {.fraction = 1.1}}) {
    BOOST_TEST(said("spread", 2, 2, 1, wrong).starts_with("pattern spread: radix and period"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
