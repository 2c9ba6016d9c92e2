// The experiment detects wrong schedules, different schedules, and runs beyond the time limit.

#include "experiment.hpp"

#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"

namespace gridloom::pets {

BOOST_AUTO_TEST_SUITE(experiment_test)
namespace {

// Behaves like the reference, except that `spoil` may change a run's schedule.
class spoiled final : public pipeline {
 public:
  using change = std::function<void(schedule&, int)>;
  spoiled(std::unique_ptr<pipeline> right, change spoil)
      : right_(std::move(right)), spoil_(std::move(spoil)) {}

  step_times run() override {
    ++turn_;
    return right_->run();
  }
  schedule const& fetch() override {
    made_ = right_->fetch();
    spoil_(made_, turn_);
    return made_;
  }
  void clear() override { right_->clear(); }

 private:
  std::unique_ptr<pipeline> right_;
  change spoil_;
  schedule made_;
  int turn_ = 0;
};

struct outcome {
  int exit_code;
  result_table runs;
};

outcome run_with(spoiled::change const& spoil, bool verify = true,
                 std::string const& only = "csr") {
  device machine("host", 0);
  common_options common;
  common.repeat = 3;
  common.quiet = true;
  common.verify = verify;
  request wanted;
  wanted.algorithms = {"pets_append"};
  wanted.implementations = {"host", "csr"};
  wanted.make = [&](list_scheduler const& by, implementation const& how, device& on,
                    task_graph const& graph, launch_limits const& limits) {
    auto right = make_pipeline(by, how, on, graph, limits);
    if (only != "all" && how.name != only) return right;
    return std::unique_ptr<pipeline>(std::make_unique<spoiled>(std::move(right), spoil));
  };
  graph_source const graphs{
      1, [](std::size_t) {
        return named_graph{"g", 1, parameters_of("v=30"), generate("v=30", 3, 1)};
      }};
  results all(machine, common);
  run(machine, graphs, wanted, common, all);
  return {all.runs.exit_code(), all.runs.runs()};
}

std::size_t rows_with(outcome const& of, std::string const& status) {
  auto const& states = of.runs.texts("status");
  return static_cast<std::size_t>(std::count(states.begin(), states.end(), status));
}

BOOST_AUTO_TEST_CASE(right_schedules_are_ok) {
  auto const done = run_with([](schedule&, int) {});
  BOOST_TEST(done.exit_code == exit_done);
  BOOST_TEST(rows_with(done, "ok") == 6U);
  BOOST_TEST(done.runs.texts("verified")[0] == "yes");
}

BOOST_AUTO_TEST_CASE(a_schedule_that_starts_too_early_is_wrong) {
  auto const early = [](schedule& made, int) {
    placement& last = made.of[made.order.back()];
    last.finish -= last.start;
    last.start = 0;
  };
  auto const done = run_with(early, true, "all");
  BOOST_TEST(done.exit_code == exit_failed);
  BOOST_TEST(rows_with(done, "wrong") == 2U);  // an arm that is wrong ends
  BOOST_TEST(rows_with(run_with(early, false, "all"), "ok") == 6U);
}

BOOST_AUTO_TEST_CASE(another_schedule_than_that_of_the_other_implementation_is_wrong) {
  for (bool const verify : {true, false}) {
    auto const done = run_with([](schedule& made, int) { ++made.of[7].finish; }, verify);
    BOOST_TEST(rows_with(done, "wrong") == 1U);
    BOOST_TEST(rows_with(done, "ok") == 3U);
  }
}

BOOST_AUTO_TEST_CASE(another_order_is_wrong) {
  auto const done = run_with([](schedule& made, int) { std::swap(made.order[3], made.order[4]); });
  BOOST_TEST(rows_with(done, "wrong") == 1U);
}

BOOST_AUTO_TEST_CASE(a_repetition_that_differs_is_wrong) {
  for (bool const verify : {true, false}) {
    auto const done = run_with(
        [](schedule& made, int turn) {
          if (turn == 3) ++made.of[2].start;
        },
        verify, "csr");
    BOOST_TEST(rows_with(done, "wrong") == 1U);
    BOOST_TEST(done.exit_code == exit_failed);
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets
