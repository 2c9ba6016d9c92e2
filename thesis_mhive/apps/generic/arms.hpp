#pragma once
// One execution tree under several schedulers, as arms of the bench.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "columns.hpp"
#include "generic_run.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::mhive::generic {

/// What a user asks for beside the common options.
struct request {
  std::string tree_file;  // empty: the preset
  std::string preset = "fig7.1";
  std::int64_t instances = 1000;
  std::vector<std::string> dependencies{"phases", "individual"};
  std::vector<std::string> schedulers = scheduler_names();
  std::string perfetto;  // file for Chrome trace events; empty: none
};

/// How tasks are kept in order: one of MHive's ways, or the order of the baseline's launches.
struct way {
  std::string scheduler;
  std::string dependencies;  // phases, individual or launches

  [[nodiscard]] std::string label() const { return scheduler + ", " + dependencies; }
};

/// Every scheduler with every form of dependencies, the graph once.
[[nodiscard]] std::vector<way> ways_of(request const& wanted);

/// What all arms on a tree share. They run one at a time. All references outlive it.
class tree_scene {
 public:
  tree_scene(bench::program& app, execution_tree const& tree, std::string const& tree_name,
             request const& wanted);

  /// A certificate of a further run says whether tasks kept their order. The scene outlives the
  /// arms.
  [[nodiscard]] std::vector<bench::arm<row>> arms();

 private:
  friend class tree_work;

  [[nodiscard]] std::unique_ptr<tree_runner> make(std::string const& dependencies);
  [[nodiscard]] certificate& certified();
  [[nodiscard]] trace_ref arm_trace();
  /// Warps of the largest launch, whatever its scheduler, or host workers: the stretches of a
  /// trace.
  [[nodiscard]] std::int64_t workers_traced() const;

  bench::program& app_;
  device& machine_;
  execution_tree const& tree_;
  std::vector<way> ways_;
  tree_run run_;
  row facts_;
  // By dependencies: schedulers share the memory of a tree that is ready to run.
  std::map<std::string, std::unique_ptr<tree_runner>> runners_;
  std::optional<certificate> certificate_;
};

}  // namespace gridloom::mhive::generic
