// Panels from their Gram matrix, by each of the engines that have them, on whatever machine this is
// linked for. Results are LAPACK's form, so Q is made by LAPACK and judged by code that the
// factorisation does not share.

#include "check/lapack.hpp"
#include "panel_engines.hpp"
#include "scene.hpp"
#include "test_machines.hpp"
#include "tiled_qr/panel/form_q.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

struct factored {
  std::vector<double> values;
  counts of;
};

/// `gap` unused rows between two columns; they must come back as they were.
template <class Engine, class T>
factored check_panels(test_machine const& on, device& machine, std::string const& family,
                      std::int64_t rows, std::int64_t cols, std::int64_t gap = 0) {
  factored result{};
  BOOST_TEST_CONTEXT(family << ", " << rows << " x " << cols << ", " << sizeof(T) << " bytes") {
    set_lapack_threads(1);
    std::vector<T> const a = make_matrix<T>(family, rows, cols, 7);
    std::int64_t const leading = rows + gap;
    std::vector<T> spread(static_cast<std::size_t>(leading * cols), T{7});
    for (std::int64_t col = 0; col < cols; ++col)
      std::copy_n(a.begin() + col * rows, rows, spread.begin() + col * leading);
    buffer<T> const matrix = machine.allocate_copy(spread);
    std::vector<T> taus;
    buffer<T> t;
    result.of =
        Engine::template factorise<T>(on, machine, {matrix.data(), rows, cols, leading}, taus, t);
    spread = machine.copy_to_host(matrix);
    std::vector<T> factors(a.size());
    for (std::int64_t col = 0; col < cols; ++col) {
      std::copy_n(spread.begin() + col * leading, rows, factors.begin() + col * rows);
      for (std::int64_t row = rows; row < leading; ++row)
        BOOST_TEST(spread[static_cast<std::size_t>(col * leading + row)] == T{7});
    }
    std::int64_t const vectors = std::min(rows, cols);
    taus.resize(static_cast<std::size_t>(vectors));
    auto const r = upper_triangle<T>({rows, cols, 1}, factors);
    std::vector<T> q = factors;
    lapack_orgqr(rows, cols, q.data(), taus.data());
    q.resize(static_cast<std::size_t>(rows * vectors));
    BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, q, r)) == "");
    BOOST_TEST_CONTEXT("Q formed by products") {
      // Q need not be set before.
      buffer<T> const formed = machine.allocate_copy(std::vector<T>(q.size(), T(1e30)));
      panels::q_former<T> former(machine, rows, cols,
                                 {.blocks = on.shape.blocks, .threads = on.shape.threads});
      former.run({matrix.data(), rows, cols, leading}, t.data(), formed.data());
      auto const own = machine.copy_to_host(formed);
      BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, own, r)) == "");
    }
    result.values.assign(factors.begin(), factors.end());
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_panels)

// For tools, under which kernels are slow: passes over the rows have blocks of one size only, so one
// machine is enough for them.
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_teams) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<resident, double>(on, machine, "random", 96, 70);
    check_panels<resident, double>(on, machine, "zero", 64, 64);
  });
}
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_passes) {
  test_machine const& on = test_machines().front();
  check_panels<streamed, double>(on, *on.machine, "random", 96, 70);
  check_panels<blocked, double>(on, *on.machine, "random", 96, 70);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(panels_of_zeros_are_factorised, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<Engine, double>(on, machine, "zero", 64, 64);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    sizes_that_are_no_multiple_of_a_panel_are_factorised_with_and_without_gaps, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      check_panels<Engine, double>(on, machine, "random", 1, 1, gap);
      check_panels<Engine, double>(on, machine, "random", 96, 70, gap);
      check_panels<Engine, double>(on, machine, "random", 33, 1, gap);
      check_panels<Engine, double>(on, machine, "random", 1, 33, gap);
      check_panels<Engine, double>(on, machine, "random", 131, 67, gap);
      check_panels<Engine, double>(on, machine, "random", 67, 131, gap);
      check_panels<Engine, double>(on, machine, "random", 200, 300, gap);
      check_panels<Engine, float>(on, machine, "random", 100, 100, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_family_is_factorised_in_both_precisions, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_panels<Engine, double>(on, machine, std::string(one.name), 128, 128);
      check_panels<Engine, double>(on, machine, std::string(one.name), 150, 60);
      check_panels<Engine, float>(on, machine, std::string(one.name), 96, 96);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(several_groups_of_panels_and_split_rows_make_q, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<Engine, double>(on, machine, "random", 421, 391);
    check_panels<Engine, double>(on, machine, "random", 1000, 140);
    check_panels<Engine, double>(on, machine, "random", 900, 64);
    check_panels<Engine, double>(on, machine, "graded", 300, 257);
    check_panels<Engine, float>(on, machine, "rank-deficient", 257, 300);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(columns_that_depend_on_each_other_take_more_chains_and_others_do_not,
                              Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const easy = check_panels<Engine, double>(on, machine, "random", 256, 64);
    BOOST_TEST(easy.of.chains == static_cast<std::uint32_t>(easy.of.panels));
    // Kahan's columns stay long while they lose their digits: lengths alone would not show it.
    auto const hard = check_panels<Engine, double>(on, machine, "kahan", 96, 96);
    BOOST_TEST(hard.of.chains > static_cast<std::uint32_t>(hard.of.panels));
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_same_input_gives_the_same_bits, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const first = check_panels<Engine, double>(on, machine, "random", 200, 130).values;
    for (int again = 0; again < 3; ++again)
      BOOST_TEST((check_panels<Engine, double>(on, machine, "random", 200, 130).values == first));
  });
}

BOOST_AUTO_TEST_CASE(many_rows_are_factorised_by_passes_over_them) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 1}) {
      check_panels<streamed, double>(on, machine, "random", 1031, 67, gap);
      check_panels<blocked, double>(on, machine, "random", 1031, 131, gap);
    }
    check_panels<streamed, double>(on, machine, "collinear", 1031, 67);
    check_panels<blocked, float>(on, machine, "random", 1031, 131);
  });
}

BOOST_AUTO_TEST_CASE(blocks_of_every_width_that_is_chosen_are_factorised) {
  test_machine const& on = test_machines().back();
  check_panels<blocks_of<128>, double>(on, *on.machine, "random", 531, 400);
  check_panels<blocks_of<256>, double>(on, *on.machine, "random", 1031, 700);
  check_panels<blocks_of<256>, double>(on, *on.machine, "graded", 600, 530);
  check_panels<blocks_of<256>, float>(on, *on.machine, "random", 600, 530);
}

BOOST_AUTO_TEST_CASE(a_batch_of_matrices_is_factorised_in_one_launch) {
  on_each_machine([](test_machine const& on, device& machine) {
    constexpr std::int64_t rows = 96;
    constexpr std::int64_t cols = 70;
    constexpr int batch = 7;
    set_lapack_threads(1);
    std::vector<std::vector<double>> inputs;
    std::vector<double> all;
    for (int number = 0; number < batch; ++number) {
      inputs.push_back(make_matrix<double>("random", rows, cols, 7 + number));
      all.insert(all.end(), inputs.back().begin(), inputs.back().end());
    }
    buffer<double> const matrices = machine.allocate_copy(all);
    panels::gram_panels<double> qr(
        machine, rows, cols,
        {.blocks = on.shape.blocks, .threads = on.shape.threads, .batch = batch});
    BOOST_TEST(qr.blocks() <= on.shape.blocks);
    qr.reset();
    qr.run({matrices.data(), rows, cols, rows}, rows * cols);
    qr.require_done();
    auto const factors = machine.copy_to_host(matrices);
    auto const taus = machine.copy_to_host(qr.tau());
    for (int number = 0; number < batch; ++number) {
      std::vector<double> q(factors.begin() + number * rows * cols,
                            factors.begin() + (number + 1) * rows * cols);
      auto const r = upper_triangle<double>({rows, cols, 1}, q);
      lapack_orgqr(rows, cols, q.data(), taus.data() + number * qr.panels() * panels::panel_width);
      auto const& input = inputs[static_cast<std::size_t>(number)];
      BOOST_TEST(excess_of(measure_residuals<double>(rows, cols, input, q, r)) == "", number);
    }
  });
}

BOOST_AUTO_TEST_CASE(many_matrices_have_as_few_blocks_each_as_hold_a_panel) {
  auto const many = panels::choose_teams(false, 512, 512, 132, 640);
  BOOST_TEST(many.members == 2);
  BOOST_TEST(many.teams == 1);
  BOOST_TEST(many.matrices == 66);
  auto const few = panels::choose_teams(false, 4096, 4096, 132, 2);
  BOOST_TEST(few.matrices == 2);
  BOOST_TEST(few.matrices * few.teams * few.members <= 132);
  BOOST_TEST(few.teams > 1);
}

BOOST_AUTO_TEST_CASE(a_panel_that_does_not_fit_is_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    std::string const text = error_text<unsupported>(
        [&] { panels::gram_panels<double>(machine, 100000, 32, {.blocks = 1}); });
    BOOST_TEST(text.find("does not fit") != std::string::npos, text);
  });
}

BOOST_AUTO_TEST_SUITE_END()
