#pragma once
// One graph through the four steps of PETS by one implementation, timed step by step.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gridloom/device.hpp"
#include "pets/device_metrics.hpp"
#include "pets/list_scheduler.hpp"

namespace gridloom::pets {

/// Who takes which step. `host` has no method of a device.
struct implementation {
  std::string_view name;
  std::string_view what;
  bool on_device = true;
  bool sorts_bitonic = false;
  bool selects_on_device = false;  // for append, and as many processors as that takes
};
[[nodiscard]] std::span<implementation const> implementations();

/// Times of one run; -1 where steps are not told apart.
struct step_times {
  double entries_ms = -1;
  double metrics_ms = -1;
  double sort_ms = -1;
  double selection_ms = -1;
  double elapsed_ms = 0;  // of all: from the graph to the schedule where it was made
};

/// A graph ready to be scheduled by a list scheduler and an implementation.
class pipeline {
 public:
  virtual ~pipeline() = default;
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  /// Throws run_error, which begins with "timeout" where time was up.
  [[nodiscard]] virtual step_times run() = 0;
  /// What the last run made, on the host.
  [[nodiscard]] virtual schedule fetch() = 0;

  /// Its levels and ranks, on the host; nothing where they are no result of the run.
  [[nodiscard]] virtual std::optional<priorities> found() { return {}; }
  /// Overwrites results on a device: what a run leaves out is seen then.
  virtual void clear() {}

  [[nodiscard]] virtual std::string backend() const { return "host"; }
  [[nodiscard]] virtual bool selects_on_device() const { return false; }
  /// Of making it: memory taken, layout made and copied.
  [[nodiscard]] virtual double setup_ms() const { return 0; }
  /// See device_metrics; 0 on the host.
  [[nodiscard]] virtual std::uint64_t metrics_bytes() { return 0; }
  [[nodiscard]] virtual std::uint32_t launches() const { return 0; }

 protected:
  pipeline() = default;
};

/// The graph and the machine must live as long. Throws usage_error where the implementation does
/// not take the graph, std::invalid_argument for a list scheduler but PETS on a device.
[[nodiscard]] std::unique_ptr<pipeline> make_pipeline(list_scheduler const& by,
                                                      implementation const& how, device& machine,
                                                      task_graph const& graph,
                                                      launch_limits const& limits);

}  // namespace gridloom::pets
