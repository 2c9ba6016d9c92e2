#pragma once
// Random execution trees in topological order. The same seed gives the same trees.

#include <string>

#include "execution_tree.hpp"
#include "gridloom/random.hpp"

namespace gridloom::mhive::generic::test {

/// Draws a tree of 1 to 32 task types. About a quarter of its transitions have probability 1.
inline execution_tree random_tree(random_source& random) {
  execution_tree drawn;
  auto const tasks = static_cast<int>(1 + random.below(most_tasks));
  for (int k = 0; k < tasks; ++k) drawn.add_task({"t" + std::to_string(k)});
  auto const density = random.unit();
  for (int to = 1; to < tasks; ++to) {
    for (int from = 0; from < to; ++from) {
      if (drawn.transitions().size() == most_transitions || random.unit() > density) continue;
      double const p = random.below(4) == 0 ? 1.0 : 1.0 - random.unit();
      drawn.add_transition("t" + std::to_string(from), "t" + std::to_string(to), p);
    }
  }
  return in_topological_order(drawn);
}

}  // namespace gridloom::mhive::generic::test
