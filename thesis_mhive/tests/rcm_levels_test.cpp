// Tests that searches and ordering by levels give the serial start nodes and the serial order.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "rcm_places.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"
#include "test_support.hpp"
#include "thesis_mhive/ours/rcm/level_arm.hpp"
#include "thesis_mhive/ours/rcm/level_ordering.hpp"
#include "thesis_mhive/ours/rcm/level_search.hpp"

namespace gridloom::mhive::rcm {
namespace {

using namespace gridloom::test;
using levels::level_ordering;
using levels::level_search;
using levels::search_tuning;

template <class Body>
void everywhere(Body&& body) {
  in_each(rcm_places(false), body);
}

// Makes a tuning with these limits, which decide which kernel expands a level.
search_tuning tuning(std::uint32_t narrow, std::uint32_t wide, std::uint32_t most_levels = 1 << 16,
                     int threads = 1024) {
  search_tuning result;
  result.narrow_threads = threads;
  result.limits = {narrow, wide, most_levels};
  return result;
}
std::vector<std::pair<std::string, search_tuning>> tunings() {
  return {{"as it comes", search_tuning{}},
          {"all levels wide", tuning(0, 0)},
          {"wide from 3", tuning(2, 3)},
          {"few levels a launch", tuning(2, 5, 3)},
          {"narrow with a warp", tuning(1024, 4096, 1 << 16, 32)}};
}

void check(rcm_place const& in, graph const& of, start_options const& options,
           search_tuning const& tuned = {}) {
  graph_ref const ref = graph_of(of);
  vertices const starts = nodes_of(find_starts(ref, options));
  vertices const expected = order_from(ref, starts).cuthill_mckee;
  device_graph uploaded{*in.machine, ref};
  uploaded.upload();
  level_search search{*in.machine, ref, options.most_candidates, in.workers, 60, tuned};
  level_ordering ordering{*in.machine, ref, search, in.workers};
  // The second turn starts with the memory that the first one left.
  for (int turn = 0; turn < 2; ++turn) {
    search.prepare(uploaded.ref());
    vertices const found = nodes_of(search.find_starts(options));
    BOOST_REQUIRE(found == starts);
    if (search.has_found()) {
      ordering.order_found();
      BOOST_TEST((in.machine->copy_to_host(ordering.order()) == expected));
    }
    ordering.order_from(starts);
    BOOST_TEST((in.machine->copy_to_host(ordering.order()) == expected));
  }
}

// Makes a path of `length` vertices and then a fan of `width` vertices, whose further neighbours
// are `width` / 2 shared vertices.
graph path_and_fan(std::uint32_t length, std::uint32_t width) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t v = 1; v < length; ++v) edges.emplace_back(v - 1, v);
  std::uint32_t const end = length + width;
  for (std::uint32_t k = 0; k < width; ++k) {
    edges.emplace_back(length - 1, length + k);
    edges.emplace_back(length + k, end + (k * 7919U) % (width / 2));
  }
  return graph_by(end + width / 2, edges);
}

BOOST_AUTO_TEST_SUITE(by_levels)

BOOST_AUTO_TEST_CASE(small_graphs_of_every_kind) {
  everywhere([](rcm_place const& in) {
    for (std::string const& spec : small_specs()) {
      graph const of = graph_from(spec);
      // A graph without vertices is refused, see below.
      if (of.num_rows == 0) continue;
      for (auto const& [name, tuned] : tunings()) {
        BOOST_TEST_CONTEXT(spec << ", " << name) {
          check(in, of, {}, tuned);
          check(in, with_diagonal(of), {}, tuned);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(every_strategy_and_number_of_candidates) {
  graph const several = graph_by(12, {{0, 5}, {5, 7}, {1, 3}, {3, 4}, {4, 1}, {8, 9}}, {2, 3});
  graph const mesh = graph_from("poisson2d:nx=17,ny=11,shuffle=1,seed=3");
  everywhere([&](rcm_place const& in) {
    for (graph const* of : {&several, &mesh}) {
      for (std::uint32_t const candidates : {1U, 2U, 5U, 7U}) {
        BOOST_TEST_CONTEXT(candidates << " candidates") {
          check(in, *of, {.most_candidates = candidates});
        }
      }
      check(in, *of, {.strategy = start_strategy::minimum_degree});
      for (std::uint32_t const node : {0U, 4U, 9U, 11U}) {
        BOOST_TEST_CONTEXT("from " << node) {
          check(in, *of, {.strategy = start_strategy::given, .node = node});
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(one_vertex_and_no_edges) {
  everywhere([](rcm_place const& in) {
    check(in, graph_by(1, {}), {});
    check(in, graph_by(700, {}), {});
    // The first level of all components together is wide.
    check(in, graph_by(40000, {{39999, 17}}), {});
  });
}

BOOST_AUTO_TEST_CASE(long_rows_of_every_length) {
  everywhere([](rcm_place const& in) {
    // The sizes are around the room of a record, and around the numbers of entries that a part, a
    // warp and a block expand.
    for (std::uint32_t const children :
         {6U, 7U, 8U, 14U, 16U, 31U, 33U, 70U, 1000U, 2100U, 5000U}) {
      BOOST_TEST_CONTEXT(children << " children") {
        check(in, path_and_fan(5, children), {});
        check(in, with_diagonal(path_and_fan(3, children)), {}, tuning(2, 3));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(more_long_rows_in_a_level_than_can_be_put_off) {
  // 100 hubs are neighbours of one vertex. Each has 2,500 further neighbours, half of which it
  // shares with the next hub.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  constexpr std::uint32_t hubs = 100;
  for (std::uint32_t h = 0; h < hubs; ++h) {
    edges.emplace_back(0, 1 + h);
    for (std::uint32_t k = 0; k < 2500; ++k) edges.emplace_back(1 + h, 1 + hubs + h * 1250 + k);
  }
  graph const of = graph_by(1 + hubs + (hubs + 1) * 1250, edges);
  everywhere([&](rcm_place const& in) {
    check(in, of, {});
    check(in, of, {.strategy = start_strategy::given, .node = 0});
  });
}

BOOST_AUTO_TEST_CASE(levels_around_the_limit_of_one_block) {
  everywhere([](rcm_place const& in) {
    for (std::uint32_t const width :
         {1023U, 1025U, 4095U, 4096U, 4097U, 8191U, 8192U, 8193U, 20000U}) {
      BOOST_TEST_CONTEXT("width " << width) { check(in, path_and_fan(3, width), {}); }
    }
  });
}

BOOST_AUTO_TEST_CASE(narrow_and_wide_levels_in_turn) {
  graph const of = graph_from("poisson2d:nx=300,ny=200,shuffle=1,seed=5");
  everywhere([&](rcm_place const& in) {
    for (auto const& [name, tuned] : tunings()) {
      BOOST_TEST_CONTEXT(name) { check(in, of, {}, tuned); }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_graph_with_more_vertices_than_the_scratch_has_bits_for) {
  graph const of = graph_from("poisson2d:nx=520,ny=3100");
  BOOST_REQUIRE_GT(of.num_rows, levels::most_bits);
  everywhere([&](rcm_place const& in) { check(in, of, {.most_candidates = 1}); });
}

BOOST_AUTO_TEST_CASE(impossible_nodes_candidates_and_graphs_are_refused) {
  graph const of = graph_by(3, {{0, 1}});
  everywhere([&](rcm_place const& in) {
    auto const made = [&](graph_ref const& ref, std::uint32_t candidates) {
      return level_search{*in.machine, ref, candidates, in.workers, 60};
    };
    for (std::uint32_t const most : {0U, 8U}) {
      BOOST_CHECK_THROW(made(graph_of(of), most), std::invalid_argument);
    }
    BOOST_CHECK_THROW(made(graph_ref{}, 2), std::invalid_argument);
    auto search = made(graph_of(of), 2);
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)search.find_starts({.strategy = start_strategy::given, .node = 3});
               }) == "start node: expected one below 3, got 3");
  });
}

BOOST_AUTO_TEST_CASE(a_search_that_takes_too_long_is_ended) {
  graph const of = graph_from("poisson2d:nx=2000,ny=2");
  everywhere([&](rcm_place const& in) {
    graph_ref const ref = graph_of(of);
    device_graph uploaded{*in.machine, ref};
    uploaded.upload();
    level_search search{*in.machine, ref, 2, in.workers, 1e-9, tuning(1024, 4096, 10)};
    search.prepare(uploaded.ref());
    std::string const message = message_of<run_error>([&] { (void)search.find_starts({}); });
    BOOST_TEST(message.find("timeout after 1e-09 s (--timeout-s) in the breadth-first search") ==
               0);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::rcm
