// Tests the clients of the general scheduler on the machines that this is linked for. QR gives
// FR1's bits, Cholesky a small residual, and the example exact values.

#include "apps/tiled_tasks/client.hpp"
#include "check/residual.hpp"
#include "gridloom/error.hpp"
#include "rivals/lapack.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::general;

namespace {

void check(test_machine const& on, client& of, priority_by order = priority_by::critical_path,
           execution how = execution::scheduled) {
  compiled_graph const graph = of.graph().compile(order);
  auto const run =
      of.make_ready(graph, how, {.workers = on.shape.blocks, .threads = on.shape.threads});
  for (int again = 0; again < 2; ++again) {
    of.load();
    run->run();
    run->require_done();
    of.fetch();
    BOOST_CHECK_NO_THROW(of.verify(on.shape.threads));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_clients)

BOOST_AUTO_TEST_CASE(qr_has_the_bits_of_the_serial_task_grid) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [n, tile] : {std::pair{96, 32}, {61, 7}, {130, 64}}) {
      for (priority_by const order : {priority_by::critical_path, priority_by::none})
        check(on, *make_qr_client(machine, n, tile, 3), order);
    }
    check(on, *make_qr_client(machine, 100, 16, 3), priority_by::none, execution::waves);
  });
}

BOOST_AUTO_TEST_CASE(cholesky_is_right_by_dependences_and_by_conflicts) {
  set_lapack_threads(1);
  on_each_machine([](test_machine const& on, device& machine) {
    for (updates const order : {updates::in_order, updates::any_order}) {
      for (auto const& [n, tile] : {std::pair{1, 1}, {30, 32}, {97, 16}, {140, 64}})
        check(on, *make_cholesky_client(machine, n, tile, order, 3));
    }
    check(on, *make_cholesky_client(machine, 100, 16, updates::any_order, 3), priority_by::none,
          execution::waves_graph);
  });
}

BOOST_AUTO_TEST_CASE(the_example_counts_its_numbers) {
  on_each_machine([](test_machine const& on, device& machine) {
    check(on, *make_example_client(machine, 40, 1));
  });
}

BOOST_AUTO_TEST_CASE(a_run_that_did_not_happen_is_not_accepted) {
  on_each_machine([](test_machine const& on, device& machine) {
    std::unique_ptr<client> all[] = {make_qr_client(machine, 20, 8, 1),
                                     make_cholesky_client(machine, 20, 8, updates::in_order, 1),
                                     make_example_client(machine, 2, 1)};
    for (auto const& one : all) {
      compiled_graph const graph = one->graph().compile();
      auto const run =
          one->make_ready(graph, execution::scheduled, {.workers = 1, .threads = on.shape.threads});
      one->load();
      one->fetch();
      BOOST_CHECK_THROW(one->verify(on.shape.threads), wrong_result);
    }
  });
}

// The memory per task does not depend on the size of the tiles. So the graph's share of the matrix
// grows with the number of tiles in a row. It is 16 % for 64 tiles of 32², and twice that for 128
// tiles.
BOOST_AUTO_TEST_CASE(a_graph_takes_less_than_17_percent_of_a_matrix_of_up_to_64_tiles_in_a_row) {
  device& machine = *test_machines().front().machine;
  for (std::int64_t const n : {1024, 2048}) {
    std::unique_ptr<client> all[] = {
        make_qr_client(machine, n, 32, 1),
        make_cholesky_client(machine, n, 32, updates::in_order, 1),
        make_cholesky_client(machine, n, 32, updates::any_order, 1),
    };
    auto const matrix = static_cast<double>(n * n * std::int64_t{sizeof(double)});
    for (auto const& one : all) {
      compiled_graph const graph = one->graph().compile();
      for (execution const how :
           {execution::scheduled, execution::in_order, execution::waves, execution::waves_graph}) {
        std::size_t const bytes = one->make_ready(graph, how, {1, 32, 60})->bytes();
        BOOST_TEST(static_cast<double>(bytes) < 0.17 * matrix, n << " " << graph.type_names[0]);
        BOOST_TEST(bytes < 68 * graph.tasks());
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
