#pragma once
// The schedulers of all artifacts behind one interface: each runs any task graph with tasks of a
// user, one thread block per task. To run your own tasks, include all.hpp or the header of an
// artifact; program.hpp has a main().

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::schedulers {

enum class origin { published, ours, rival };

[[nodiscard]] constexpr std::string_view text_of(origin by) {
  return by == origin::published ? "published" : by == origin::ours ? "ours" : "rival";
}

/// A base of tasks with what most of them have in common. A body that differs declares its own.
struct plain_tasks {
  using scratch = no_scratch;
  static constexpr int max_threads = 256;
  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
};

template <block_tasks Tasks>
struct scheduler {
  /// The artifact and the method, such as "juggler-grr".
  std::string_view name;
  std::string_view about;
  origin by = origin::published;
  bool on_cuda = true;
  /// What a user does to have it on CUDA, if on_cuda is false. Empty: nothing helps.
  std::string_view for_cuda{};
  /// Smallest compute capability on CUDA; 90 means 9.0.
  int needs = 0;
  /// Whether a time limit ends a run on CUDA.
  bool stops_on_cuda = true;
  /// Whether it launches the tasks of a level together (executor_settings::block_per_task).
  bool launches_levels = false;
  /// Makes an executor. The graph has passed check_dag and has a task. The machine, the graph and the
  /// data of the tasks must outlive the executor. Throws usage_error for settings out of range.
  std::unique_ptr<executor> (*make)(device&, csr_graph const&, Tasks const&,
                                    executor_settings const&);
};

/// One list of several: published schedulers first, then ours, then rivals.
template <block_tasks Tasks>
std::vector<scheduler<Tasks>> joined(std::initializer_list<std::vector<scheduler<Tasks>>> lists) {
  std::vector<scheduler<Tasks>> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  std::ranges::stable_sort(all, {}, &scheduler<Tasks>::by);
  return all;
}

/// Throws usage_error with all names if there is none of this name.
template <block_tasks Tasks>
scheduler<Tasks> const& named(std::string_view name, std::vector<scheduler<Tasks>> const& all) {
  std::string names;
  for (auto const& one : all) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  throw usage_error("unknown scheduler \"" + std::string(name) + "\"; expected one of " + names);
}

/// Makes an executor: call its run(), then its require_done(). The machine, the graph and the data
/// of the tasks must outlive it. Throws usage_error if `name` is unknown, if the graph has no tasks
/// or check_dag refuses it, if settings are out of range, and if the machine lacks what the
/// scheduler needs.
template <block_tasks Tasks>
std::unique_ptr<executor> make(std::string_view name, std::vector<scheduler<Tasks>> const& all,
                               device& machine, csr_graph const& graph, Tasks const& tasks,
                               executor_settings const& settings = {}) {
  scheduler<Tasks> const& one = named(name, all);
  check_dag(graph, "graph");
  if (graph.tasks() == 0) throw usage_error("graph: expected at least one task");
  if (!machine.is_host() && !one.on_cuda) {
    throw unsupported(std::string(name) + ": expected the host, got a CUDA device" +
                      (one.for_cuda.empty() ? "" : "; for CUDA, " + std::string(one.for_cuda)));
  }
  if (!machine.is_host() && machine.properties().compute_capability < one.needs) {
    throw unsupported(std::string(name) + ": expected a device of compute capability " +
                      std::to_string(one.needs / 10) + ".0 or later");
  }
  return one.make(machine, graph, tasks, settings);
}

}  // namespace gridloom::schedulers
