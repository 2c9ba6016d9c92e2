#pragma once
// Runs of an execution tree: by MHive with phases, by MHive with individual dependencies, and as a
// CUDA graph of kernels, which is the baseline. Each of the three is an object that can run many
// times.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"
#include "mhive/scheduler.hpp"
#include "serial_order.hpp"
#include "task_work.hpp"

namespace gridloom::mhive::generic {

/// The work of a run: the tree, in topological order, and the number of its instances.
struct tree_run {
  execution_tree const* tree = nullptr;
  std::uint32_t instances = 1;
  std::uint64_t seed = 1;
  /// Number of blocks or host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
};

/// Records that a run writes in addition to its report. All are off by default.
struct run_probe {
  certificate_ref certificate{};
  trace_ref trace{};
};

/// Memory for a certificate on the machine. The host uses it between runs.
class certificate {
 public:
  certificate(device& machine, execution_tree const& tree, std::uint32_t instances);
  /// Empties the certificate, and returns a view for the tasks.
  certificate_ref arm();
  /// Returns the faults of the run since arm(), as check_certificate reports them.
  [[nodiscard]] std::vector<std::string> faults(std::uint64_t seed, dependencies kind);

 private:
  device& machine_;
  execution_tree const& tree_;
  std::uint32_t instances_;
  buffer<std::uint64_t> begin_;
  buffer<std::uint64_t> end_;
  buffer<std::uint32_t> executions_;
  buffer<std::uint64_t> stamps_;
};

/// A tree that is ready to run on a machine. The tree and the machine outlive it. Used by one
/// thread at a time.
class tree_runner {
 public:
  virtual ~tree_runner() = default;
  /// Runs all instances. Throws run_error as program::run does. The runner of make_graph_runner
  /// ignores `scheduler`.
  virtual report run(std::string_view scheduler, run_probe const& probe) = 0;
};

/// Throws usage_error for a tree that require_phases() refuses.
[[nodiscard]] std::unique_ptr<tree_runner> make_phases_runner(device& machine, tree_run const& run);
[[nodiscard]] std::unique_ptr<tree_runner> make_individual_runner(device& machine,
                                                                  tree_run const& run);
/// Makes one kernel per task type, in topological order. The kernels are recorded once and
/// replayed; on the host they are a list of calls. The tasks of each instance are computed before
/// the run, whereas MHive's tasks find their successors during the run.
[[nodiscard]] std::unique_ptr<tree_runner> make_graph_runner(device& machine, tree_run const& run);

/// Returns the largest number of tasks that any MHive task type can have. Tasks share a type if
/// they have the same worker size and, with phases, the same phase.
[[nodiscard]] std::uint64_t most_of_a_type(execution_tree const& tree, dependencies kind,
                                           std::uint32_t instances);

/// Throws usage_error, which names `option`, if this many instances do not fit a queue or the
/// machine's memory.
void require_memory(device_properties const& machine, execution_tree const& tree,
                    std::uint32_t instances, std::span<dependencies const> kinds, bool certified,
                    std::string_view option);

/// Returns the mask that reached() returns for each instance.
[[nodiscard]] std::vector<std::uint32_t> reached_masks(tree_tables const& tables,
                                                       std::uint64_t seed, std::uint32_t instances);

}  // namespace gridloom::mhive::generic
