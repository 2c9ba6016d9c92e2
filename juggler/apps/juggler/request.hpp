#pragma once
// The program's options, except the common ones and those of inputs.

#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/bench/program.hpp"
#include "inputs.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

struct experiment;

struct request {
  /// An experiment of plan.hpp, or custom.
  std::string experiment = "custom";
  std::vector<std::string> apps{"lud"};
  std::vector<std::string> methods{};
  /// No method was named: methods that an application does not have, or that cannot take its size,
  /// are left out.
  bool all_methods = false;
  std::vector<std::int64_t> rows{512};
  std::vector<std::int64_t> tiles{32};
  std::vector<std::int64_t> work_ns{0};
  int queue_length = 0;
  /// Values of worker_placing.
  std::vector<std::string> placings{"multiprocessors"};
  std::string kernels = "own";
  /// The file for the task graph. Empty if tasks are to be run.
  std::string dag_file;
  int bins = 32;
  /// Empty: the paper's steps, 1 for heat and 2 for jacobi.
  std::vector<std::int64_t> steps{};
  /// Otherwise an experiment uses its own values.
  bool tiles_given = false, work_ns_given = false;
  /// Blocks or host threads. 0: as many as the device holds at once (Equation 1).
  int workers = 0;

  /// Called before program::parse.
  void add_options(bench::program& app);
  /// Called after it: refuses options that would be ignored or could not run, and reads `given`.
  /// Throws usage_error.
  void check(bench::program& app, inputs& given);
  /// The subjects of all sizes. Random inputs are not made yet.
  [[nodiscard]] std::vector<subject> subjects(inputs const& given,
                                              device_properties const& machine) const;

 private:
  void take(juggler::experiment const& plan, bench::program& app);
  void check_methods(bench::program& app);
  void check_kernels(bench::program& app) const;
};

}  // namespace gridloom::juggler
