// Tests the report's schedulers on host workers. Residuals are checked for every size, family and
// scheduler, and all schedulers must give the same bits.

#include <initializer_list>
#include <tuple>
#include <utility>

#include "gridloom/trace.hpp"
#include "ours/least_squares.hpp"
#include "ours/schedule.hpp"
#include "rivals/householder.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"
#include "test_support.hpp"
#include "tiled_qr/task.hpp"

BOOST_AUTO_TEST_SUITE(factorization_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

using precisions = std::tuple<double, float>;

device& host() {
  static device machine("host", 0);
  set_lapack_threads(1);
  return machine;
}

// Square, tall and wide matrices, one tile, sizes that are multiples of the tile and others, and
// one row or column.
constexpr size sizes[] = {{1, 1, 1},     {1, 9, 4},     {9, 1, 4},     {8, 8, 8},    {5, 7, 16},
                          {7, 5, 16},    {24, 24, 8},   {29, 29, 8},   {61, 13, 8},  {13, 61, 8},
                          {100, 97, 32}, {97, 100, 32}, {150, 70, 48}, {70, 150, 48}};

std::vector<double> factors_of(factorization_settings const& settings, size const& of) {
  return tiled_qr::test::factors_of(host(), make_tiling(of.rows, of.cols, of.tile),
                                    make_matrix<double>("random", of.rows, of.cols, 3), settings);
}

/// Returns the numbers of the tasks that each worker executed, in order.
std::vector<std::vector<std::uint32_t>> executed(factorization_settings const& settings,
                                                 size const& of) {
  tiling const cut = make_tiling(of.rows, of.cols, of.tile);
  device_matrix<double> matrix(host(), cut);
  matrix.load(make_matrix<double>("random", of.rows, of.cols, 3));
  factorization<double> qr(host(), cut, settings);
  trace_buffer trace(host(), qr.observers(), static_cast<std::uint32_t>(count_tasks(cut)));
  qr.reset();
  qr.run(matrix.ref(), trace.arm());
  qr.require_done();
  std::vector<std::vector<std::uint32_t>> tasks(static_cast<std::size_t>(qr.observers()));
  for (traced_task const& one : trace.events())
    tasks[static_cast<std::size_t>(one.worker)].push_back(one.event.task);
  BOOST_TEST(trace.dropped() == 0U);
  return tasks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_scheduler_factorises_every_size) {
  for (scheduling const how : schedulings_on(host(), 1)) {
    for (int const workers : {1, 2, 8}) {
      if (how == by::serial && workers > 1) continue;
      for (size const& of : sizes) {
        check_qr<double>(host(), "random", of, {.how = how, .blocks = workers});
        if (workers == 2) check_qr<float>(host(), "random", of, {.how = how, .blocks = workers});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_family_is_factorised_in_both_precisions) {
  for (family const& one : families()) {
    for (size const& of : {size{60, 60, 16}, size{90, 40, 16}, size{40, 90, 16}}) {
      check_qr<double>(host(), std::string(one.name), of, {.how = by::serial});
      check_qr<float>(host(), std::string(one.name), of, {.how = by::serial});
    }
  }
}

// What is left of each column is about epsilon times what was left of the previous one, so numbers
// are denormal after some twenty columns.
BOOST_AUTO_TEST_CASE_TEMPLATE(columns_that_depend_on_each_other_leave_q_orthogonal, T, precisions) {
  for (size const& of :
       {size{64, 64, 32}, size{200, 64, 32}, size{200, 64, 64}, size{300, 300, 32}})
    for (scheduling const how : {by::serial, by::joined})
      for (char const* family : {"constant", "repeated"})
        check_qr<T>(host(), family, of, {.how = how, .blocks = 2});
  check_qr<T>(host(), "constant", {1000, 1000, 64}, {});
  std::vector<T> a = make_matrix<T>("random", 200, 64, 3);
  std::fill(a.begin() + 40 * 200, a.end(), T{1});
  check_qr_of<T>(host(), a, {200, 64, 32}, {});
  // A Vandermonde matrix, with the highest power first.
  constexpr size of{500, 120, 32};
  a.assign(500 * 120, T{1});
  for (std::size_t j = 119; j-- > 0;)
    for (std::size_t i = 0; i < 500; ++i)
      a[j * 500 + i] = a[(j + 1) * 500 + i] * static_cast<T>(i) / 499;
  check_qr_of<T>(host(), a, of, {});
}

BOOST_AUTO_TEST_CASE(a_matrix_of_denormal_numbers_is_factorised) {
  for (char const* family : {"random", "hilbert"}) {
    std::vector<double> a = make_matrix<double>(family, 50, 40, 5);
    for (double& x : a) x *= 1e-318;
    check_qr_of<double>(host(), a, {50, 40, 16}, {});
  }
}

BOOST_AUTO_TEST_CASE(elements_near_the_ends_of_the_range_are_reduced) {
  for (double const scale : {1e-290, 1e290}) {
    tiling const cut = make_tiling(40, 30, 8);
    std::vector<double> a = make_matrix<double>("random", 40, 30, 5);
    std::vector<double> const plain = a;
    for (double& x : a) x *= scale;
    auto const matrix = factorized(host(), cut, a, {});
    std::vector<double> r = upper_triangle<double>(cut, matrix.fetch());
    for (double& x : r) x /= scale;
    auto const q = form_q(host(), matrix.ref(), 30, {1, 1});
    BOOST_TEST(excess_of(measure_residuals<double>(40, 30, plain, q, r)) == "");
  }
}

BOOST_AUTO_TEST_CASE(schedulers_agree_bit_by_bit_for_any_order) {
  size const of{100, 83, 16};
  std::vector<double> const serial = factors_of({}, of);
  for (scheduling const how : schedulings_on(host(), 1)) {
    for (priority const order : {priority::factorisations_first, priority::fifo}) {
      for (double const weight : {1.0, 1.5, 3.0}) {
        BOOST_TEST(factors_of({.how = how, .order = order, .double_weight = weight, .blocks = 3},
                              of) == serial);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(one_worker_executes_tasks_in_the_order_that_is_asked_for) {
  for (size const& of : {size{4, 4, 1}, size{7, 3, 1}, size{3, 7, 1}}) {
    tiling const cut = make_tiling(of.rows, of.cols, of.tile);
    for (priority const order : {priority::factorisations_first, priority::fifo}) {
      auto const expected = simulate(cut, 1, order, 2).by_begin;
      for (scheduling const how : {by::serial, by::shared, by::in_block, by::static_lists})
        BOOST_TEST(executed({.how = how, .order = order}, of)[0] == expected, per_element());
    }
    BOOST_TEST(executed({.how = by::serial, .order = priority::fifo}, of)[0] !=
               executed({.how = by::serial}, of)[0]);
  }
}

// The grid has two rows of six tiles. The first report of a run makes a double task ready (6), and
// the single tasks 1 to 5. They are given out before another report arrives, so tasks 0 to 6 always
// go to the same workers. turns_test.cpp tests the scheduler alone.
BOOST_AUTO_TEST_CASE(fr3_skips_a_worker_that_has_a_double_task) {
  for (scheduling const how : {by::two_kernels, by::one_thread, by::joined}) {
    for (auto const& [weight, expected_tasks] :
         std::initializer_list<std::pair<double, std::vector<std::uint32_t>>>{
             {1, {0, 1, 3, 5}}, {2, {0, 1, 2, 4}}, {4, {0, 1, 2, 3, 4}}}) {
      auto tasks = executed({.how = how, .double_weight = weight, .blocks = 2}, {2, 6, 1});
      // The first trace is the scheduler's.
      BOOST_TEST(tasks[0].empty());
      std::erase_if(tasks[1], [](std::uint32_t task) { return task > 6; });
      BOOST_TEST(tasks[1] == expected_tasks, per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(ready_queues_of_one_place_are_enough) {
  size const of{120, 120, 8};
  std::vector<double> const serial = factors_of({}, of);
  for (scheduling const how : {by::two_kernels, by::one_thread, by::joined}) {
    for (int const workers : {1, 2, 5})
      BOOST_TEST(factors_of({.how = how, .queue_slots = 1, .blocks = workers}, of) == serial);
  }
}

BOOST_AUTO_TEST_CASE(r_is_that_of_algorithm_1_up_to_signs) {
  std::vector<double> naive = make_matrix<double>("random", 50, 35, 3);
  householder_qr<double>(50, 35, naive.data());
  std::vector<double> const tiled = factors_of({}, {50, 35, 8});
  for (std::size_t j = 0; j < 35; ++j) {
    for (std::size_t i = 0; i <= j; ++i)
      BOOST_TEST(std::abs(std::abs(naive[j * 50 + i]) - std::abs(tiled[j * 50 + i])) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(q_and_its_transpose_undo_each_other_on_part_of_a_larger_matrix) {
  auto const matrix =
      factorized(host(), make_tiling(70, 40, 16), make_matrix<double>("random", 70, 40, 3), {});
  constexpr std::int64_t ld = 80;
  std::vector<double> const before = make_matrix<double>("random", ld, 21, 9);
  auto const c = host().allocate_copy(before);
  for (side const which : {side::q_transposed, side::q})
    apply_q(host(), matrix.ref(), which, c.data(), ld, 21, {2, 1});
  std::vector<double> const after = host().copy_to_host(c);
  for (std::size_t at = 0; at < before.size(); ++at) {
    bool const beyond = at % ld >= 70;
    BOOST_TEST(std::abs(after[at] - before[at]) <= (beyond ? 0 : 1e-13));
  }
}

BOOST_AUTO_TEST_CASE(memory_between_columns_is_not_changed) {
  constexpr std::int64_t ld = 53;
  tiling const cut = make_tiling(45, 37, 16);
  std::vector<double> const all = make_matrix<double>("random", ld, 37, 3);
  std::vector<double> packed;
  for (std::size_t j = 0; j < 37; ++j)
    packed.insert(packed.end(), all.begin() + static_cast<std::ptrdiff_t>(j * ld),
                  all.begin() + static_cast<std::ptrdiff_t>(j * ld + 45));
  auto const values = host().allocate_copy(all);
  auto const taus = host().allocate<double>(cut.taus());
  factorization_settings const settings{.how = by::shared, .blocks = 2};
  factorization<double> qr(host(), cut, settings);
  qr.reset();
  qr.run({values.data(), ld, taus.data(), cut});
  qr.require_done();
  std::vector<double> const wide = host().copy_to_host(values);
  std::vector<double> const narrow = tiled_qr::test::factors_of(host(), cut, packed, settings);
  for (std::size_t j = 0; j < 37; ++j) {
    for (std::size_t i = 0; i < ld; ++i)
      BOOST_TEST(wide[j * ld + i] == (i < 45 ? narrow[j * 45 + i] : all[j * ld + i]));
  }
}

BOOST_AUTO_TEST_CASE(least_squares_solves_what_has_a_solution) {
  size const of{60, 25, 16};
  tiling const cut = make_tiling(of.rows, of.cols, of.tile);
  std::vector<double> const a = make_matrix<double>("random", of.rows, of.cols, 3);
  std::vector<double> const x = make_matrix<double>("random", of.cols, 2, 4);
  std::vector<double> b(2 * 60, 0.0);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t j = 0; j < 25; ++j)
      for (std::size_t i = 0; i < 60; ++i) b[c * 60 + i] += a[j * 60 + i] * x[c * 25 + j];
  auto const matrix = factorized(host(), cut, a, {});
  auto const found = solve_least_squares<double>(host(), matrix.ref(), b, {1, 1});
  for (std::size_t at = 0; at < x.size(); ++at) BOOST_TEST(std::abs(found[at] - x[at]) < 1e-12);
}

BOOST_AUTO_TEST_CASE(least_squares_refuses_what_it_cannot_solve) {
  tiling const wide = make_tiling(3, 5, 2);
  device_matrix<double> wide_matrix(host(), wide);
  std::vector<double> const b(3, 1.0);
  BOOST_CHECK_THROW(solve_least_squares<double>(host(), wide_matrix.ref(), b, {1, 1}), unsupported);
  tiling const cut = make_tiling(5, 3, 2);
  auto const zero = factorized(host(), cut, std::vector<double>(15, 0.0), {});
  std::vector<double> const c(5, 1.0);
  BOOST_TEST(contains(message_of<run_error>([&] {
                        (void)solve_least_squares<double>(host(), zero.ref(), c, {1, 1});
                      }),
                      "full rank"));
}

BOOST_AUTO_TEST_CASE(too_many_tiles_are_refused_with_a_remedy) {
  auto const said = [](std::int64_t rows, std::int64_t cols, int tile) {
    return message_of<usage_error>([&] { make_tiling(rows, cols, tile); });
  };
  constexpr std::int64_t most = ((std::int64_t{1} << 30U) - 1) * largest_tile;
  BOOST_TEST(make_tiling(most, 1, largest_tile).rows == most);
  BOOST_TEST(said(most, 1, 32) ==
             "--tile: 68719476672 x 1 is more than the limit of 1073741823 tiles with 32; "
             "expected a larger one, up to 64");
  BOOST_TEST(said(most + 1, 1, 32) ==
             "--rows: 68719476673 x 1 is more than the limit of 1073741823 tiles even with "
             "the largest --tile, 64; expected fewer rows");
  BOOST_TEST(said(3, most + 1, 32).starts_with("--columns: 3 x 68719476673 is more than"));
  BOOST_TEST(said(std::int64_t{1} << 62U, 1, 1).ends_with("expected fewer rows"));
}

BOOST_AUTO_TEST_CASE(a_timeout_names_what_each_worker_waited_for) {
  tiling const cut = make_tiling(600, 600, 8);
  device_matrix<double> matrix(host(), cut);
  matrix.load(make_matrix<double>("random", 600, 600, 3));
  for (scheduling const how : all_schedulings) {
    if (!stops_in_time(how)) continue;
    // A single worker never waits, but must still notice the time limit.
    for (int const blocks : {1, 2}) {
      factorization<double> qr(host(), cut, {.how = how, .blocks = blocks, .timeout_s = 1e-9});
      qr.reset();
      qr.run(matrix.ref());
      std::string const said = message_of<timeout_error>([&] { qr.require_done(); });
      BOOST_TEST(contains(said, "--timeout-s"));
      BOOST_TEST(contains(said, "worker "));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_recorded_run_factorises_the_given_matrix) {
  tiling const cut = make_tiling(60, 60, 8);
  auto const a = make_matrix<double>("random", 60, 60, 3);
  auto const b = make_matrix<double>("random", 60, 60, 4);
  for (scheduling const how : {by::launches, by::graph, by::graph_pdl}) {
    factorization<double> qr(host(), cut, {.how = how, .blocks = 2});
    device_matrix<double> first(host(), cut);
    device_matrix<double> second(host(), cut);
    first.load(a);
    second.load(b);
    qr.prepare(first.ref());
    for (device_matrix<double> const* one : {&first, &second}) {
      qr.reset();
      qr.run(one->ref());
      qr.require_done();
    }
    BOOST_TEST(first.fetch() == tiled_qr::test::factors_of(host(), cut, a, {}));
    BOOST_TEST(second.fetch() == tiled_qr::test::factors_of(host(), cut, b, {}));
  }
}

BOOST_AUTO_TEST_CASE(settings_out_of_range_are_refused) {
  tiling const cut = make_tiling(8, 8, 4);
  auto const refused = [&](factorization_settings const& settings) {
    return message_of<usage_error>([&] { factorization<double>(host(), cut, settings); });
  };
  BOOST_TEST(contains(refused({.queue_slots = 3}), "power of two"));
  BOOST_TEST(contains(refused({.double_weight = 0.5}), "weight"));
  BOOST_TEST(contains(refused({.blocks = 0}), "workers"));
  BOOST_TEST(contains(refused({.threads = 257}), "threads"));
  for (auto const& [m, n, b] : {size{0, 3, 2}, size{3, 0, 2}, size{3, 3, 0}, size{3, 3, 65}})
    BOOST_CHECK_THROW((void)make_tiling(m, n, b), usage_error);
  BOOST_CHECK_THROW((void)make_tiling(std::int64_t{1} << 40U, 1 << 20, 32), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
