#pragma once
// The methods of mhive-generic: one execution tree under several schedulers.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generic_run.hpp"
#include "gridloom/bench/methods.hpp"

namespace gridloom::mhive::generic {

/// How tasks are kept in order, as --dependencies names it.
struct ordering {
  std::string_view name;
  /// The order for which certificates are checked. The baseline keeps that of the edges, not of the
  /// phases.
  dependencies kind;
  std::unique_ptr<tree_runner> (*make)(device&, tree_run const&);
};
inline constexpr ordering orderings[] = {
    {"phases", dependencies::phases, make_phases_runner},
    {"individual", dependencies::individual, make_individual_runner}};
/// The baseline, whose kernels run in order.
inline constexpr ordering launches{"launches", dependencies::individual, make_graph_runner};

/// A tree and the data that all arms on it share. Arms run one at a time.
class scene {
 public:
  /// `preset` is the name of the tree's preset, or empty for a tree from a file.
  scene(bench::program& app, execution_tree tree, std::string name, std::string preset,
        std::int64_t instances);
  // Not copied, because `run` points to `tree`.
  scene(scene const&) = delete;
  scene& operator=(scene const&) = delete;

  /// Counts the tasks. Throws usage_error if the tree contradicts its phases, or if the machine's
  /// memory cannot hold the instances with these dependencies. The second message names
  /// --instances.
  void require_fit(std::span<dependencies const> kinds);

  /// Makes the tree ready to run with these dependencies. Frees an earlier runner with the same
  /// dependencies.
  [[nodiscard]] std::unique_ptr<tree_runner>& make_runner(ordering const& by);
  [[nodiscard]] certificate& certified();
  [[nodiscard]] trace_ref arm_trace();

  bench::program& app;
  device& machine;
  execution_tree const tree;
  std::string const name, experiment;
  tree_run const run;
  std::uint64_t tasks = 0;

 private:
  /// Number of workers that a trace tells apart: warps of the largest launch under any scheduler,
  /// or host workers.
  [[nodiscard]] std::int64_t workers_traced() const;

  std::map<ordering const*, std::unique_ptr<tree_runner>> runners_;
  std::optional<certificate> certificate_;
};

struct settings {
  ordering const* by = &launches;
};
struct counters {
  report run{};

  /// The kernel with the most registers.
  [[nodiscard]] kernel_facts largest() const;
};
using row = bench::row_of<scene, settings, counters>;

[[nodiscard]] std::span<bench::method<row> const> all_methods();

/// The columns of /runs in addition to the standard ones.
[[nodiscard]] bench::schema<row> columns();

}  // namespace gridloom::mhive::generic
