// The columns that an arm records about a run. A fake problem and a fake executor return a
// different number for each column.

#include "apps/juggler/arms.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

namespace gridloom::juggler {

namespace {

struct stand_in_executor final : executor {
  void run(trace_ref) override {}
  void require_done() override {}
  std::uint64_t finished() override { return 11; }
  load_range loads() override { return {13, 12}; }
  std::size_t bytes() const override { return 14; }
  std::size_t launches() const override { return 15; }
  int workers() const override { return 16; }
  kernel_facts facts() const override { return {}; }
  set_up_times set_up() const override { return {4, 5}; }
};

struct stand_in_problem final : problem {
  task_dag one_task = [] {
    dag_builder made(1, 0, range_matching::overlapping);
    made.add_task(0);
    return made.build();
  }();

  task_dag const& dag() const override { return one_task; }
  inspection_times inspect(range_matching) const override {
    return {.init_ms = 1, .loop_ms = 2, .build_csr_ms = 3};
  }
  std::unique_ptr<executor> make_ready(std::string_view, execution_settings const&) override {
    return std::make_unique<stand_in_executor>();
  }
  void load() override {}
  void fetch() override {}
  double verify() override { return 17; }
  std::size_t bytes() const override { return 18; }
};

app_entry const stand_in{
    .name = "lud",
    .threads = [](subject const&) { return 32; },
    .make = [](device&, subject const&, std::uint64_t) -> std::unique_ptr<problem> {
      return std::make_unique<stand_in_problem>();
    }};

}  // namespace

}  // namespace gridloom::juggler

BOOST_AUTO_TEST_SUITE(juggler_arms_test)

using namespace gridloom;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_CASE(each_column_has_its_own_number) {
  bench::program app("test", "Tests.", {.trace = true, .threads = true});
  bench::methods<row, traits> const methods(app, "method", "methods", all_methods());
  char const* const words[] = {"test",    "--backend", "host", "--workers", "1",  "--no-floors",
                               "--quiet", "--repeat",  "1",    "--method",  "lts"};
  BOOST_REQUIRE(app.parse(static_cast<int>(std::size(words)), words));
  scene of(app, {.is = &stand_in, .rows = 8, .cols = 8, .tile = 8});
  bench::harness<row> all(app, columns());
  all.run(arms_of(methods, of, {}));
  BOOST_REQUIRE(all.runs().rows() == 1U);
  std::map<std::string, double> const reals{
      {"init_app_context_h_ms", 1}, {"inspection_ms", 2},
      {"build_csr_ms", 3},          {"init_app_context_d_ms", 4},
      {"init_rt_context_d_ms", 5},  {"overhead_ms", 15},
      {"bytes_per_task", 14},       {"residual", 17}};
  for (auto const& [name, expected] : reals) {
    BOOST_TEST_CONTEXT(name) { BOOST_TEST(all.runs().reals(name).front() == expected); }
  }
  std::map<std::string, std::int64_t> const integers{{"executed", 11},      {"min_task_load", 12},
                                                     {"max_task_load", 13}, {"launches", 15},
                                                     {"workers", 16},       {"data_bytes", 18}};
  for (auto const& [name, expected] : integers) {
    BOOST_TEST_CONTEXT(name) { BOOST_TEST(all.runs().integers(name).front() == expected); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
