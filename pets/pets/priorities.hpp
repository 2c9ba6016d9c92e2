#pragma once
// Levels, ranks and the order of PETS (3.1 and 3.2) on one host thread. Tests compare all other
// implementations with this one.

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "gridloom/portable.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// rank = ACC + DTC + RPT, rounded half up. ACC is the average cost, DTC the sum of the data sent
/// to all successors, RPT the largest rank of the predecessors. DTC and RPT are whole numbers, so
/// only ACC is rounded.
struct priorities {
  std::vector<std::uint32_t> level;
  std::vector<time_value> rank;
  std::uint32_t num_levels = 0;
};
[[nodiscard]] priorities priorities_of(task_graph const& graph);

/// Tasks sorted by level ascending, rank descending, ACC ascending (not rounded), number ascending.
[[nodiscard]] std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by);

/// Sorts tasks of one level in this order. Used by one thread.
class level_order {
 public:
  level_order(task_graph const& graph, priorities const& by) : graph_(graph), by_(by) {}
  void sort(std::span<std::uint32_t> tasks);

 private:
  task_graph const& graph_;
  priorities const& by_;
  /// Complement of the rank, sum of the costs, number.
  std::vector<std::tuple<time_value, time_value, std::uint32_t>> keys_;
};

/// Sum of each task's costs: exactly ACC times the number of processors.
[[nodiscard]] std::vector<time_value> cost_sums(task_graph const& graph);
/// ACC rounded half up.
[[nodiscard]] GRIDLOOM_FN inline time_value rounded_mean(time_value sum, std::uint32_t count) {
  return sum / count + (2 * (sum % count) >= count ? 1 : 0);
}

}  // namespace gridloom::pets
