// Tests the report's schedulers on the machines that this is linked for: host workers, or CUDA
// blocks of several sizes. The first case is for compute-sanitizer.

#include <algorithm>
#include <tuple>
#include <vector>

#include "ours/operation_kernels.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

using precisions = std::tuple<double, float>;

factorization_settings settings_on(test_machine const& on, scheduling how) {
  factorization_settings settings;
  settings.how = how;
  settings.blocks = how == by::serial ? 1 : on.shape.blocks;
  settings.threads = on.shape.threads;
  settings.timeout_s = 60;
  return settings;
}

void check_everywhere(size const& of, std::string const& family = "random") {
  set_lapack_threads(1);
  on_each_machine([&](test_machine const& on, device& machine) {
    for (scheduling const how : schedulings_on(machine, on.shape.threads)) {
      check_qr<double>(machine, family, of, settings_on(on, how));
      check_qr<float>(machine, family, of, settings_on(on, how));
    }
  });
}

void check_few_tiles(std::vector<scheduling> const& wanted) {
  set_lapack_threads(1);
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!machine.is_host() && on.shape.threads != 32) return;
    auto const there = schedulings_on(machine, on.shape.threads);
    for (scheduling const how : wanted)
      if (std::find(there.begin(), there.end(), how) != there.end())
        check_qr<double>(machine, "random", {50, 45, 16}, settings_on(on, how));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_device)

// Sanitizers make kernels slow, so on a GPU this case uses only the report's block size.
// compute-sanitizer serialises kernels (device::launch_together), but FR3's two kernels wait for
// each other. So `joined` runs the same scheduler and workers in one launch.
BOOST_AUTO_TEST_CASE(a_matrix_of_few_tiles_is_factorised_by_the_reports_schedulers) {
  check_few_tiles({by::serial, by::shared, by::joined});
}
BOOST_AUTO_TEST_CASE(a_matrix_of_few_tiles_is_factorised_with_scheduler_warps) {
  check_few_tiles({by::in_block});
}
BOOST_AUTO_TEST_CASE(a_matrix_of_few_tiles_is_factorised_from_lists) {
  check_few_tiles({by::static_lists, by::ticket});
}
BOOST_AUTO_TEST_CASE(a_matrix_of_few_tiles_is_factorised_step_by_step) {
  check_few_tiles({by::launches, by::graph, by::graph_pdl, by::omp_tasks});
}

BOOST_AUTO_TEST_CASE(square_tall_and_wide_matrices_are_factorised) {
  check_everywhere({160, 160, 32});
  check_everywhere({333, 75, 32});
  check_everywhere({75, 333, 32});
}

BOOST_AUTO_TEST_CASE(tiles_of_other_sizes_are_factorised) {
  check_everywhere({61, 50, 7});
  check_everywhere({200, 150, 64});
  check_everywhere({20, 30, 32});
  check_everywhere({1, 1, 1});
}

BOOST_AUTO_TEST_CASE(hard_families_are_factorised) {
  for (char const* family : {"zero", "rank-deficient", "scaled-rows", "kahan"})
    check_everywhere({100, 90, 32}, family);
}

BOOST_AUTO_TEST_CASE(every_family_is_factorised) {
  for (family const& one : families()) check_everywhere({45, 40, 16}, std::string(one.name));
  check_everywhere({200, 64, 32}, "constant");
}

BOOST_AUTO_TEST_CASE(results_are_the_same_from_run_to_run_and_for_every_scheduler) {
  tiling const cut = make_tiling(300, 260, 32);
  auto const a = make_matrix<double>("random", 300, 260, 5);
  on_each_machine([&](test_machine const& on, device& machine) {
    std::vector<double> first;
    for (scheduling const how : schedulings_on(machine, on.shape.threads)) {
      for (double const weight : {1.0, 2.5}) {
        factorization_settings settings = settings_on(on, how);
        settings.double_weight = weight;
        settings.bounded_steps = weight > 1;
        auto const found = factors_of(machine, cut, a, settings);
        if (first.empty()) first = found;
        BOOST_TEST((found == first));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_kernel_per_operation_gives_the_same_bits, T, precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (size const& of : {size{100, 83, 32}, size{83, 100, 16}, size{130, 130, 64}}) {
      tiling const cut = make_tiling(of.rows, of.cols, of.tile);
      auto const a = make_matrix<T>("random", of.rows, of.cols, 5);
      device_matrix<T> matrix(machine, cut);
      matrix.load(a);
      factorise_by_operations(machine, matrix.ref(), on.shape);
      BOOST_TEST((matrix.fetch() == factors_of(machine, cut, a, settings_on(on, by::serial))));
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_operation_by_itself_needs_no_more_than_all_four, T, precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (int const tile : {32, 64}) {
      auto const all = facts_of_operations<T>(machine, tile, on.shape.threads);
      BOOST_REQUIRE(all.size() == 5);
      int const square = tile * tile * static_cast<int>(sizeof(T));
      int const tiles[] = {1, 2, 2, 3, 3};
      for (std::size_t at = 0; at < all.size(); ++at) {
        int const bytes = all[at].kernel.shared_bytes;
        BOOST_TEST(bytes >= tiles[at] * square, all[at].operation);
        BOOST_TEST(bytes <= all.back().kernel.shared_bytes, all[at].operation);
        BOOST_TEST((machine.is_host() || all[at].kernel.registers > 0));
        BOOST_TEST((machine.is_host() || all[at].kernel.blocks_per_multiprocessor > 0));
      }
      BOOST_TEST(all[0].kernel.shared_bytes < 2 * square);
      BOOST_TEST(all[1].kernel.shared_bytes < 3 * square);
    }
  });
}

BOOST_AUTO_TEST_CASE(ready_queues_of_one_place_end_a_run) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (scheduling const how : {by::two_kernels, by::one_thread, by::joined}) {
      factorization_settings settings = settings_on(on, how);
      settings.queue_slots = 1;
      check_qr<double>(machine, "random", {320, 320, 16}, settings);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_grid_that_does_not_fit_is_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    tiling const cut = make_tiling(8, 8, 4);
    device_matrix<double> matrix(machine, cut);
    matrix.load(std::vector<double>(64, 1.0));
    for (scheduling const how : schedulings_on(machine, on.shape.threads)) {
      // In these methods no worker waits for another.
      if (how == by::serial || !how->waits_inside) continue;
      factorization_settings settings = settings_on(on, how);
      settings.blocks = 1 << 16;
      factorization<double> qr(machine, cut, settings);
      qr.reset();
      BOOST_CHECK_THROW(qr.run(matrix.ref()), grid_error);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
