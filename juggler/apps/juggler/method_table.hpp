#pragma once
// The program's methods.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "gridloom/device.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

/// One way to run the tasks, or to do the same work without them.
struct method {
  std::string_view name;
  std::string_view what;
  /// Has queues, whose length --queue-length sets.
  bool queues = false;
  /// Its workers are resident, and --placing chooses their numbers.
  bool places = false;
  /// Launches one kernel per wave; the blocks of one launch are not those of the next.
  bool waves = false;
  /// Executes tasks of the graph, which a trace can show.
  bool tasks = true;
  /// Does not run on host threads.
  bool needs_gpu = false;
  /// The applications that have it. Empty: all.
  std::span<std::string_view const> only_for{};

  /// Juggler's policies and `serial` take --kernels loops.
  [[nodiscard]] bool takes_loops() const { return queues || name == "serial"; }
  [[nodiscard]] bool is_for(std::string_view app) const {
    return only_for.empty() || std::find(only_for.begin(), only_for.end(), app) != only_for.end();
  }
};

[[nodiscard]] std::span<method const> methods();

/// The entry for --method. Throws usage_error if there is none.
[[nodiscard]] method const& method_of(std::string_view name);

/// If all methods are requested: whether this one can take a subject on a machine. `workers` is 0
/// for as many as it wants.
[[nodiscard]] bool can_take(device& machine, method const& how, subject const& what, int workers);

}  // namespace gridloom::juggler
