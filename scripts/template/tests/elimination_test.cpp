#include "template_artifact/elimination.hpp"

#include <boost/test/unit_test.hpp>

#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(elimination_test)

using namespace gridloom;
using namespace gridloom::template_artifact;

namespace {

constexpr int tiles = 5;

std::vector<double> result_of(std::string_view scheduler, int workers) {
  device machine("host", 0);
  csr_graph const graph = graph_of(tiles);
  auto const numbers = machine.allocate_copy(matrix_of(tiles));
  auto const run = make(scheduler, all_schedulers(), machine, graph,
                        elimination{tiles, numbers.data()}, {.workers = workers, .threads = 1});
  run->run();
  run->require_done();
  return machine.copy_to_host(numbers);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_scheduler_runs_the_tasks_in_order) {
  std::vector<double> const ones(tiles * side * tiles * side, 1.0);
  for (auto const& one : all_schedulers()) {
    for (int const workers : {1, 2, 8})
      BOOST_TEST(result_of(one.name, workers) == ones, one.name << " with " << workers);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_scheduler_is_refused_with_the_names_of_all) {
  std::string const text = test::message_of<usage_error>([] { (void)result_of("nix", 1); });
  BOOST_TEST(text.starts_with("unknown scheduler \"nix\"; expected one of scanning, "), text);
}

BOOST_AUTO_TEST_SUITE_END()
