// Tests teams of resident blocks on the machines that this is linked for: the number of teams and
// members, and the memory that they share.

#include "panel_scene.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

/// Calls body for each device, and for only one host machine, because the numbers of teams and
/// members determine the number of blocks.
template <class Body>
void on_each_kind(Body&& body) {
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!machine.is_host() || &on == &test_machines().back()) body(on, machine);
  });
}

using team_shapes = std::tuple<teams_of<2, 2>, teams_of<2, 4>, teams_of<3, 2>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_teams)

// Sanitizers make kernels slow, so this case uses only the block size of the programs. The first
// team has two panels, one after the other. One of its two buffers for parts lies in the matrix,
// and the other outside.
BOOST_AUTO_TEST_CASE(a_few_panels_are_factorised_by_two_teams_of_two) {
  on_each_kind([](test_machine const& on, device& machine) {
    if (!machine.is_host() && on.shape.threads != 256) return;
    check_panels<teams_of<2, 2>, double>(on, machine, "random", 64, 70, 0, q_by::lapack_alone);
    check_panels<teams_of<2, 2>, float>(on, machine, "random", 128, 40, 0, q_by::lapack_alone);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_family_is_factorised_by_several_members, Teams, team_shapes) {
  on_each_kind([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_panels<Teams, double>(on, machine, std::string(one.name), 128, 128);
      check_panels<Teams, double>(on, machine, std::string(one.name), 270, 100);
      check_panels<Teams, float>(on, machine, std::string(one.name), 160, 160);
    }
  });
}

// Parts lie inside the matrix, outside, or both, depending on the number of rows. For the last
// panel this also depends on the number of columns.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_place_of_parts_is_right_with_and_without_gaps, Teams,
                              team_shapes) {
  on_each_kind([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (std::int64_t const rows : {128, 131, 256, 300, 500}) {
        check_panels<Teams, double>(on, machine, "random", rows, 128, gap);
        check_panels<Teams, float>(on, machine, "random", rows, 99, gap);
      }
      check_panels<Teams, double>(on, machine, "kahan", 288, 230, gap);
      check_panels<Teams, double>(on, machine, "random", 256, 600, gap);
      check_panels<Teams, float>(on, machine, "random", 130, 400, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE(bits_depend_on_the_team_size_only) {
  on_each_kind([](test_machine const& on, device& machine) {
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
    // Other members have other parts of a sum, so results round differently. If they did not, this
    // test could not notice a wrong number of members.
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

BOOST_AUTO_TEST_CASE(matrices_that_follow_each_other_have_one_team) {
  for (std::int64_t const rows : {1, 64, 130, 512, 4096, 30000}) {
    for (int const blocks : {1, 2, 7, 132}) {
      for (std::int64_t const batch : {1, 2, 3, 20, 66, 500}) {
        for (int const members : {0, 1, 2, 5}) {
          BOOST_TEST_CONTEXT(rows << " rows, " << blocks << " blocks, " << batch << " matrices, "
                                  << members << " members") {
            try {
              auto const of = panels::choose_teams(false, rows, 512, blocks, batch, members);
              BOOST_TEST((of.teams == 1 || of.matrices == batch));
              BOOST_TEST(of.matrices * of.teams * of.members <= blocks);
              BOOST_TEST((members == 0 || of.members == members));
            } catch (usage_error const&) {
              // An error is right if members would hold more than 256 rows, if some would hold
              // none, or if the blocks are too few.
              BOOST_TEST((rows > 256 * std::min(blocks, members == 0 ? blocks : members) ||
                          members > blocks || members * 32 >= rows + 32));
            }
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(members_that_do_not_fit_are_refused) {
  auto const text = [](std::int64_t rows, int blocks, int members) {
    return error_text<usage_error>(
        [&] { panels::choose_teams(false, rows, 64, blocks, 1, members); });
  };
  BOOST_TEST(text(1024, 16, 4) == "");
  BOOST_TEST(text(1024, 16, 16) == "");
  for (int const members : {3, 17, -1})
    BOOST_TEST(text(1024, 16, members) ==
               "members of a team: expected 4 to 16 for 1024 rows and 16 blocks, got " +
                   std::to_string(members));
  BOOST_TEST(contains(text(70, 16, 4), "expected 1 to 3 for 70 rows"));
}

BOOST_AUTO_TEST_CASE(factors_sums_and_words_take_less_than_a_seventh_of_the_matrix) {
  device& machine = *test_machines().front().machine;
  for (auto const& [rows, cols] :
       shapes{{512, 512}, {1000, 1000}, {1024, 1024}, {4096, 4096}, {16384, 64}}) {
    // The number of members that is chosen for a GPU of 132 multiprocessors.
    int const members = panels::choose_teams(false, rows, cols, 132).members;
    panels::gram_panels<double> const qr(machine, rows, cols, {.blocks = 132, .members = members});
    BOOST_TEST(7 * qr.bytes() < rows * cols * sizeof(double), rows << " x " << cols);
  }
}

BOOST_AUTO_TEST_CASE(a_panel_that_does_not_fit_is_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    std::string const text = error_text<unsupported>(
        [&] { panels::gram_panels<double>(machine, 100000, 32, {.blocks = 1}); });
    BOOST_TEST(contains(text, "does not fit"));
  });
}

BOOST_AUTO_TEST_SUITE_END()
