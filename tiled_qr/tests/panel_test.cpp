// Resident teams with panels from their Gram matrix, on whatever machine this is linked for. Results
// are LAPACK's form, so Q is made by LAPACK and judged by code that the factorisation does not share.

#include "check/lapack.hpp"
#include "scene.hpp"
#include "test_machines.hpp"
#include "tiled_qr/panel/form_q.hpp"
#include "tiled_qr/panel/gram_panels.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

struct factored {
  std::vector<double> values;
  std::uint32_t chains;
  int panels;
};

/// `gap` unused rows between two columns; they must come back as they were.
template <class T>
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
    panels::gram_panels<T> qr(machine, rows, cols,
                              {.blocks = on.shape.blocks, .threads = on.shape.threads});
    qr.reset();
    qr.run({matrix.data(), rows, cols, leading});
    qr.require_done();
    spread = machine.copy_to_host(matrix);
    std::vector<T> factors(a.size());
    for (std::int64_t col = 0; col < cols; ++col) {
      std::copy_n(spread.begin() + col * leading, rows, factors.begin() + col * rows);
      for (std::int64_t row = rows; row < leading; ++row)
        BOOST_TEST(spread[static_cast<std::size_t>(col * leading + row)] == T{7});
    }
    std::int64_t const vectors = std::min(rows, cols);
    std::vector<T> taus = machine.copy_to_host(qr.tau());
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
      former.run({matrix.data(), rows, cols, leading}, qr.t().data(), formed.data());
      auto const own = machine.copy_to_host(formed);
      BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, own, r)) == "");
    }
    result = {{factors.begin(), factors.end()}, qr.chains(), qr.panels()};
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_panels)

BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<double>(on, machine, "random", 96, 70);
    check_panels<double>(on, machine, "zero", 64, 64);
  });
}

BOOST_AUTO_TEST_CASE(sizes_that_are_no_multiple_of_a_panel_are_factorised_with_and_without_gaps) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      check_panels<double>(on, machine, "random", 1, 1, gap);
      check_panels<double>(on, machine, "random", 33, 1, gap);
      check_panels<double>(on, machine, "random", 1, 33, gap);
      check_panels<double>(on, machine, "random", 131, 67, gap);
      check_panels<double>(on, machine, "random", 67, 131, gap);
      check_panels<float>(on, machine, "random", 100, 100, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE(every_family_is_factorised_in_both_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_panels<double>(on, machine, std::string(one.name), 128, 128);
      check_panels<double>(on, machine, std::string(one.name), 150, 60);
      check_panels<float>(on, machine, std::string(one.name), 96, 96);
    }
  });
}

BOOST_AUTO_TEST_CASE(several_groups_of_panels_and_split_rows_make_q) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<double>(on, machine, "random", 421, 391);
    check_panels<double>(on, machine, "random", 1000, 140);
    check_panels<double>(on, machine, "random", 900, 64);
    check_panels<double>(on, machine, "graded", 300, 257);
    check_panels<float>(on, machine, "rank-deficient", 257, 300);
  });
}

BOOST_AUTO_TEST_CASE(columns_that_depend_on_each_other_take_more_chains_and_others_do_not) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const easy = check_panels<double>(on, machine, "random", 256, 64);
    BOOST_TEST(easy.chains == static_cast<std::uint32_t>(easy.panels));
    // Kahan's columns stay long while they lose their digits: lengths alone would not show it.
    auto const hard = check_panels<double>(on, machine, "kahan", 96, 96);
    BOOST_TEST(hard.chains > static_cast<std::uint32_t>(hard.panels));
  });
}

BOOST_AUTO_TEST_CASE(the_same_input_gives_the_same_bits) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const first = check_panels<double>(on, machine, "random", 200, 130).values;
    for (int again = 0; again < 3; ++again)
      BOOST_TEST((check_panels<double>(on, machine, "random", 200, 130).values == first));
  });
}

BOOST_AUTO_TEST_CASE(a_panel_that_does_not_fit_is_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    std::string const text = error_text<unsupported>(
        [&] { panels::gram_panels<double>(machine, 100000, 32, {.blocks = 1}); });
    BOOST_TEST(text.find("does not fit") != std::string::npos, text);
  });
}

BOOST_AUTO_TEST_SUITE_END()
