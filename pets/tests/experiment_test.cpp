// The program detects wrong schedules, different schedules, and runs that exceed the time limit.

#include <boost/test/unit_test.hpp>
#include <functional>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "scheduling.hpp"

namespace gridloom::pets {

BOOST_AUTO_TEST_SUITE(experiment_test)
namespace {

using change = std::function<void(schedule&, int)>;

// Behaves like the arm, except that `spoil` may change a run's schedule.
template <class Work>
class spoiled final : public Work {
 public:
  spoiled(scene& of, run_row const& what, change spoil)
      : Work(of, what), spoil_(std::move(spoil)) {}

  void copy_out() override {
    Work::copy_out();
    spoil_(this->made_, ++turn_);
  }

 private:
  change spoil_;
  int turn_ = 0;
};

struct outcome {
  int exit_code;
  result_table runs;
};

// Runs PETS with append on the host and with csr. `spoil` changes the schedules of csr, or of both.
outcome run_with(change const& spoil, bool verify = true, bool spoil_all = false) {
  device machine("host", 0);
  common_options common;
  common.repeat = 3;
  common.quiet = true;
  common.verify = verify;
  scene of(machine, common, {"g", 1, parameters_of("v=30"), generate("v=30", 3, 1)});
  std::vector<method const*> const how{&bench::named(all_methods(), "host", ""),
                                       &bench::named(all_methods(), "csr", "")};
  auto arms = arms_of(of, {&bench::named(list_schedulers(), "pets_append", "")}, how);
  for (auto& arm : arms) {
    if (arm.on_host && !spoil_all) continue;
    arm.make = [&of, &spoil, row = arm.row,
                host = arm.on_host]() -> std::unique_ptr<bench::work<run_row>> {
      if (host) return std::make_unique<spoiled<host_scheduling>>(of, row, spoil);
      return std::make_unique<spoiled<device_scheduling>>(of, row, spoil);
    };
  }
  bench::harness<run_row> all("pets", machine, common, run_columns());
  all.run(arms);
  return {all.exit_code(), all.runs()};
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
  auto const done = run_with(early, true, true);
  BOOST_TEST(done.exit_code == exit_failed);
  // An arm ends after its first wrong schedule.
  BOOST_TEST(rows_with(done, "wrong") == 2U);
  BOOST_TEST(rows_with(run_with(early, false, true), "ok") == 6U);
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
        verify);
    BOOST_TEST(rows_with(done, "wrong") == 1U);
    BOOST_TEST(done.exit_code == exit_failed);
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets
