#pragma once
// The arms of the program wavefront: every algorithm on one graph with one kind of task.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/methods.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/drawn_work.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

/// The body of all tasks. The names are the values of --body; --work-ns chooses `work`.
enum class body_kind : std::uint32_t { noop, recurrence, wide, work };
inline constexpr std::array<char const*, 4> body_names{"noop", "recurrence", "wide", "work"};

/// This number of blocks, or of threads per block, leaves the choice to the graph.
inline constexpr int by_the_graph = 0;

struct settings : configuration {
  body_kind body = body_kind::noop;
  std::int64_t work_ns = 0;
  task_durations durations = task_durations::constant;
  /// multi_queue: number of queues in percent of the number of blocks.
  std::int64_t queue_share = 100;
  /// Whether this is the counting build, which has no times.
  bool counters = false;
};

/// The counts of a run.
struct counted {
  std::uint64_t executed = 0;
  access_counts counts{};
  double bytes_per_task = 0;
  double waves_ms = 0, record_ms = 0;
};

/// A graph on the machine, and the data that all arms on it share. Arms run one at a time.
class scene {
 public:
  /// Reads the graph from a file, or makes a lattice if no file is given.
  scene(bench::program& app, std::string const& graph_file, lattice_size size);

  /// Completes the settings of an arm: the sizes that depend on the graph, and the number of
  /// queues. That number is 0 if the share is too small for one queue. Throws usage_error if the
  /// settings do not fit the algorithm, the graph or the machine.
  void complete(settings& what) const;
  /// Allocates the memory that arms with these settings share. Throws usage_error if the machine
  /// has too little memory.
  void allocate(int most_observers, bool wide);

  // Facts of the graph, for columns.
  [[nodiscard]] std::string kind() const { return graph.is_lattice() ? "lattice" : "dag"; }
  [[nodiscard]] std::string const& input() const { return input_; }
  [[nodiscard]] std::uint32_t tasks() const { return graph.tasks(); }
  [[nodiscard]] std::uint64_t edges() const { return graph.edges(); }
  [[nodiscard]] std::uint32_t depth() const { return graph.depth(); }
  [[nodiscard]] std::int64_t rows() const { return graph.shape().rows(); }
  [[nodiscard]] std::int64_t cols() const { return graph.shape().cols(); }
  [[nodiscard]] std::int64_t planes() const { return graph.shape().depth(); }
  /// Sums of the drawn durations, for a mean of 1.
  [[nodiscard]] drawn_work const& drawn(task_durations kind) const;

  [[nodiscard]] any_body body_of(settings const& what);
  /// Overwrites the memory of results, and returns the recurrence with the arm's result type. Its
  /// results are right only if tasks ran in order.
  [[nodiscard]] any_body body_that_shows_order(settings const& what);

  bench::program& app;
  device& machine;
  // Mutable, because it computes levels at their first use.
  device_graph mutable graph;
  workspace memory;
  std::optional<watchdog> dog;
  buffer<access_counts> counts;

 private:
  [[nodiscard]] std::uint32_t seed() const;

  std::string input_;
  std::map<task_durations, drawn_work> mutable drawn_;
};

using row = bench::row_of<scene, settings, counted>;
struct traits {
  algorithm_info const* info;
};
using method = bench::method<row, traits>;

/// The algorithms of the library, with the options that each one takes.
[[nodiscard]] std::vector<method> const& all_methods();

/// The grid of an algorithm if the command line sets none.
[[nodiscard]] launch_shape default_grid(algorithm_info const& info, task_width width,
                                        device_properties const& machine);

/// The columns of /runs beyond the standard ones, and those of the table `workers` of a trace.
[[nodiscard]] bench::schema<row> columns();
[[nodiscard]] bench::schema<bench::arm<row>> worker_columns();

}  // namespace gridloom::wavefront
