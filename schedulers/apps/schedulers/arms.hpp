#pragma once
// What the program measures: a graph with the durations of its tasks, under every scheduler.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/schedulers/all.hpp"
#include "gridloom/taskgraph/drawn_work.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/shape.hpp"
#include "gridloom/taskgraph/shared_graph.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "schedulers/methods.hpp"

namespace gridloom::schedulers {

/// The values of --level-blocks: whether the tasks of a level share blocks.
inline constexpr std::array<char const*, 2> level_blocks_names{"shared", "own"};

/// The values of --durations: the distributions of task_durations.hpp, and the graph's own.
[[nodiscard]] std::vector<std::string> const& durations_names();

/// A graph and its tasks, which all arms share. Used by one thread.
class scene {
 public:
  /// `graph` has passed check_dag and has a task.
  scene(bench::program& frame, std::string graph_name, csr_graph from);

  /// Sets how the durations of tasks differ. "graph" needs a graph with durations that are not all
  /// 0.
  void set_durations(std::string const& kind);
  /// Sets the mean duration. Ends all works made before.
  void set_work(std::int64_t mean_ns);
  /// The seed of the durations.
  [[nodiscard]] std::uint32_t seed() const;

  bench::program& app;
  std::string name;
  /// Durations are in nanoseconds.
  csr_graph graph;
  graph_shape shape;
  shared_graph shared;
  synthetic_graph data;
  std::string durations;
  std::int64_t work_ns = 0;
  /// Work in multiples of work_ns.
  drawn_work work;

 private:
  /// Durations in the unit of the graph's origin; empty if it has none.
  std::vector<std::uint64_t> own_;
  /// The tasks' durations as multiples of work_ns.
  std::vector<float> multiples_;
};

struct settings {
  /// 0: as many as fit, which depends on the scheduler's kernel.
  int workers_asked = 0;
  int threads = 1;
  /// Value of --level-blocks; empty for schedulers that do not launch levels.
  std::string level_blocks{};
};
struct counted {
  std::int64_t launches = bench::missing_integer, executed = bench::missing_integer;
  std::int64_t workers = bench::missing_integer;
  double bytes_per_task = bench::missing_real;
  set_up_times set_up{bench::missing_real, bench::missing_real};
  double predicted_ms = bench::missing_real;
  kernel_facts kernel{};
};
using row = bench::row_of<scene, settings, counted>;

/// The scheduler of a row.
[[nodiscard]] synthetic_scheduler const& scheduler_of(row const& what);
[[nodiscard]] std::vector<bench::method<row>> all_methods();

/// Columns of a graph and a scheduler, for all tables.
[[nodiscard]] bench::schema<row> shape_columns();
/// The table of runs.
[[nodiscard]] bench::schema<row> columns();

}  // namespace gridloom::schedulers
