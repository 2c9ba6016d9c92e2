#pragma once
// The arms of one graph as the bench runs them.

#include <vector>

#include "columns.hpp"
#include "plan.hpp"
#include "wavefront/graph_store.hpp"
#include "wavefront/scheduler.hpp"

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
  [[nodiscard]] task_body body_of(arm const& what);
  /// Results of the tasks; taken by the first that needs them.
  [[nodiscard]] buffer<std::uint32_t> const& values();

  bench::program& app_;
  device& machine_;
  graph_store graph_;
  /// With what only the graph decides.
  std::vector<arm> arms_;
  workspace memory_;
  watchdog dog_;
  buffer<access_counts> counts_;
};

}  // namespace gridloom::wavefront
