#pragma once
// One graph through the four steps of PETS by one implementation, timed step by step.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gridloom/device.hpp"
#include "rivals/host_threads.hpp"
#include "rivals/list_scheduler.hpp"
#include "support/device_metrics.hpp"

namespace gridloom::pets {

/// An implementation of the steps, registered once.
struct implementation {
  std::string_view name;
  std::string_view what;
  bool on_device = true;
  /// Runs all list schedulers; the others run PETS only.
  bool any_scheduler = false;
  bool sorts_bitonic = false;
  /// Except by the literal policy and for links by pair.
  bool selects_on_device = false;
  /// Finds levels and ranks in one launch, whose blocks have --threads.
  bool one_launch = false;
  /// For levels, ranks and order, of an implementation of the host; 0: all.
  int host_threads = 1;

  [[nodiscard]] int threads_of_host() const {
    return host_threads == 0 ? all_host_threads() : host_threads;
  }
};
[[nodiscard]] std::span<implementation const> implementations();

/// Times of one run; none where steps are not told apart.
struct step_times {
  std::optional<double> entries_ms{};
  std::optional<double> metrics_ms{};
  std::optional<double> sort_ms{};
  std::optional<double> selection_ms{};

  [[nodiscard]] double sum_ms() const {
    return entries_ms.value_or(0) + metrics_ms.value_or(0) + sort_ms.value_or(0) +
           selection_ms.value_or(0);
  }
};

/// A graph ready to be scheduled by a list scheduler and an implementation.
class pipeline {
 public:
  virtual ~pipeline() = default;
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  /// From the graph in the machine's memory to the schedule where it is made. Throws timeout_error.
  [[nodiscard]] virtual step_times run() = 0;
  /// What the last run made, on the host; until the next.
  [[nodiscard]] virtual schedule const& fetch() = 0;

  /// Its levels and ranks, on the host; nothing where they are no result of the run.
  [[nodiscard]] virtual std::optional<priorities> found() { return {}; }
  /// Overwrites results: what a run leaves out is seen then.
  virtual void clear() = 0;

  [[nodiscard]] virtual bool selects_on_device() const { return false; }
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
