#pragma once
// Which configurations run on which graphs.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/bench/options.hpp"
#include "gridloom/device.hpp"
#include "support/scheduler.hpp"

namespace gridloom::wavefront {

/// custom first.
inline constexpr std::array<char const*, 8> experiment_names{
    "custom", "fig3", "scaling", "metg", "rivals", "widths", "peak", "smoke"};

/// What a task does that takes no time by itself; wide: a recurrence with results of 16 bytes.
inline constexpr std::array<char const*, 3> body_names{"noop", "recurrence", "wide"};

/// Blocks, or threads of a block, that are chosen once the graph is known.
inline constexpr int by_the_graph = 0;

/// Threads of a block for in_order, by the tasks that can run at once on average. Warps that run
/// further ahead look at words in vain, and so delay those that matter. Measured on one H200 with a
/// block a multiprocessor, on graphs of 24, 400 and 2,000 tasks at once.
[[nodiscard]] int in_order_threads(double tasks_at_once);

/// Grid of in_order_cluster in place of what is `by_the_graph`, where a cluster has so many blocks at
/// most. Two warps' lanes a block for what can run at once on average, since more blocks are more
/// rings to fill; and lanes for several times as much, so that a warp has its next tasks' edges
/// before it comes to them. Not more than 8 blocks and 2,048 lanes, which were the quickest of
/// wide graphs in runs on one H200 that no file holds.
[[nodiscard]] launch_shape cluster_grid(launch_shape asked, double tasks_at_once, int most_blocks);

/// What tasks do.
enum class body_kind : std::uint32_t { noop, work, recurrence };

/// One configuration of an experiment, on the graph of its group.
struct arm {
  /// One of experiment_names but smoke: what the plots select by.
  std::string experiment;
  std::string label;
  configuration config;
  /// Also of wide results, which `config` tells of.
  body_kind body = body_kind::noop;
  std::int64_t work_ns = 0;
  task_durations durations = task_durations::constant;
  /// Also one run of the counting build.
  bool counters = false;
  /// Has timed repetitions.
  bool times = true;
};

/// Arms that run on one graph, in balanced order.
struct arm_group {
  lattice_size size;
  /// Empty: the lattice.
  std::string graph_file;
  std::vector<arm> arms;
};

/// What a user asks for beside the common options.
struct request {
  std::string experiment = "custom";
  std::vector<std::string> algorithms{"ticket_queue"};
  /// Otherwise an experiment has all of its own.
  bool algorithms_given = false;
  /// What of times and counts, or all.
  std::string measure = "all";
  lattice_size size{1000, 1000, 1};
  bool size_given = false;
  std::string graph_file;
  std::vector<std::int64_t> queue_shares{100};
  std::vector<std::string> hashes{"a"};
  /// Otherwise an experiment has all, and shares of its own.
  bool hashes_given = false;
  bool shares_given = false;
  std::string width = "auto";
  std::vector<std::string> bodies{"noop"};
  /// Otherwise an experiment has all.
  bool bodies_given = false;
  /// Threads of a block, an arm each; none: --threads, or what each algorithm has by itself.
  std::vector<std::int64_t> block_sizes{};
  std::vector<std::int64_t> work_ns{0};
  /// Otherwise an experiment has lengths of its own.
  bool work_given = false;
  std::vector<std::string> durations{"constant"};
  /// omp_tiles, an arm each; none: its own choice, or those of an experiment.
  std::vector<std::int64_t> tiles{};
  bool counters = false;
  int publish_every = 16;
  int ring_slots = 0;
  std::string fences = "all";
  std::string edges = "packed";
  std::string numbering = "auto";
  std::string look_ahead = "on";

  bool has_work() const {
    return std::any_of(work_ns.begin(), work_ns.end(), [](std::int64_t ns) { return ns > 0; });
  }
};

/// The arms of a request on a machine. Throws usage_error.
std::vector<arm_group> plan(request const& wanted, common_options const& common,
                            device_properties const& machine);

}  // namespace gridloom::wavefront
