#pragma once
// The experiment of mhive-jacobi: every version of the method, in balanced order, held against the
// serial reference.

#include <string>
#include <vector>

#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"
#include "solver.hpp"

namespace gridloom::mhive::jacobi {

/// What the user asks for.
struct request {
  problem_source source;
  std::string precision = "double";
  std::vector<std::string> methods;     // versions; empty: all that the machine has
  std::vector<std::string> schedulers;  // empty: all
  std::int64_t max_iterations = 1000;
  double tolerance = 1e-8;
  std::int64_t check_every = 10;
  std::int64_t entries_per_task = task_limits::most_entries_ever;
  std::string solution;  // file for x of the first arm; empty: none
};

/// A version under a scheduler.
struct arm {
  std::string version;
  std::string scheduler;  // "none" where there is none
};

/// The arms of a request on a machine. Throws usage_error for a version that the machine lacks.
[[nodiscard]] std::vector<arm> arms_of(request const& wanted, device const& machine);

[[nodiscard]] result_table runs_table();

struct experiment_result {
  result_table runs;
  std::vector<double> x;  // of the first arm that ended well
  bool failed = false;    // an arm diverged, gave another x than the reference, or did not end
};

/// Runs all arms. What goes wrong is told on stderr, a line an arm.
[[nodiscard]] experiment_result run_arms(device& machine, any_system const& of,
                                         std::vector<arm> const& arms, request const& wanted,
                                         common_options const& common);

/// A line an arm: median time with its interval.
void print_summary(result_table const& runs, std::uint64_t seed);

}  // namespace gridloom::mhive::jacobi
