// Tests factorisations by panels with each engine, on the machines that this is linked for.

#include "panel_engines.hpp"
#include "panel_scene.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

BOOST_AUTO_TEST_SUITE(tiled_qr_panels)

// Sanitizers slow a kernel down several hundred times. So for them each path of the kernels runs
// once, without Q, which has its own cases. Blocks have a partial last warp, whole warps, or 256
// threads, with which a chain stays in registers. Four blocks form one team of three here. A matrix
// with dependent columns takes several chains per panel, and zeros have no reflectors.
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_a_team) {
  on_each_machine([](test_machine const& on, device& machine) {
    int const threads = on.shape.threads;
    if (!machine.is_host() && threads != 33 && threads != 96 && threads != 256) return;
    check_panels<resident, double>(on, machine, "rank-deficient", 70, 40, 0, q_by::lapack_alone);
    if (machine.is_host() || threads == 256)
      check_panels<resident, double>(on, machine, "zero", 33, 33, 0, q_by::lapack_alone);
  });
}
// Blocks of passes always have the same number of threads. Several blocks add up partial sums. A
// single block has several chunks of rows.
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_passes) {
  test_machine on = test_machines().back();
  check_panels<blocked, double>(on, *on.machine, "random", 70, 70, 0, q_by::lapack_alone);
  on.shape.blocks = 1;
  check_panels<streamed, double>(on, *on.machine, "random", 140, 40, 0, q_by::lapack_alone);
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
      for (auto const& [rows, cols] :
           shapes{{1, 1}, {96, 70}, {33, 1}, {1, 33}, {131, 67}, {67, 131}, {200, 300}})
        check_panels<Engine, double>(on, machine, "random", rows, cols, gap);
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
    // Kahan's columns stay long while they lose digits, so a test of lengths would not notice the
    // loss.
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

BOOST_AUTO_TEST_SUITE_END()
