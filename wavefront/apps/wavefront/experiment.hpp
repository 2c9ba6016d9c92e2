#pragma once
// Experiments: which arms run on which graphs, and the runner that times, verifies and records
// them.

#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"
#include "wavefront/scheduler.hpp"

namespace gridloom::wavefront {

/// One configuration of an experiment, on the graph of its group.
struct arm {
  std::string experiment;  ///< fig3, scaling, metg or custom: what the plots select by
  std::string label;
  configuration config;
  body_kind body = body_kind::noop;
  std::int64_t work_ns = 0;
  bool counters = false;  ///< also one run of the counting build
  bool times = true;      ///< timed repetitions
};

/// Arms that run on one graph, in balanced order.
struct arm_group {
  lattice_size size;
  std::string graph_file;  ///< empty: the lattice
  std::vector<arm> arms;
};

/// What a user asks for beside the common options.
struct request {
  std::string experiment = "custom";
  std::vector<std::string> algorithms{"ticket_queue"};
  bool algorithms_given = false;  ///< otherwise an experiment has all of its own
  std::string measure = "all";    ///< times, counts or all
  lattice_size size{1000, 1000, 1};
  bool size_given = false;
  std::string graph_file;
  std::vector<std::int64_t> queue_shares{100};
  std::vector<std::string> hashes{"a"};
  std::string width = "auto";
  std::string body = "noop";
  std::vector<std::int64_t> work_ns{0};
  bool counters = false;
  int publish_every = 16;
  int ring_slots = 0;
  std::string fences = "all";
};

/// The arms of a request on a machine. Throws usage_error.
std::vector<arm_group> plan(request const& wanted, common_options const& common,
                            device_properties const& machine);

/// What came out of a run.
struct outcome {
  result_table runs;
  result_table traces;
  bool failed = false;  ///< an arm was wrong or stopped by the watchdog
};

/// Columns of /runs and /trace.
result_table runs_table();
result_table trace_table();

/// Runs all groups. Reports failures of arms on stderr and goes on with the others.
outcome run(device& machine, std::vector<arm_group> const& groups, common_options const& common);

/// Medians with intervals, one line an arm, on standard output.
void print_summary(result_table const& runs, double signal_ns, double atomic_ns,
                   std::uint64_t seed);

}  // namespace gridloom::wavefront
