#pragma once
// The arms of one graph as the bench runs them.

#include <map>
#include <string>
#include <vector>

#include "columns.hpp"
#include "plan.hpp"
#include "support/drawn_work.hpp"
#include "support/graph_store.hpp"
#include "support/scheduler.hpp"

namespace gridloom::wavefront {

/// A graph on the machine with what all arms on it share. They run one at a time.
class graph_scene {
 public:
  /// Reads or makes the graph. Throws usage_error where it does not fit the machine.
  graph_scene(bench::program& app, arm_group const& group);

  /// The timed arms of the group and, after each, its counting build. The scene outlives them.
  [[nodiscard]] std::vector<bench::arm<row>> arms();

 private:
  friend class scheduler_work;

  [[nodiscard]] row facts_of(arm const& what);
  [[nodiscard]] any_body body_of(arm const& what);
  /// What durations that are drawn so add up to, computed once.
  [[nodiscard]] drawn_work const& drawn_of(task_durations kind);
  /// Of the durations.
  [[nodiscard]] std::uint32_t seed() const;
  /// Results of the tasks; taken by the first that needs them.
  [[nodiscard]] buffer<std::uint32_t> const& values();
  [[nodiscard]] buffer<wide_value> const& wide_values();

  bench::program& app_;
  device& machine_;
  graph_store graph_;
  std::string input_;
  /// With what only the graph decides.
  std::vector<arm> arms_;
  workspace memory_;
  watchdog dog_;
  buffer<access_counts> counts_;
  std::map<task_durations, drawn_work> drawn_;
};

}  // namespace gridloom::wavefront
