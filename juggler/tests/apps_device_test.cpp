// The program's applications under every method, on host threads or on a GPU, depending on the
// build. compute-sanitizer runs the first case.

#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "apps/juggler/problem.hpp"
#include "apps/lud/app.hpp"
#include "gridloom/error.hpp"
#include "juggler/ours/int_hist/carries.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

constexpr std::array<std::string_view, 16> all_methods{
    "lrr",          "grr",           "grr-block", "lf",    "lf-task",   "lts",
    "lts-slots",    "barriers_sync", "barriers",  "graph", "graph_pdl", "grid_sync",
    "static_lists", "ticket",        "chains",    "serial"};

std::shared_ptr<grey_image const> image_of(std::int64_t rows, std::int64_t cols) {
  return std::make_shared<grey_image>(make_image(rows, cols, 255, 11));
}

/// Number of finished tasks that a method reports.
std::uint64_t counted(std::string_view method, problem const& of) {
  bool const is_library = method == "cusolver" || method.starts_with("dgemm");
  return is_library || method == "floor" ? 0 : of.dag().tasks();
}

/// Runs the problem under the methods of all applications, and under `more`.
void check(test_machine const& on, problem& of, std::vector<std::string_view> const& more = {}) {
  std::vector<std::string_view> methods(all_methods.begin(), all_methods.end());
  methods.insert(methods.end(), more.begin(), more.end());
  for (std::string_view const method : methods) {
    BOOST_TEST_CONTEXT(method) {
      auto const run = of.make_ready(method, {{on.shape.blocks, on.shape.threads}});
      // A method with two ticket words reuses the first word in its third run.
      bool const draws = method == "ticket" || method == "look_back" || method == "carries";
      for (int again = 0; again < (draws ? 3 : 2); ++again) {
        of.load();
        run->run();
        run->require_done();
        of.fetch();
        BOOST_CHECK_NO_THROW(of.verify());
        // `temporal` counts tiles once for all steps; `updates` runs only some of the tasks.
        if (method != "temporal" && method != "updates")
          BOOST_TEST(run->finished() == counted(method, of));
        BOOST_TEST(run->loads().max >= run->loads().min);
      }
    }
  }
}

/// Checks LU decomposition by the methods that need no library.
void check_own_decomposition(test_machine const& on, device& machine, lud::input const& given,
                             int tile, std::vector<std::string_view> more = {}) {
  if (tile < given.rows) more.push_back("updates");
  check(on, *make_lud(machine, given, tile), more);
}
/// Also checks library methods, which take the whole matrix on a GPU.
void check_decomposition(test_machine const& on, device& machine, lud::input const& given,
                         int tile) {
  std::vector<std::string_view> more;
  if (!machine.is_host()) {
    more = {"cusolver", "dgemm"};
    if (tile < given.rows) more.push_back("dgemm_update");
  }
  check_own_decomposition(on, machine, given, tile, more);
}

/// Checks a problem that is made with each number of columns per lane.
template <class Make>
void check_strips(test_machine const& on, Make const& make) {
  for (int const columns : {2, 4}) {
    BOOST_TEST_CONTEXT(columns << " columns of a lane") {
      check(on, *make(columns), {"diagonal", "floor"});
    }
  }
}
void check_warping(test_machine const& on, device& machine, dtw::input const& given, int tile) {
  check_strips(on, [&](int columns) { return make_dtw(machine, given, tile, columns); });
}
void check_alignment(test_machine const& on, device& machine, sw::input const& given, int tile) {
  check_strips(on, [&](int columns) { return make_sw(machine, given, tile, columns); });
}

sw::scoring const dna = sw::nucleotides(2, -3, 5, 2);
sw::scoring const proteins = sw::substitution_matrix("BLOSUM62", 11, 1);

}  // namespace

BOOST_AUTO_TEST_SUITE(juggler_apps)

BOOST_AUTO_TEST_CASE(a_few_tasks_are_right) {
  on_each_machine([](test_machine const& on, device& machine) {
    // Leaves out cuSOLVER, because racecheck warns about its kernels.
    check_own_decomposition(on, machine, lud::make_input(20, 1), 8);
    check_warping(on, machine, dtw::make_input(20, 1, false), 8);
    check_alignment(on, machine, sw::make_input(20, 1, dna), 8);
    check(on, *make_sat(machine, image_of(20, 30), 8), {"look_back", "carries"});
    check(on, *make_int_hist(machine, image_of(20, 30), 8, 5), {"carries"});
    check(on, *make_int_hist(machine, image_of(40, 50), 36, 3), {"carries"});
    check(on, *make_heat(machine, 20, 8, 2, 1));
    check(on, *make_jacobi(machine, 20, 8, 2, 1), {"temporal"});
  });
}

BOOST_AUTO_TEST_CASE(lu_decomposition_is_right_for_any_size_and_tile) {
  // Each size of squares (lud/small_tiles.hpp) has tiles of one square and of several. Some
  // matrices are padded.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile] :
         {std::pair{1, 1}, std::pair{3, 40}, std::pair{37, 1}, std::pair{64, 16}, std::pair{75, 17},
          std::pair{96, 32}, std::pair{100, 33}, std::pair{200, 64}, std::pair{210, 100},
          std::pair{150, 150}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) {
        check_decomposition(on, machine, lud::make_input(n, 5), tile);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(lu_decomposition_in_large_tiles_is_right) {
  // Each tile size has a padded matrix and one without padding.
  on_each_machine([](test_machine const& on, device& machine) {
    test_machine large = on;
    for (auto const& [n, tile] : {std::pair{32, 32}, std::pair{150, 32}, std::pair{64, 64},
                                  std::pair{190, 64}, std::pair{384, 128}, std::pair{300, 128}}) {
      large.shape.threads = lud::threads_of_squares(tile);
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) {
        check_decomposition(large, machine, lud::make_input(n, 5), tile);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(time_warping_is_the_serial_version_s_for_any_length_and_tile) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile] :
         {std::pair{1, 1}, std::pair{3, 40}, std::pair{12, 1}, std::pair{75, 17},
          std::pair{300, 64}, std::pair{300, 299}, std::pair{1100, 1024}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile) {
        for (bool const single : {false, true})
          check_warping(on, machine, dtw::make_input(n, 5, single), tile);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(series_of_different_lengths_are_warped) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols] : {std::pair{1, 90}, std::pair{90, 1}, std::pair{200, 71}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols) {
        check_warping(on, machine, {dtw::make_series(rows, 1), dtw::make_series(cols, 2)}, 32);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(alignment_equals_the_serial_one_for_any_lengths_and_tile) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile] :
         {std::tuple{1, 1, 1}, std::tuple{3, 2, 40}, std::tuple{12, 9, 1}, std::tuple{75, 80, 17},
          std::tuple{300, 280, 64}, std::tuple{1, 90, 32}, std::tuple{90, 1, 32},
          std::tuple{200, 300, 299}, std::tuple{1050, 1100, 1024}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", tiles of " << tile) {
        for (sw::scoring const& by : {dna, proteins, sw::nucleotides(1, -1, 0, 1)}) {
          check_alignment(on, machine,
                          {sw::make_sequence(rows, 5, by), sw::make_sequence(cols, 6, by), by},
                          tile);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(long_matches_and_ties_end_where_they_should) {
  on_each_machine([](test_machine const& on, device& machine) {
    sw::sequence const word = sw::make_sequence(40, 7, dna);
    sw::sequence repeated;
    for (int times = 0; times < 6; ++times)
      repeated.insert(repeated.end(), word.begin(), word.end());
    sw::sequence const same(130, std::uint8_t{0});
    sw::sequence const other(130, std::uint8_t{1});
    // The inputs in turn: the word occurs six times in one sequence. Both sequences match as a
    // whole. All scores are equal. No score is above 0. Gaps cost nothing. With free gaps,
    // neighbours of the best element have high scores, too.
    for (sw::input const& given :
         {sw::input{word, repeated, dna}, sw::input{repeated, word, dna},
          sw::input{repeated, repeated, dna}, sw::input{same, {0}, dna}, sw::input{{0}, same, dna},
          sw::input{same, other, dna}, sw::input{repeated, word, sw::nucleotides(2, -3, 0, 0)}})
      check_alignment(on, machine, given, 32);
  });
}

BOOST_AUTO_TEST_CASE(summed_area_tables_are_the_serial_version_s_for_any_image_and_tile) {
  // One pixel; single rows and columns; tiles that do or do not fill lanes, warps and accesses of
  // 16 bytes.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile] :
         {std::tuple{1, 1, 1}, std::tuple{1, 1, 128}, std::tuple{1, 300, 7}, std::tuple{300, 1, 8},
          std::tuple{9, 12, 1}, std::tuple{75, 40, 17}, std::tuple{100, 130, 64},
          std::tuple{128, 256, 128}, std::tuple{300, 290, 100}, std::tuple{700, 900, 32}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", tiles of " << tile) {
        check(on, *make_sat(machine, image_of(rows, cols), tile), {"look_back", "carries"});
      }
    }
    check(on, *make_sat(machine, image_of(400, 500), 200));
    BOOST_CHECK_THROW((void)make_sat(machine, image_of(9, 9), 200)
                          ->make_ready("look_back", {{.threads = on.shape.threads}}),
                      unsupported);
  });
}

BOOST_AUTO_TEST_CASE(integral_histograms_are_the_serial_version_s_for_any_image_tile_and_bins) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile, bins] :
         {std::tuple{1, 1, 1, 1}, std::tuple{1, 1, 128, 256}, std::tuple{1, 100, 7, 3},
          std::tuple{100, 1, 8, 2}, std::tuple{75, 40, 17, 32}, std::tuple{64, 96, 32, 32},
          std::tuple{50, 70, 33, 9}, std::tuple{150, 130, 128, 4}, std::tuple{130, 190, 64, 32},
          std::tuple{300, 520, 256, 5}, std::tuple{300, 400, 16, 8}}) {
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", tiles of " << tile << ", " << bins) {
        std::vector<std::string_view> more;
        if (int_hist::fits_carries(tile, bins)) more.push_back("carries");
        check(on, *make_int_hist(machine, image_of(rows, cols), tile, bins), more);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(tables_are_right_where_workers_fill_a_machine) {
  on_each_machine([](test_machine const& on, device& machine) {
    test_machine all = on;
    all.shape.blocks = 0;
    check(all, *make_sat(machine, image_of(900, 1100), 20), {"look_back", "carries"});
    check(all, *make_int_hist(machine, image_of(500, 600), 12, 8), {"carries"});
  });
}

BOOST_AUTO_TEST_CASE(stencils_are_the_serial_version_s_for_any_field_tile_and_steps) {
  // Fields with no cell inside the boundary, with one, and with a last tile of boundary cells only.
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile, steps] :
         {std::tuple{1, 1, 1}, std::tuple{2, 8, 2}, std::tuple{3, 1, 3}, std::tuple{9, 8, 3},
          std::tuple{40, 7, 2}, std::tuple{70, 64, 3}, std::tuple{100, 33, 1},
          std::tuple{129, 64, 2}, std::tuple{290, 100, 2}}) {
      BOOST_TEST_CONTEXT(n << ", tiles of " << tile << ", " << steps << " steps") {
        check(on, *make_heat(machine, n, tile, steps, 5));
        check(on, *make_jacobi(machine, n, tile, steps, 5), {"temporal"});
      }
    }
    check(on, *make_heat(machine, 200, 128, 2, 5));
    check(on, *make_jacobi(machine, 230, 112, 5, 5), {"temporal"});
    check(on, *make_jacobi(machine, 250, 120, 1, 5));
    auto const one_beyond = [&](std::int64_t n, int tile) {
      return make_jacobi(machine, n, tile, 1, 5)
          ->make_ready("temporal", {{.threads = on.shape.threads}});
    };
    BOOST_CHECK_THROW((void)one_beyond(250, 113), unsupported);
    BOOST_CHECK_THROW((void)one_beyond(100, 1), unsupported);
  });
}

BOOST_AUTO_TEST_CASE(table_1_s_tiles_are_right) {
  lud::input const matrix = lud::make_input(15 * 8, 2);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const lud = make_lud(machine, matrix, 8);
    BOOST_TEST(lud->dag().tasks() == 1240U);
    check(on, *lud);
  });
}

namespace {

/// Executes one run and requires that verify() accepts its results.
void run_right(test_machine const& on, problem& one) {
  auto const run = one.make_ready("lrr", {{1, on.shape.threads}});
  one.load();
  run->run();
  run->require_done();
  one.fetch();
  BOOST_CHECK_NO_THROW((void)one.verify());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_result_without_a_run_is_not_accepted) {
  lud::input const matrix = lud::make_input(20, 1);
  dtw::input const warped = dtw::make_input(20, 1, false);
  sw::input const aligned = sw::make_input(20, 1, dna);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const check_not_run = [](problem& one) {
      one.load();
      one.fetch();
      BOOST_CHECK_THROW((void)one.verify(), wrong_result);
    };
    for (auto const& one :
         {make_lud(machine, matrix, 8), make_dtw(machine, warped, 8), make_sw(machine, aligned, 8),
          make_sat(machine, image_of(20, 30), 8), make_int_hist(machine, image_of(20, 30), 8, 5),
          make_heat(machine, 20, 8, 1, 1), make_jacobi(machine, 20, 8, 1, 1)}) {
      check_not_run(*one);
      // The results of the previous run are refused as well.
      run_right(on, *one);
      check_not_run(*one);
    }
    // These methods have checks of their own.
    for (auto const& [one, method] : {std::pair{make_lud(machine, matrix, 8), "updates"},
                                      std::pair{make_dtw(machine, warped, 8), "floor"},
                                      std::pair{make_sw(machine, aligned, 8), "floor"}}) {
      auto const run = one->make_ready(method, {{1, on.shape.threads}});
      check_not_run(*one);
    }
  });
}

namespace {

/// Problems whose inputs are made on the machine, and methods beside those of all applications.
using sampled_problem = std::pair<std::unique_ptr<problem>, std::vector<std::string_view>>;
std::vector<sampled_problem> sampled_problems(device& machine, lud::input const& matrix,
                                              dtw::input const& warped, sw::input const& aligned) {
  auto const image = [](std::int64_t rows, std::int64_t cols) {
    return std::make_shared<grey_image const>(
        grey_image{rows, cols, {}, random_pixels{11, cols, 255}});
  };
  std::vector<sampled_problem> made;
  made.emplace_back(make_lud(machine, matrix, 16), std::vector<std::string_view>{});
  made.emplace_back(make_sat(machine, image(48, 64), 16),
                    std::vector<std::string_view>{"look_back", "carries"});
  made.emplace_back(make_int_hist(machine, image(48, 64), 16, 5),
                    std::vector<std::string_view>{"carries"});
  made.emplace_back(make_heat(machine, 48, 16, 1, 1, kernel_kind::own, checking::sampled),
                    std::vector<std::string_view>{});
  made.emplace_back(make_jacobi(machine, 48, 16, 3, 1, kernel_kind::own, checking::sampled),
                    std::vector<std::string_view>{"temporal"});
  made.emplace_back(make_dtw(machine, warped, 16, 0, checking::sampled),
                    std::vector<std::string_view>{"diagonal"});
  made.emplace_back(make_sw(machine, aligned, 16, 0, checking::sampled),
                    std::vector<std::string_view>{"diagonal"});
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_accept_right_results_and_refuse_others) {
  lud::input const matrix{64, {}, {3, 64}};
  dtw::input const warped = dtw::make_input(64, 3, false);
  sw::input const aligned = sw::make_input(64, 3, dna);
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& [one, more] : sampled_problems(machine, matrix, warped, aligned)) {
      auto const check_not_run = [&] {
        one->load();
        one->fetch();
        BOOST_CHECK_THROW((void)one->verify(), wrong_result);
      };
      check_not_run();
      check(on, *one, more);
      check_not_run();
    }
  });
}

BOOST_AUTO_TEST_CASE(one_wrong_cell_is_found_wherever_it_is) {
  // Changes the last pixel of the image after the run. So one sum is wrong, and the same cell has
  // two wrong counts, neither in bin 0.
  on_each_machine([](test_machine const& on, device& machine) {
    auto const image = std::make_shared<grey_image>(*image_of(20, 30));
    for (bool const has_bins : {false, true}) {
      image->pixels.back() = 60;
      auto const one = has_bins ? make_int_hist(machine, image, 8, 5) : make_sat(machine, image, 8);
      auto const run = one->make_ready("lrr", {{1, on.shape.threads}});
      one->load();
      run->run();
      run->require_done();
      one->fetch();
      image->pixels.back() = 170;
      BOOST_CHECK_THROW((void)one->verify(), wrong_result);
      image->pixels.back() = 60;
      BOOST_CHECK_NO_THROW((void)one->verify());
    }
  });
}

BOOST_AUTO_TEST_CASE(an_alignment_returns_the_cell_of_its_best_score) {
  sw::input const none{{0, 0}, {1}, dna};
  sw::input const some{{3, 0, 1, 3}, {2, 0, 1}, dna};
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const results = [&](sw::input const& given) {
      auto const one = make_sw(machine, given, 2);
      auto const run = one->make_ready("lrr", {{.threads = on.shape.threads}});
      one->load();
      run->run();
      one->fetch();
      return one->results();
    };
    BOOST_TEST(*results(some).score == 4);
    BOOST_TEST(*results(some).end_row == 3);
    BOOST_TEST(*results(some).end_col == 3);
    BOOST_TEST(*results(none).score == 0);
    BOOST_TEST(*results(none).end_row == 0);
  });
}

BOOST_AUTO_TEST_CASE(methods_of_applications_beyond_their_time_are_timeouts) {
  // Each method has a single worker, which never waits.
  dtw::input const warped = dtw::make_input(1000, 1, false);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const check_late = [&](problem& one, std::string_view method) {
      auto const run = one.make_ready(method, {{1, on.shape.threads, 1e-9}});
      one.load();
      run->run();
      BOOST_CHECK_THROW(run->require_done(), timeout_error);
      if (method != "diagonal") BOOST_TEST(run->finished() < one.dag().tasks());
    };
    for (std::string_view const method : {"serial", "diagonal"})
      check_late(*make_dtw(machine, warped, 4), method);
    auto const sums = make_sat(machine, image_of(100, 100), 2);
    check_late(*sums, "look_back");
    check_late(*sums, "carries");
    check_late(*make_int_hist(machine, image_of(100, 100), 2, 3), "carries");
  });
}

BOOST_AUTO_TEST_CASE(unknown_methods_are_refused) {
  lud::input const matrix = lud::make_input(8, 1);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const lud = make_lud(machine, matrix, 8);
    BOOST_CHECK_THROW((void)lud->make_ready("none", {{.threads = on.shape.threads}}), usage_error);
    if (machine.is_host()) {
      auto const two = make_lud(machine, matrix, 4);
      for (std::string_view const library : {"cusolver", "dgemm", "dgemm_update"})
        BOOST_CHECK_THROW((void)two->make_ready(library, {}), unsupported);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
