#pragma once
// How long and how wide a graph is.

#include <cstdint>
#include <string>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

struct graph_shape {
  /// Tasks on the longest path.
  std::int64_t longest_path = 0;
  /// Most and least tasks that have longest paths of one length from the start: what runs between two
  /// barriers.
  std::int64_t widest_wave = 0;
  std::int64_t narrowest_wave = 0;
};

/// "1 to 196", or "900" where all waves are alike.
[[nodiscard]] std::string at_once_text(std::int64_t narrowest, std::int64_t widest);

/// Linear in tasks and edges.
[[nodiscard]] graph_shape shape_of(task_dag const& dag);

}  // namespace gridloom::juggler
