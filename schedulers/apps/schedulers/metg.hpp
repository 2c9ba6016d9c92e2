#pragma once
// METG(50 %): the shortest mean duration of tasks with which a scheduler still spends half the time
// on the tasks. It is found by bisection, not by a sweep.
//
// Slaughter et al.: "Task Bench: A Parameterized Benchmark for Evaluating Parallel Runtime
// Performance", SC 2020, section 4. There efficiency is relative to the best rate of the tasks;
// here it is least_ms / elapsed_ms, because a graph's critical path limits every scheduler.

#include <string>
#include <vector>

#include "apps/schedulers/arms.hpp"

namespace gridloom::schedulers {

/// A mean duration that was tried, and the median efficiency there.
struct tried_duration {
  double ns = bench::missing_real;
  double efficiency = bench::missing_real;
};

struct found_metg : row {
  /// The longest duration found below the METG, and the shortest above it.
  tried_duration lower, upper;
  std::int64_t steps = 0;
  /// reached, below range, not reached, or the status of the step that failed.
  std::string status;

  [[nodiscard]] double metg_ns() const {
    return status == "reached" ? upper.ns : bench::missing_real;
  }
};

class metg_search {
 public:
  /// The harness stores the samples of all steps.
  metg_search(bench::program& app, bench::harness<row>& all);

  /// Searches for each arm. A step ends when most of its --repeat runs are on one side. Changes the
  /// scene's mean duration.
  void search(scene& of, std::vector<bench::arm<row>> arms);
  void print() const;
  [[nodiscard]] result_table const& found() const { return table_.contents(); }

 private:
  found_metg search(scene& of, bench::arm<row> const& one);
  std::string step(scene& of, bench::arm<row> const& one, tried_duration& at);
  [[nodiscard]] std::vector<double> efficiencies(std::size_t first_row) const;

  bench::program& app_;
  bench::harness<row>& all_;
  bench::table<found_metg> table_;
};

}  // namespace gridloom::schedulers
