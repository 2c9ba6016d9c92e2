#define BOOST_TEST_MODULE batch_experiment
// The experiment on batches gives a row an arm and repetition, and refuses what device_batch does.

#include "batch_experiment.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"

namespace gridloom::pets {
namespace {

common_options few() {
  common_options common;
  common.repeat = 2;
  common.quiet = true;
  common.workers = 2;
  return common;
}

BOOST_AUTO_TEST_CASE(a_row_an_arm_and_repetition) {
  device machine("host", 0);
  std::vector<batch_request> const requests{{"v=40", 3, 30, 10}, {"gauss:m=6", 2, 3, 10}};
  auto const result = run_batches(requests, few(), machine);
  BOOST_TEST(result.failed == "");
  result_table const& rows = result.batches;
  BOOST_TEST(rows.rows() == 2U * 4U * 2U);
  auto const& by = rows.texts("implementation");
  auto const& steps = rows.texts("steps");
  auto const& graphs = rows.integers("graphs");
  auto const& tasks = rows.integers("tasks");
  auto const& edges = rows.integers("edges");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    bool const first = i < 8;
    std::int64_t const count = !first ? 3 : by[i] == "batch" ? 30 : 10;
    BOOST_TEST(graphs[i] == count);
    BOOST_TEST(tasks[i] == count * (first ? 40 : 20));
    if (!first) BOOST_TEST(edges[i] == count * 29);
    BOOST_TEST(rows.texts("status")[i] == "ok");
    BOOST_TEST(rows.reals("elapsed_ms")[i] > 0);
    BOOST_TEST(rows.integers("workers")[i] == (by[i] == "batch" ? 2 : 1));
  }
  BOOST_TEST(std::count(by.begin(), by.end(), "serial") == 8);
  BOOST_TEST(std::count(steps.begin(), steps.end(), "whole") == 8);
}

BOOST_AUTO_TEST_CASE(graphs_that_are_too_large_are_refused) {
  device machine("host", 0);
  std::vector<batch_request> const requests{{"v=1025", 2, 1, 1}};
  BOOST_CHECK_THROW((void)run_batches(requests, few(), machine), usage_error);
}

}  // namespace
}  // namespace gridloom::pets
