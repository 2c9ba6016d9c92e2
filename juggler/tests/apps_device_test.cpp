// The program's applications under every method on whatever machine this is linked for. The first
// case is for compute-sanitizer.

#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

constexpr std::array<std::string_view, 12> all_methods{
    "lrr",   "grr",       "lf",        "lts",          "lts-slots", "barriers",
    "graph", "graph_pdl", "grid_sync", "static_lists", "ticket",    "serial"};

std::shared_ptr<grey_image const> image_of(std::int64_t rows, std::int64_t cols) {
  return std::make_shared<grey_image>(make_image(rows, cols, 255, 11));
}

/// `more`: methods that the application has beside those of all.
void check(test_machine const& on, problem& of, std::vector<std::string_view> more = {}) {
  more.insert(more.end(), all_methods.begin(), all_methods.end());
  for (std::string_view const method : more) {
    BOOST_TEST_CONTEXT(method) {
      auto const run =
          of.make_ready(method, {.threads = on.shape.threads, .workers = on.shape.blocks});
      for (int again = 0; again < 2; ++again) {
        of.load();
        run->run();
        run->require_done();
        of.fetch();
        BOOST_CHECK_NO_THROW(of.verify());
        // It counts tiles, whatever the steps are.
        if (method != "temporal") BOOST_TEST(run->finished() == of.dag().tasks());
        BOOST_TEST(run->loads().max >= run->loads().min);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(juggler_apps)

BOOST_AUTO_TEST_CASE(a_few_tasks_are_right) {
  on_each_machine([](test_machine const& on, device& machine) {
    check(on, *make_lud(machine, 20, 8, 1));
    check(on, *make_dtw(machine, 20, 8, 1));
    check(on, *make_sat(machine, image_of(20, 30), 8), {"look_back"});
    check(on, *make_int_hist(machine, image_of(20, 30), 8, 5));
    check(on, *make_heat(machine, 20, 8, 2, 1));
    check(on, *make_jacobi(machine, 20, 8, 2, 1), {"temporal"});
    check(on, *make_graph(machine, {{0, 2, 3, 3}, {1, 2, 2}}, 0));
  });
}

BOOST_AUTO_TEST_CASE(lu_decomposition_is_right_for_any_size_and_tile) {
  // Tiles of one square and of several, of each size of squares; filled up, or as large as a matrix.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile] :
         {std::pair{1, 1}, std::pair{3, 40}, std::pair{37, 1}, std::pair{64, 16}, std::pair{75, 17},
          std::pair{96, 32}, std::pair{100, 33}, std::pair{200, 64}, std::pair{210, 100},
          std::pair{150, 150}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) { check(on, *make_lud(machine, n, tile, 5)); }
    }
  });
}

BOOST_AUTO_TEST_CASE(lu_decomposition_in_large_tiles_is_right) {
  // Of both sizes, filled up or not.
  on_each_machine([](test_machine const& on, device& machine) {
    test_machine large = on;
    large.shape = {on.shape.blocks, 256};
    for (auto const& [n, tile] :
         {std::pair{64, 64}, std::pair{190, 64}, std::pair{384, 128}, std::pair{300, 128}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) {
        check(large, *make_lud(machine, n, tile, 5));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(time_warping_is_the_serial_version_s_for_any_length_and_tile) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile] : {std::pair{1, 1}, std::pair{3, 40}, std::pair{12, 1},
                                  std::pair{75, 17}, std::pair{300, 64}, std::pair{300, 299}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) { check(on, *make_dtw(machine, n, tile, 5)); }
    }
  });
}

BOOST_AUTO_TEST_CASE(summed_area_tables_are_the_serial_version_s_for_any_image_and_tile) {
  // One pixel; rows and columns alone; tiles that lanes, warps and accesses of 16 bytes fill or not.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile] :
         {std::tuple{1, 1, 1}, std::tuple{1, 1, 128}, std::tuple{1, 300, 7}, std::tuple{300, 1, 8},
          std::tuple{9, 12, 1}, std::tuple{75, 40, 17}, std::tuple{100, 130, 64},
          std::tuple{128, 256, 128}, std::tuple{300, 290, 100}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", tiles of " << tile) {
        check(on, *make_sat(machine, image_of(rows, cols), tile), {"look_back"});
      }
    }
    check(on, *make_sat(machine, image_of(400, 500), 200));
    BOOST_CHECK_THROW((void)make_sat(machine, image_of(9, 9), 200)
                          ->make_ready("look_back", {.threads = on.shape.threads}),
                      unsupported);
  });
}

BOOST_AUTO_TEST_CASE(integral_histograms_are_the_serial_version_s_for_any_image_tile_and_bins) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile, bins] :
         {std::tuple{1, 1, 1, 1}, std::tuple{1, 1, 128, 256}, std::tuple{1, 100, 7, 3},
          std::tuple{100, 1, 8, 2}, std::tuple{75, 40, 17, 32}, std::tuple{64, 96, 32, 32},
          std::tuple{50, 70, 33, 9}, std::tuple{150, 130, 128, 4}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", tiles of " << tile << ", " << bins) {
        check(on, *make_int_hist(machine, image_of(rows, cols), tile, bins));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(stencils_are_the_serial_version_s_for_any_field_tile_and_steps) {
  // No cell within the boundary, one, and a last tile of the boundary alone.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile, steps] :
         {std::tuple{1, 1, 1}, std::tuple{2, 8, 2}, std::tuple{3, 1, 3}, std::tuple{9, 8, 3},
          std::tuple{40, 7, 2}, std::tuple{70, 64, 3}, std::tuple{100, 33, 1},
          std::tuple{129, 64, 2}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile << ", " << steps << " steps") {
        check(on, *make_heat(machine, n, tile, steps, 5));
        check(on, *make_jacobi(machine, n, tile, steps, 5), {"temporal"});
      }
    }
    check(on, *make_jacobi(machine, 230, 112, 5, 5), {"temporal"});
    check(on, *make_jacobi(machine, 250, 120, 1, 5));
    auto const one_beyond = [&](std::int64_t n, int tile) {
      return make_jacobi(machine, n, tile, 1, 5)
          ->make_ready("temporal", {.threads = on.shape.threads});
    };
    BOOST_CHECK_THROW((void)one_beyond(250, 113), unsupported);
    BOOST_CHECK_THROW((void)one_beyond(100, 1), unsupported);
  });
}

BOOST_AUTO_TEST_CASE(table_1_s_tiles_are_right) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const lud = make_lud(machine, 15 * 8, 8, 2);
    BOOST_TEST(lud->dag().tasks() == 1240U);
    check(on, *lud);
  });
}

BOOST_AUTO_TEST_CASE(any_graph_leaves_the_values_of_a_serial_pass) {
  csr_graph graph{{0}, {}};
  for (std::uint32_t task = 0; task < 300; ++task) {
    for (std::uint32_t const step : {1U, 7U, 40U}) {
      if (task + step < 300) graph.columns.push_back(task + step);
    }
    graph.row_offsets.push_back(graph.columns.size());
  }
  on_each_machine([&](test_machine const& on, device& machine) {
    for (std::int64_t const work_ns : {0, 300}) check(on, *make_graph(machine, graph, work_ns));
  });
}

BOOST_AUTO_TEST_CASE(what_was_not_run_is_not_taken_for_right) {
  on_each_machine([](test_machine const&, device& machine) {
    for (auto const& one :
         {make_lud(machine, 20, 8, 1), make_dtw(machine, 20, 8, 1),
          make_sat(machine, image_of(20, 30), 8), make_int_hist(machine, image_of(20, 30), 8, 5),
          make_heat(machine, 20, 8, 1, 1), make_jacobi(machine, 20, 8, 1, 1),
          make_graph(machine, {{0, 1, 1}, {1}}, 0)}) {
      one->load();
      one->fetch();
      BOOST_CHECK_THROW((void)one->verify(), wrong_result);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_serial_run_beyond_its_time_is_a_timeout) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const chain = make_graph(machine, {{0, 1, 2, 2}, {1, 2}}, 20000000);
    auto const run = chain->make_ready("serial", {.threads = on.shape.threads, .timeout_s = 0.01});
    chain->load();
    run->run();
    BOOST_CHECK_THROW(run->require_done(), timeout_error);
    BOOST_TEST(run->finished() < 3U);
  });
}

BOOST_AUTO_TEST_CASE(methods_that_are_none_are_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const lud = make_lud(machine, 8, 8, 1);
    BOOST_CHECK_THROW((void)lud->make_ready("none", {.threads = on.shape.threads}), usage_error);
  });
}

BOOST_AUTO_TEST_SUITE_END()
