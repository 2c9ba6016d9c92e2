#pragma once
// The methods of mhive-jacobi: all versions of the method, on one system.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/methods.hpp"
#include "problem.hpp"
#include "solver.hpp"

namespace gridloom::mhive::jacobi {

/// Limits of the iteration, as the user gives them.
struct limits {
  std::int64_t max_iterations = 1000;
  double tolerance = 1e-8;
  std::int64_t check_every = 10;
  std::int64_t entries_per_task = task_limits::most_entries_ever;
};

/// A system and the data that all arms on it share. Arms run one at a time.
class scene {
 public:
  scene(bench::program& app, any_system of, std::string precision, limits const& wanted);

  [[nodiscard]] std::unique_ptr<solver> make(version_info const& version,
                                             std::string const& scheduler);
  /// Returns this iterate, computed by the serial reference.
  [[nodiscard]] std::vector<double> const& serial_x(std::uint32_t iteration) {
    return serial_(iteration);
  }
  /// Returns the x from which the right side was made; empty if there is none.
  [[nodiscard]] std::vector<double> const& known_x() const;
  /// Returns the distance from 1 to the next larger number in the system's precision.
  [[nodiscard]] double epsilon() const;

  bench::program& app;
  any_system const of;
  std::string const precision;
  limits const wanted;
  task_plan plan;
  stop_rules rules;
  double preprocess_ms = 0;
  std::string name;
  std::uint32_t rows = 0;
  std::uint64_t entries = 0, bytes_floor = 0;
  /// The x of the first arm that succeeded; empty if none did.
  std::vector<double> x;

 private:
  std::function<std::vector<double> const&(std::uint32_t)> serial_;
};

struct settings {
  version_info const* version;
  /// Name of a scheduler of MHive, or "none".
  std::string scheduler;
};
struct counters {
  jacobi_result run{};
  std::optional<double> serial_difference, known_difference;
  std::size_t device_bytes = 0;
};
using row = bench::row_of<scene, settings, counters>;
struct traits {
  version_info const* version;
};
using method = bench::method<row, traits>;

[[nodiscard]] std::vector<method> const& all_methods();

/// The columns of /runs in addition to the standard ones, and the facts that the summary shows.
[[nodiscard]] bench::schema<row> columns();
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::mhive::jacobi
