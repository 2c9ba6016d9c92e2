#pragma once
// The versions of the method as arms of the bench, on one system.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "columns.hpp"
#include "problem.hpp"
#include "serial.hpp"
#include "solver.hpp"

namespace gridloom::mhive::jacobi {

/// What the user asks for.
struct request {
  problem_source source{};
  std::string precision = "double";
  std::vector<std::string> methods{};     // versions; empty: all that the machine has
  std::vector<std::string> schedulers{};  // empty: all
  std::int64_t max_iterations = 1000;
  double tolerance = 1e-8;
  std::int64_t check_every = 10;
  std::int64_t entries_per_task = task_limits::most_entries_ever;
};

/// Iterates of the serial reference by their numbers.
template <typename Value>
class reference {
 public:
  reference(system<Value> const& of, std::uint32_t entries_per_task)
      : of_(of), entries_(entries_per_task), serial_(std::in_place, of, entries_per_task) {}

  std::vector<double> const& x(std::uint32_t iteration);

 private:
  system<Value> const& of_;
  std::uint32_t entries_;
  std::optional<serial_iteration<Value>> serial_;
  std::map<std::uint32_t, std::vector<double>> known_;
};

/// What all arms on a system share. They run one at a time. All references outlive it.
template <typename Value>
class system_scene {
 public:
  system_scene(bench::program& app, system<Value> const& of, request const& wanted);

  /// The versions and schedulers of the request; x is held against the serial reference. The scene
  /// outlives the arms. Throws usage_error for a version that the machine lacks.
  [[nodiscard]] std::vector<bench::arm<row>> arms();

  /// Of the first arm that ended well; empty without one.
  [[nodiscard]] std::vector<double> const& x() const { return x_; }

 private:
  template <typename>
  friend class solver_work;

  void add(std::vector<bench::arm<row>>& arms, version_info const& version,
           std::string const& scheduler);

  bench::program& app_;
  system<Value> const& of_;
  request const& wanted_;
  reference<Value> serial_;
  task_plan plan_;
  stop_rules rules_;
  row facts_;
  std::vector<double> x_;
};

}  // namespace gridloom::mhive::jacobi
