// Compares every version of the Jacobi method with the serial reference; to the bit, if the version
// is exact.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "gridloom/error.hpp"
#include "jacobi_support.hpp"
#include "serial.hpp"
#include "solver.hpp"
#include "task_body.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::jacobi::test {
namespace {

using namespace gridloom::test;

constexpr std::uint32_t check_every = 4;

struct way {
  version_info version;
  std::string scheduler;
};
std::vector<way> ways(device const& machine) {
  std::vector<way> all;
  for (version_info const& version : all_versions()) {
    if (version.needs_cuda && machine.is_host()) continue;
    if (!version.scheduled) all.push_back({version, "none"});
    for (std::string const& scheduler : all_schedulers()) {
      if (version.scheduled) all.push_back({version, scheduler});
    }
  }
  return all;
}

version_info const& version_named(std::string_view name) {
  return *std::ranges::find(all_versions(), name, &version_info::name);
}

template <typename Value>
void check_way(way const& what, system<Value> const& of, solver_options const& options) {
  stop_rules const& rules = options.rules;
  serial_iteration<Value> serial{of, options.plan.limits.entries};
  outcome const expected = serial.run(rules);
  auto const runs = make_solver(of, options, what.version, what.scheduler);
  BOOST_TEST(runs->bytes() >= of.matrix.values.size() * sizeof(Value));
  // The second run starts with the memory that the first one left.
  for (int repetition = 0; repetition < 2; ++repetition) {
    solution const done = solve(*runs);
    BOOST_REQUIRE((done.verdict == expected));
    std::string_view const name = what.version.name;
    std::uint32_t const end = serial.iteration();
    BOOST_REQUIRE(done.x.size() == of.num_rows());
    BOOST_TEST(done.iterations <= rules.max_iterations);
    if (name.starts_with("checkpoints")) {
      std::uint32_t const next = (end + check_every - 1) / check_every * check_every;
      BOOST_TEST(done.iterations == std::min(next, rules.max_iterations));
    } else if (name.starts_with("autonomous")) {
      BOOST_TEST(done.iterations >= end);
    } else if (name.starts_with("neighbours") || name.starts_with("gathered")) {
      // The first check at or after `end`. Its verdict comes three iterations later.
      std::uint32_t const next = (end + check_every - 1) / check_every * check_every;
      BOOST_TEST(done.iterations == std::min(next + 3, rules.max_iterations));
    } else if (what.version.exact) {
      BOOST_TEST(done.iterations == end);
    }
    serial_iteration<Value> same{of, options.plan.limits.entries};
    while (same.iteration() < done.iterations) same.step();
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < done.x.size(); ++i) {
      difference += std::abs(done.x[i] - static_cast<double>(same.x()[i]));
      size += std::abs(done.x[i]);
    }
    double const rounding = 64.0 * std::numeric_limits<Value>::epsilon() * size;
    BOOST_TEST(difference <= (what.version.exact ? 0.0 : rounding));
    BOOST_TEST(std::abs(done.residual - same.residual()) <= 1e-6 * same.residual() + rounding);
  }
}

// Calls the body for each host machine, but for only one launch shape of a device, because solvers
// choose their own shapes.
template <class Body>
void on_one_shape_each(Body&& body) {
  on_each_machine([&](test_machine const& on, device& machine) {
    if (machine.is_host() || on.shape.threads == 256) body(on, machine);
  });
}

template <typename Value>
void check_all(system<Value> const& of, task_limits const& limits, stop_rules const& rules) {
  auto const plan = make_tasks(of.matrix, limits);
  on_one_shape_each([&](test_machine const& on, device& machine) {
    for (way const& what : ways(machine)) {
      BOOST_TEST_CONTEXT(what.version.name << ", " << what.scheduler) {
        check_way(what, of, {machine, plan, rules, check_every, on.shape.blocks, 60});
        if (!machine.is_host()) check_way(what, of, {machine, plan, rules, check_every, 0, 60});
      }
    }
  });
}

stop_rules const to_1e_9{.max_iterations = 200, .tolerance = 1e-9};
task_limits const small_tasks{.entries = 16, .rows = 4};

BOOST_AUTO_TEST_SUITE(jacobi_solvers)

BOOST_AUTO_TEST_CASE(a_grid_to_the_maximum_of_iterations) {
  auto const of = generated<double>("poisson2d:nx=17,ny=11");
  check_all(of, small_tasks, {.max_iterations = 25, .tolerance = 0});
  check_all(of, {}, {.max_iterations = 1, .tolerance = 1e-9});
}

BOOST_AUTO_TEST_CASE(a_dominant_system_to_its_tolerance) {
  check_all(generated<double>("dominant:n=400,nnz=4400"), {}, to_1e_9);
  check_all(generated<float>("dominant:n=400,nnz=4400"), small_tasks,
            {.max_iterations = 200, .tolerance = 1e-3});
}

BOOST_AUTO_TEST_CASE(a_system_whose_check_is_several_tasks) {
  static_assert(9000 > 2 * rows_per_check);
  check_all(generated<double>("dominant:n=9000,nnz=27000"), {},
            {.max_iterations = 40, .tolerance = 1e-2});
}

BOOST_AUTO_TEST_CASE(rows_that_are_read_by_rows_that_they_do_not_read) {
  // A row must wait for its readers. Otherwise it overwrites values that they have not read yet.
  constexpr std::size_t n = 300;
  std::vector<std::vector<double>> rows(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    rows[i][i] = 4;
    if (i > 0) rows[i][i - 1] = 1;
  }
  check_all(system_of(sparse_of(rows)), small_tasks, {.max_iterations = 300, .tolerance = 0});
}

// Patterns are not symmetric. Some rows have more entries than a warp has threads, or more than one
// task holds.
BOOST_AUTO_TEST_CASE(unsymmetric_systems_and_long_rows) {
  check_all(system_of(sparse_of(random_dense(150, 4, 0, 3))), small_tasks, to_1e_9);
  check_all(system_of(sparse_of(random_dense(100, 60, 90, 7))), {}, to_1e_9);
  check_all(system_of(sparse_of(random_dense(120, 3, 120, 4))), small_tasks, to_1e_9);
  check_all(system_of(sparse_of<float>(random_dense(700, 3, 700, 5))), {},
            {.max_iterations = 40, .tolerance = 1e-3});
  // All rows are split, so every task is a segment.
  check_all(system_of(sparse_of(random_dense(40, 40, 40, 6))), {.entries = 8, .rows = 4}, to_1e_9);
}

BOOST_AUTO_TEST_CASE(one_row_and_rows_without_neighbours) {
  check_all(system_of(sparse_of({{2}})), {}, to_1e_9);
  check_all(system_of(sparse_of({{2, 0, 0}, {0, 3, 0}, {0, 0, 4}})), {.entries = 1, .rows = 1},
            to_1e_9);
  check_all(
      generated<double>("union(poisson2d:nx=50,ny=1;dominant:n=60,nnz=300;poisson2d:nx=9,ny=1)"),
      {.entries = 12, .rows = 4}, {.max_iterations = 30, .tolerance = 1e-9});
}

BOOST_AUTO_TEST_CASE(a_loop_on_the_device_ends_in_the_middle_of_a_pass) {
  auto const of = generated<double>("poisson2d:nx=23,ny=31");
  auto const plan = make_tasks(of.matrix);
  on_one_shape_each([&](test_machine const& on, device& machine) {
    for (double const tolerance : {0.0, 20.0}) {
      stop_rules const rules{.max_iterations = 75, .tolerance = tolerance};
      serial_iteration<double> serial{of, plan.limits.entries};
      outcome const expected = serial.run(rules);
      std::uint32_t const end = serial.iteration();
      for (std::uint32_t const every : {1U, 2U, 3U, 7U, 1000U}) {
        BOOST_TEST_CONTEXT("passes of " << every << ", tolerance " << tolerance) {
          // Number of iterations per pass: an even number, and at most the maximum, rounded up to
          // even.
          std::uint32_t const pass = (std::min(every, rules.max_iterations) + 1) / 2 * 2;
          auto const runs = make_solver(of, {machine, plan, rules, every, on.shape.blocks, 60},
                                        version_named("graph_while"), "none");
          for (int repetition = 0; repetition < 2; ++repetition) {
            solution const done = solve(*runs);
            BOOST_TEST((done.verdict == expected));
            BOOST_TEST(done.iterations == end);
            BOOST_TEST(done.launches == (end + pass - 1) / pass * pass);
            BOOST_TEST(done.x == serial.x(), per_element());
          }
        }
      }
    }
  });
}

// One system has fewer tasks than workers. In the other one, a row is split into tasks of several
// shares.
BOOST_AUTO_TEST_CASE(shares_need_one_round_per_iteration) {
  auto const of = system_of(sparse_of(random_dense(120, 3, 120, 4)));
  for (task_limits const& limits : {task_limits{}, small_tasks}) {
    auto const plan = make_tasks(of.matrix, limits);
    on_one_shape_each([&](test_machine const& on, device& machine) {
      solver_options const options{machine, plan, to_1e_9, check_every, on.shape.blocks, 60};
      way const what{version_named("shares"), "time_sliced"};
      check_way(what, of, options);
      solution const done = solve(*make_solver(of, options, what.version, what.scheduler));
      BOOST_TEST(done.rounds == done.iterations);
    });
  }
}

BOOST_AUTO_TEST_CASE(loops_on_the_device_keep_the_time_limit) {
  auto const of = generated<double>("poisson2d:nx=60,ny=60");
  auto const plan = make_tasks(of.matrix);
  stop_rules const rules{.max_iterations = 100'000'000, .tolerance = 0};
  on_one_shape_each([&](test_machine const& on, device& machine) {
    for (char const* name : {"graph_while", "grid_sync", "neighbours", "gathered"}) {
      auto const runs = make_solver(of, {machine, plan, rules, check_every, on.shape.blocks, 0.02},
                                    version_named(name), "none");
      for (int repetition = 0; repetition < 2; ++repetition) {
        BOOST_TEST(
            message_of<run_error>([&] { (void)solve(*runs); }).find("timeout after 0.02 s") == 0U);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(growing_iterates_are_reported) {
  auto const of = system_of(sparse_of({{1, 2}, {2, 1}}));
  auto const plan = make_tasks(of.matrix, {.entries = 2, .rows = 1});
  serial_iteration<double> first{of, 2};
  stop_rules const rules{.divergence = divergence_bound(first.step(), 2)};
  auto const enormous = system_of(sparse_of({{1, 1e200}, {1e200, 1}}));
  on_one_shape_each([&](test_machine const& on, device& machine) {
    for (way const& what : ways(machine)) {
      BOOST_TEST_CONTEXT(what.version.name << ", " << what.scheduler) {
        for (auto const* one : {&of, &enormous}) {
          solver_options const options{machine, plan, rules, check_every, on.shape.blocks, 60};
          auto const runs = make_solver(*one, options, what.version, what.scheduler);
          BOOST_TEST((solve(*runs).verdict == outcome::diverged));
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(other_schedulers_and_absent_libraries_are_refused) {
  auto const of = system_of(sparse_of({{2}}));
  auto const plan = make_tasks(of.matrix);
  on_each_machine([&](test_machine const&, device& machine) {
    solver_options const options{machine, plan, {}};
    BOOST_CHECK_THROW((void)make_solver(of, options, version_named("checkpoints"), "none"),
                      std::invalid_argument);
    if (!machine.is_host()) return;
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)make_solver(of, options, version_named("cusparse"), "none");
               }).find("cusparse: expected a ") == 0U);
  });
}

// Executes the tasks of an iteration, with blocks of any number of threads.
template <class Value>
struct body_kernel {
  static constexpr bool persistent = false;
  using scratch = task_scratch<Value>;

  system_ref<Value> of;
  std::uint32_t iteration;
  /// Number of finished units.
  std::uint32_t* units;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    for (auto t = static_cast<std::uint32_t>(block.index()); t < of.num_tasks;
         t += static_cast<std::uint32_t>(block.count())) {
      bool const done = execute_task(block, shared, of, t, iteration).unit_done;
      if (done && block.thread_rank() == 0) memory.fetch_add_relaxed(units, 1U);
    }
  }
};

BOOST_AUTO_TEST_CASE(the_body_is_right_for_workers_of_any_size) {
  auto const of = system_of(sparse_of(random_dense(300, 40, 300, 8)));
  on_each_machine([&](test_machine const& on, device& machine) {
    for (task_limits const& limits : {task_limits{}, task_limits{.entries = 45, .rows = 4}}) {
      auto const plan = make_tasks(of.matrix, limits);
      device_system<double> mine{machine, of, plan};
      mine.reset();
      auto const units = machine.allocate<std::uint32_t>(1);
      serial_iteration<double> serial{of, limits.entries};
      for (std::uint32_t iteration = 1; iteration <= 5; ++iteration) {
        machine.fill_bytes(units, 0);
        machine.launch(on.shape, body_kernel<double>{mine.ref(), iteration, units.data()});
        serial.step();
        BOOST_TEST(machine.copy_to_host(units)[0] == plan.num_units);
        BOOST_TEST(mine.x(iteration) == serial.x(), per_element());
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::jacobi::test
