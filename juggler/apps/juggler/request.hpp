#pragma once
// What a user asks for beside the common options and the applications' inputs.

#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/bench/program.hpp"
#include "inputs.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

struct experiment;

struct request {
  /// Of plan.hpp.
  std::string experiment = "custom";
  std::vector<std::string> apps{"lud"};
  std::vector<std::string> methods{};
  /// The user named none: those that an application does not have, or a size is too large for, are
  /// left out.
  bool all_methods = false;
  std::vector<std::int64_t> rows{512};
  std::vector<std::int64_t> tiles{32};
  std::vector<std::int64_t> work_ns{0};
  int queue_length = 0;
  /// Names of worker_placing.hpp.
  std::vector<std::string> placings{"multiprocessors"};
  std::string kernels = "own";
  /// To write the task graph to; empty: tasks are to be run.
  std::string dag_file;
  int bins = 32;
  /// Empty: the paper's, 1 of heat and 2 of jacobi.
  std::vector<std::int64_t> steps{};
  /// Otherwise an experiment has its own.
  bool tiles_given = false, work_ns_given = false;
  /// Blocks or host threads; 0: as many as the device holds of a kernel (Equation 1).
  int workers = 0;

  /// Before program::parse.
  void add_options(bench::program& app);
  /// After it: refuses what would be ignored or could not run, and reads `given`. Throws usage_error.
  void check(bench::program& app, inputs& given);
  /// Of all sizes that were asked for; inputs that are made are still to be made.
  [[nodiscard]] std::vector<subject> subjects(inputs const& given,
                                              device_properties const& machine) const;

 private:
  void take(juggler::experiment const& plan, bench::program& app);
  void check_methods(bench::program& app);
  void check_kernels(bench::program& app) const;
};

}  // namespace gridloom::juggler
