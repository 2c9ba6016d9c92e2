// Batches give one row per arm and repetition. They refuse the graphs that device_batch refuses.

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "batches.hpp"
#include "gridloom/error.hpp"
#include "pets/rivals/host_threads.hpp"

namespace gridloom::pets {

BOOST_AUTO_TEST_SUITE(batch_experiment_test)
namespace {

common_options few() {
  common_options common;
  common.repeat = 2;
  common.quiet = true;
  common.workers = 2;
  return common;
}

using found = batch_results;
using fault = std::function<void(found&)>;

// A batch whose results on the device are changed before they are compared.
class spoiled final : public together {
 public:
  spoiled(batch_scene& of, batch_row const& what, fault spoil)
      : together(of, what), spoil_(std::move(spoil)) {}

 private:
  [[nodiscard]] batch_results results() const override {
    batch_results got = together::results();
    spoil_(got);
    return got;
  }

  fault spoil_;
};

struct bed {
  device machine{"host", 0};
  common_options common = few();
  bench::harness<batch_row> all{"pets", machine, common, batch_columns(), "batches"};

  result_table const& run(std::string const& specification, int processors, int graphs,
                          std::size_t serial_graphs, fault const& spoil = {},
                          batch_output whole = batch_output::makespans) {
    graph_inputs wanted;
    wanted.specifications = {specification};
    wanted.on.processors = static_cast<std::uint32_t>(processors);
    wanted.count = graphs;
    for (batch_request& request : batches_of(wanted, 1)) {
      request.serial_graphs = serial_graphs;
      batch_scene of(request, common, machine);
      auto arms = arms_of(of, whole);
      for (auto& arm : arms) {
        if (spoil && !arm.on_host)
          arm.make = [&, row = arm.row] { return std::make_unique<spoiled>(of, row, spoil); };
      }
      all.run(arms);
    }
    return all.runs();
  }
};

// Arms of each step: a device, and one, four and all host threads.
constexpr int num_arms() { return 2 * (1 + 3); }

BOOST_AUTO_TEST_CASE(results_have_one_row_per_arm_and_repetition) {
  bed of;
  (void)of.run("v=40", 3, 30, 10);
  result_table const& rows = of.run("star:leaves=19", 2, 3, 10);
  BOOST_TEST(of.all.exit_code() == exit_done);
  int const all = all_host_threads();
  auto const rows_per_set = static_cast<std::size_t>(2 * num_arms());
  BOOST_TEST(rows.rows() == 2 * rows_per_set);
  auto const& by = rows.texts("implementation");
  auto const& steps = rows.texts("steps");
  auto const& results = rows.texts("results");
  auto const& graphs = rows.integers("graphs");
  auto const& tasks = rows.integers("tasks");
  auto const& edges = rows.integers("edges");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    bool const first = i < rows_per_set;
    std::int64_t const count = !first ? 3 : by[i] == "batch" ? 30 : 10;
    BOOST_TEST(graphs[i] == count);
    BOOST_TEST(results[i] == (steps[i] == "whole" ? "makespans" : "order"));
    BOOST_TEST(tasks[i] == count * (first ? 40 : 20));
    if (!first) BOOST_TEST(edges[i] == count * 19);
    BOOST_TEST(rows.texts("status")[i] == "ok");
    BOOST_TEST(rows.texts("verified")[i] == "yes");
    BOOST_TEST(rows.texts("backend")[i] == "host");
    BOOST_TEST(rows.reals("elapsed_ms")[i] > 0);
    int const workers = by[i] == "batch"      ? 2
                        : by[i] == "host_4"   ? 4
                        : by[i] == "host_all" ? all
                                              : 1;
    BOOST_TEST(rows.integers("workers")[i] == workers);
  }
  for (char const* one : {"serial", "host_4", "host_all"}) {
    BOOST_TEST(std::count(by.begin(), by.end(), one) == 8);
  }
  BOOST_TEST(std::count(steps.begin(), steps.end(), "whole") == static_cast<int>(rows_per_set));
}

BOOST_AUTO_TEST_CASE(a_wrong_number_is_found) {
  std::vector<std::pair<fault, long>> const faults{
      {[](found& got) { ++got.levels[77]; }, 2},
      {[](found& got) { --got.ranks[119]; }, 2},
      {[](found& got) { std::swap(got.order[50], got.order[51]); }, 2},
      {[](found& got) {
         if (!got.finishes.empty()) ++got.finishes[3];
       },
       1},
      {[](found& got) {
         if (!got.processors.empty()) got.processors[90] ^= 1U;
       },
       1},
      {[](found& got) {
         if (!got.makespans.empty()) --got.makespans[2];
       },
       1}};
  for (batch_output const whole : {batch_output::makespans, batch_output::schedules}) {
    for (auto const& [spoil, wrong_arms] : faults) {
      bed of;
      auto const& states = of.run("v=40", 3, 3, 3, spoil, whole).texts("status");
      BOOST_TEST(std::count(states.begin(), states.end(), "wrong") == wrong_arms);
      BOOST_TEST(std::count(states.begin(), states.end(), "ok") == 2 * (num_arms() - wrong_arms));
      BOOST_TEST(of.all.exit_code() == exit_failed);
    }
  }
}

BOOST_AUTO_TEST_CASE(batches_that_exceed_memory_are_refused_at_once) {
  BOOST_CHECK_THROW((void)bed().run("v=1000", 8, 2147483647, 1), usage_error);
}

BOOST_AUTO_TEST_CASE(more_processors_than_a_batch_takes_are_refused) {
  BOOST_CHECK_THROW((void)bed().run("v=20", 129, 1, 1), usage_error);
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets
