#pragma once
// The methods of mhive-dynamic: one search under several schedulers.

#include <cstdint>
#include <optional>
#include <span>

#include "gridloom/bench/methods.hpp"
#include "mhive/scheduler.hpp"
#include "searches.hpp"

namespace gridloom::mhive::dynamic {

struct problem {
  device& machine;
  named_search const& named;
  int workers = 0;
  double timeout_s = 60;
  /// Largest number of tasks of a queue, and of nodes of a level.
  std::uint64_t capacity = 1U << 20U;
  /// Found at the first verification.
  std::optional<totals> expected{};
};

struct settings {
  /// Number of nodes that a task expands; -1 for methods without tasks.
  std::int64_t batch = -1;
};

struct counters {
  report done{};
  totals found{};
  /// Number of MHive's tasks; -1 for others.
  std::int64_t tasks = -1;
  /// Number of nodes with children in the largest level; -1 where there are no levels.
  std::int64_t largest_level = -1;
};

using row = bench::row_of<problem, settings, counters>;

/// Throws usage_error for a queue or level that has no room, naming --capacity.
[[nodiscard]] std::span<bench::method<row> const> all_methods();

}  // namespace gridloom::mhive::dynamic
