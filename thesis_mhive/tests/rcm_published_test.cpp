// Tests that the published orderings give the serial order, entry by entry, under every scheduler.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "published/key_split.hpp"
#include "published/mhive_ordering.hpp"
#include "published_arms.hpp"
#include "rcm_places.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::rcm {
namespace {

using namespace gridloom::test;

/// Runs the body in each place under each scheduler. The message of a failed check names both.
template <class Body>
void everywhere(Body&& body) {
  in_each(rcm_places(true), [&](rcm_place const& in) {
    for (std::string const& scheduler : scheduler_names) {
      BOOST_TEST_CONTEXT(scheduler) { body(in, scheduler); }
    }
  });
}

vertices order_in(rcm_place const& in, std::string const& scheduler, graph const& of,
                  vertices const& starts, ordering_options options = {}) {
  graph_ref const ref = graph_of(of);
  device_graph uploaded{*in.machine, ref};
  uploaded.upload();
  options.workers = in.workers;
  auto const ordering = make_mhive_ordering(*in.machine, ref, scheduler, options);
  (void)ordering->order(uploaded, starts, false);
  return in.machine->copy_to_host(ordering->cuthill_mckee());
}

vertices serial_from(graph const& of, vertices const& starts) {
  return order_from(graph_of(of), starts).cuthill_mckee;
}
vertices serial(graph const& of) { return serial_from(of, nodes_of(find_starts(graph_of(of)))); }

void check_order(rcm_place const& in, std::string const& scheduler, graph const& of,
                 ordering_options const& options = {}) {
  vertices const starts = nodes_of(find_starts(graph_of(of)));
  BOOST_TEST((order_in(in, scheduler, of, starts, options) == serial_from(of, starts)));
}

// Makes a graph in which vertices 0 .. parents - 1 have one common neighbour. Each has `children`
// more neighbours, shared with the neighbouring parents. The children have further neighbours, so
// that valencies differ.
graph wide_levels(std::uint32_t parents, std::uint32_t children) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t const root = parents;
  std::uint32_t next = parents + 1;
  for (std::uint32_t p = 0; p < parents; ++p) edges.emplace_back(root, p);
  for (std::uint32_t p = 0; p < parents; ++p) {
    for (std::uint32_t c = 0; c < children; ++c, ++next) {
      edges.emplace_back(p, next);
      edges.emplace_back((p * 7919U + c) % parents, next);
    }
  }
  return graph_by(next, edges);
}

BOOST_AUTO_TEST_SUITE(published)

BOOST_AUTO_TEST_CASE(hand_checked_orders) {
  graph const path = graph_by(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  // Vertex 3 has two neighbours, 1 and 4 have one.
  graph const tree = graph_by(6, {{0, 3}, {0, 1}, {0, 4}, {3, 5}});
  graph const two = graph_by(6, {{0, 5}, {1, 3}, {3, 4}}, {2, 3});
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    auto const check = [&](graph const& of, vertices const& starts, vertices const& expected) {
      BOOST_TEST(order_in(in, scheduler, of, starts) == expected, per_element());
    };
    check(path, {2}, {2, 1, 3, 0, 4});
    check(tree, {0, 2}, {0, 1, 4, 3, 5, 2});
    check(two, {5, 4, 2}, {5, 0, 4, 3, 1, 2});
    check(two, {2, 1, 0}, {2, 1, 3, 4, 0, 5});
  });
}

BOOST_AUTO_TEST_CASE(small_graphs_of_every_kind) {
  everywhere([](rcm_place const& in, std::string const& scheduler) {
    for (std::string const& spec : small_specs()) {
      BOOST_TEST_CONTEXT(spec) {
        graph const of = graph_from(spec);
        check_order(in, scheduler, of);
        check_order(in, scheduler, with_diagonal(of), {.key_bits = 64});
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(wide_levels_hubs_and_many_components) {
  std::vector<graph> const graphs{
      graph_from("star:n=5001"),
      wide_levels(30, 50),
      wide_levels(1500, 4),
      graph_from("random:n=20000,nnz=90000"),
      graph_from("poisson2d:nx=90,ny=70,shuffle=1"),
      graph_from("union(isolated:n=700;path:n=2*150;star:n=70*3;path:n=90;"
                 "star:n=1500;random:n=80,nnz=6320;isolated:n=300):shuffle=1,seed=3")};
  vertices const hub{0};
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    for (std::size_t k = 0; k < graphs.size(); ++k) {
      BOOST_TEST_CONTEXT("graph " << k) {
        check_order(in, scheduler, graphs[k]);
        check_order(in, scheduler, graphs[k], {.key_bits = 64});
      }
    }
    // The search for a start node ends at a leaf of the star. Here the hub is the start.
    BOOST_TEST((order_in(in, scheduler, graphs[0], hub) == serial_from(graphs[0], hub)));
  });
}

BOOST_AUTO_TEST_CASE(tasks_with_several_pieces_of_work) {
  graph const wide = wide_levels(1500, 4);
  graph const components = graph_from("union(isolated:n=30;path:n=9*20;random:n=5000,nnz=9000)");
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    for (std::uint32_t const most : {2U, 8U}) {
      check_order(in, scheduler, wide, {.most_tasks = most});
      check_order(in, scheduler, components, {.most_tasks = most});
    }
  });
}

BOOST_AUTO_TEST_CASE(merged_narrow_levels_give_the_same_order) {
  std::vector<graph> graphs{
      // Hubs, whose rows are too long; the last one is reached in a narrow level.
      graph_from("star:n=5001"), graph_from("union(path:n=40;star:n=9000;path:n=9*20)"),
      // Levels of most_narrow vertices, and of one more.
      wide_levels(1664, 1), wide_levels(1665, 1), wide_levels(832, 2), wide_levels(833, 2),
      wide_levels(30, 50), wide_levels(1500, 4),
      // More levels than a task orders.
      graph_from("path:n=2500"), graph_from("random:n=20000,nnz=90000"),
      graph_from("poisson2d:nx=90,ny=70,shuffle=1"),
      graph_from("union(isolated:n=700;path:n=2*150;star:n=70*3;path:n=90;"
                 "star:n=1500;random:n=80,nnz=6320;isolated:n=300):shuffle=1,seed=3")};
  for (std::string const& spec : small_specs()) graphs.push_back(graph_from(spec));
  vertices const hub{0};
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    for (std::size_t k = 0; k < graphs.size(); ++k) {
      BOOST_TEST_CONTEXT("graph " << k) {
        check_order(in, scheduler, graphs[k], {.merge_narrow_levels = true});
        check_order(in, scheduler, with_diagonal(graphs[k]),
                    {.key_bits = 64, .most_tasks = 8, .merge_narrow_levels = true});
      }
    }
    BOOST_TEST((order_in(in, scheduler, graphs[0], hub, {.merge_narrow_levels = true}) ==
                serial_from(graphs[0], hub)));
  });
}

BOOST_AUTO_TEST_CASE(merged_levels_take_one_task_per_component_or_limit) {
  graph const of = graph_from("union(path:n=2500;path:n=9)");
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    auto const arm = make_mhive_arm({*in.machine, graph_of(of), {}, in.workers, 60}, scheduler,
                                    find_starts_on_host, true);
    arm->copy_in();
    std::vector<std::uint64_t> tasks;
    for (part_time const& part : arm->run(true).parts) tasks.push_back(part.tasks);
    // 2,500 levels take three tasks. A component begins with a sort_delegate.
    BOOST_TEST(tasks == (std::vector<std::uint64_t>{0, 0, 0, 0, 2, 0, 4}), per_element());
  });
}

BOOST_AUTO_TEST_CASE(a_second_run_gives_the_same) {
  graph const of = graph_from("rgg:n=3000,degree=7,seed=2");
  graph_ref const ref = graph_of(of);
  vertices const starts = nodes_of(find_starts(ref));
  vertices const wanted = serial_from(of, starts);
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    device_graph uploaded{*in.machine, ref};
    uploaded.upload();
    auto const ordering = make_mhive_ordering(*in.machine, ref, scheduler, {.workers = in.workers});
    for (int run = 0; run < 3; ++run) {
      (void)ordering->order(uploaded, starts, run == 1);
      BOOST_TEST((in.machine->copy_to_host(ordering->cuthill_mckee()) == wanted));
    }
  });
}

BOOST_AUTO_TEST_CASE(keys_fit_or_are_refused) {
  BOOST_TEST(valency_bits(0) == 0);
  BOOST_TEST(valency_bits(1) == 1);
  BOOST_TEST(valency_bits(255) == 8);
  BOOST_TEST(valency_bits(256) == 9);
  BOOST_TEST(fits<std::uint32_t>((1U << 16U) - 1, 16));
  // The last place would have all bits set.
  BOOST_TEST(!fits<std::uint32_t>(1U << 16U, 16));
  BOOST_TEST(fits<std::uint32_t>(1, 31));
  BOOST_TEST(!fits<std::uint32_t>(2, 31));
  BOOST_TEST(!fits<std::uint32_t>(1, 32));
  BOOST_TEST(fits<std::uint64_t>(std::numeric_limits<std::uint32_t>::max(), 32));
  BOOST_TEST(make_key<std::uint32_t>(3, 5, 4) == 53U);
  // Valencies take 17 bits, and places take 17.
  graph const of = graph_from("union(star:n=66000;path:n=60)");
  rcm_place const in = rcm_places(true).back();
  auto const bits_of = [&](graph const& one) {
    return make_mhive_ordering(*in.machine, graph_of(one), "megakernel", {})->key_bits();
  };
  BOOST_TEST(bits_of(graph_from("path:n=60")) == 32);
  BOOST_TEST(bits_of(of) == 64);
  check_order(in, "megakernel", of);
  std::string const message =
      message_of<run_error>([&] { check_order(in, "megakernel", of, {.key_bits = 32}); });
  BOOST_TEST(
      contains(message, "expected 32 bits to hold a place and a valency, got 66060 vertices"));
}

BOOST_AUTO_TEST_CASE(wrong_start_nodes_are_refused) {
  graph const of = graph_from("union(path:n=9;isolated:n=3;path:n=5)");
  vertices const lists[] = {
      {0},         {0, 9, 10, 11}, {0, 4, 9}, {0, 9, 9, 10, 11, 12}, {0, 9, 10, 11, 12, 3},
      {0, 17, 10}, vertices(30, 0)};
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    for (vertices const& starts : lists) {
      std::string const message =
          message_of<std::invalid_argument>([&] { (void)order_in(in, scheduler, of, starts); });
      BOOST_TEST(contains(message, "expected one start node per component"));
    }
  });
  rcm_place const in = rcm_places(true).back();
  BOOST_TEST(message_of<std::invalid_argument>([&] { (void)order_in(in, "nobody", of, {0}); }) ==
             "no scheduler \"nobody\"");
}

BOOST_AUTO_TEST_CASE(a_small_time_limit_ends_with_an_error) {
  // This graph has as many levels as vertices.
  graph const of = graph_from("path:n=300000");
  everywhere([&](rcm_place const& in, std::string const& scheduler) {
    std::string const message =
        message_of<run_error>([&] { (void)order_in(in, scheduler, of, {0}, {.timeout_s = 0.02}); });
    BOOST_TEST(contains(message, "timeout after 0.02 s"));
  });
  auto const arm = make_cpu_gpu_arm({*rcm_places(true)[0].machine, graph_of(of), {}, 0, 1e-6});
  BOOST_TEST(message_of<run_error>([&] { (void)arm->run(false); }) ==
             "timeout after 1e-06 s (--timeout-s)");
}

BOOST_AUTO_TEST_CASE(arms_report_orders_times_and_parts) {
  graph const of = graph_from("path:n=10");
  for (rcm_place const& in : rcm_places(true)) {
    for (auto const& [name, make] : published_arms()) {
      if (name == "cusolver" && in.machine->is_host()) continue;
      BOOST_TEST_CONTEXT(name) {
        auto const arm = make({*in.machine, graph_of(of), {}, in.workers, 60});
        arm->copy_in();
        BOOST_TEST(arm->run(false).parts.empty());
        arm_result const result = arm->run(true);
        vertices const order = arm->copy_out();
        BOOST_TEST(result.both_ms > 0);
        if (name == "cusolver") {
          vertices sorted = order;
          std::sort(sorted.begin(), sorted.end());
          BOOST_TEST(sorted == (vertices{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), per_element());
          continue;
        }
        auto const starts = find_starts(graph_of(of));
        BOOST_TEST(order == serial(of), per_element());
        BOOST_TEST(result.searches == starts[0].num_searches);
        BOOST_TEST(result.start_ms >= 0);
        BOOST_TEST(result.order_ms > 0);
        if (name == "cpu_gpu") {
          BOOST_TEST(result.parts.size() == 2U);
          continue;
        }
        // Nine levels of one vertex are expanded, starting at one end of the path.
        std::vector<std::uint64_t> tasks;
        for (part_time const& part : result.parts) {
          tasks.push_back(part.tasks);
          BOOST_TEST(part.busy_ms >= part.elapsed_ms);
        }
        BOOST_TEST(tasks == (std::vector<std::uint64_t>{9, 9, 9, 9, 10, 0}), per_element());
        BOOST_TEST(result.parts[1].part == "compress_sort_data");
        BOOST_TEST(result.parts[4].elapsed_ms > 0);
        BOOST_TEST(arm->bytes() > 10 * 24U);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_cpu_gpu_version_gives_the_serial_order) {
  std::vector<std::string> specs = small_specs();
  specs.insert(specs.end(), {"random:n=20000,nnz=90000", "star:n=5001,shuffle=1",
                             "union(star:n=66000;path:n=60)"});
  for (rcm_place const& in : rcm_places(true)) {
    for (std::string const& spec : specs) {
      BOOST_TEST_CONTEXT(spec) {
        graph const of = graph_from(spec);
        if (of.num_rows == 0) continue;
        auto const arm = make_cpu_gpu_arm({*in.machine, graph_of(of), {}, 0, 60});
        (void)arm->run(false);
        BOOST_TEST((arm->copy_out() == serial(of)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(cusolver_needs_cuda_and_memory_follows_the_equation) {
  graph const of = graph_from("path:n=10");
  if (!has_cusolver()) {
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)make_cusolver_arm({*rcm_places(true)[0].machine, graph_of(of), {}, 1, 60});
               }) == "cusolver: expected a build with CUDA, got one without");
  }
  BOOST_TEST(bytes_by_equation_8_2(1000, 5000) == 48'068'000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::rcm
