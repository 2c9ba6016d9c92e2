// Teams of resident blocks: how many, of how many members, and what they share, on whatever machine this
// is linked for.

#include "panel_scene.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

/// Teams by members.
using shapes = std::tuple<teams_of<2, 2>, teams_of<2, 4>, teams_of<3, 2>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_teams)

// For tools, under which kernels are slow.
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_two_teams_of_two) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_panels<teams_of<2, 2>, double>(on, machine, "random", 136, 100);
    check_panels<teams_of<2, 2>, float>(on, machine, "random", 66, 96);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_family_is_factorised_by_several_members, Teams, shapes) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_panels<Teams, double>(on, machine, std::string(one.name), 128, 128);
      check_panels<Teams, double>(on, machine, std::string(one.name), 270, 100);
      check_panels<Teams, float>(on, machine, std::string(one.name), 160, 160);
    }
  });
}

// Parts lie in the matrix, beside it, or both, by its rows, and by its columns in the last panel.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_place_of_parts_is_right_with_and_without_gaps, Teams, shapes) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (std::int64_t const rows : {128, 131, 256, 300, 520}) {
        check_panels<Teams, double>(on, machine, "random", rows, 128, gap);
        check_panels<Teams, float>(on, machine, "random", rows, 99, gap);
      }
      check_panels<Teams, double>(on, machine, "kahan", 288, 230, gap);
      check_panels<Teams, double>(on, machine, "random", 256, 600, gap);
      check_panels<Teams, float>(on, machine, "random", 130, 400, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE(bits_depend_on_the_members_and_not_on_run_or_teams) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const values = [&]<class Teams>(Teams) {
      return check_panels<Teams, double>(on, machine, "random", 300, 230).values;
    };
    auto const two = values(teams_of<1, 2>{});
    for (int again = 0; again < 3; ++again) {
      BOOST_TEST((values(teams_of<2, 2>{}) == two));
      BOOST_TEST((values(teams_of<3, 2>{}) == two));
      BOOST_TEST((values(teams_of<4, 2>{}) == two));
    }
    auto const four = values(teams_of<1, 4>{});
    BOOST_TEST((values(teams_of<2, 4>{}) == four));
    // Sums of other parts round in another way: this test would not notice members otherwise.
    BOOST_TEST((four != two));
  });
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
