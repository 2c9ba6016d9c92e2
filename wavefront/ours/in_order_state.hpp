#pragma once
// Host side of in_order and its variants: the order, the words of the tasks, and the counts of
// executed tasks.

#include <algorithm>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/executed_counts.hpp"
#include "wavefront/ours/in_order.hpp"
#include "wavefront/ours/task_order.hpp"

namespace gridloom::wavefront {

// Host side of an order of tasks: its arrays, and whether the tasks' own numbers are a good one.

/// Device arrays of an order that is stored as a list.
struct order_arrays {
  buffer<std::uint32_t> numbers;
  buffer<std::uint64_t> offsets;
  buffer<std::uint32_t> predecessors;

  std::uint64_t bytes() const { return numbers.bytes() + offsets.bytes() + predecessors.bytes(); }
  listed_order view() const {
    return {static_cast<std::uint32_t>(numbers.size()), numbers.data(), offsets.data(),
            predecessors.data()};
  }
};

/// No arrays, for an order that needs none. (GCC 12 does not emit what order_arrays{} needs in a
/// lambda of a template.)
inline order_arrays no_arrays() { return {}; }

/// The tasks in a topological order, with the positions of their predecessors. `graph` lists these
/// in the host's memory.
template <class Graph>
order_arrays list_in_order(device& machine, std::vector<std::uint32_t> const& numbers,
                           Graph const& graph) {
  std::vector<std::uint32_t> position_of(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) position_of[numbers[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> predecessors;
  offsets.reserve(numbers.size() + 1);
  for (std::uint32_t const task : numbers) {
    auto const from = graph.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) predecessors.push_back(position_of[from[k]]);
    offsets.push_back(predecessors.size());
  }
  return {machine.allocate_copy(numbers), machine.allocate_copy(offsets),
          machine.allocate_copy(predecessors)};
}

/// The rounds of tasks that workers take: warps with one task per lane, or blocks.
struct task_rounds {
  std::size_t workers;
  /// Number of tasks in a round.
  std::uint32_t size;
};

/// Whether the tasks' own numbers, which must rise along edges, are a slow order. Counts the steps
/// of a run in which each task takes one step. A run level by level takes at most one step per
/// level, plus the steps of the tasks without dependences. Returns true if the run in the order of
/// the numbers takes over a quarter longer than that. Cost: linear.
template <class Graph>
[[nodiscard]] bool is_slow_in_order(Graph const& graph, task_rounds rounds) {
  struct done_task {
    std::uint32_t step, level;
  };
  std::vector<done_task> done(graph.tasks());
  std::vector<std::uint32_t> last_step(rounds.workers, 0);
  std::uint32_t steps = 0;
  std::uint32_t levels = 0;
  std::size_t worker = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
    if (task % rounds.size == 0) {
      worker = task / rounds.size % rounds.workers;
      begin = last_step[worker];
    }
    done_task after{begin, 0};
    auto const from = graph.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) {
      after.step = std::max(after.step, done[from[k]].step);
      after.level = std::max(after.level, done[from[k]].level);
    }
    done[task] = {after.step + 1, after.level + 1};
    last_step[worker] = std::max(last_step[worker], after.step + 1);
    steps = std::max(steps, after.step + 1);
    levels = std::max(levels, after.level + 1);
  }
  double const most = levels + static_cast<double>(graph.tasks()) /
                                   (static_cast<double>(rounds.workers) * rounds.size);
  return steps > 1.25 * most;
}

/// `Value` is the type of the results, which sets the width of the words.
template <class Order, class Value = std::uint32_t>
class in_order_state : public executed_counts {
 public:
  /// `workers` is the number of warps or blocks that count tasks. `arrays` are those of the order.
  in_order_state(device& machine, Order const& order, order_arrays&& arrays, int workers,
                 std::uint32_t runs_before = 0)
      : executed_counts(machine, workers),
        machine_(&machine),
        order_(order),
        arrays_(std::move(arrays)),
        results_(machine.allocate<result_word<Value>>(order.tasks())),
        run_(runs_before) {
    machine.fill_bytes(results_, 0);
  }
  /// For a listed order.
  in_order_state(device& machine, order_arrays&& arrays, int workers)
      : in_order_state(machine, arrays.view(), std::move(arrays), workers) {}

  /// Called before each run.
  void begin_run() {
    // IO.R2 of in_order.hpp: the numbers repeat after 2^32 runs.
    if (++run_ != 0) return;
    machine_->fill_bytes(results_, 0);
    run_ = 1;
  }
  /// The shared data of the run. `next_round` is null if warps take rounds in turn.
  [[nodiscard]] in_order_ref<Order, Value> ref(std::uint32_t* next_round, bool looks_ahead) const {
    return {order_, results_.data(), run_, next_round, next_round == nullptr && looks_ahead};
  }
  [[nodiscard]] std::size_t bytes() const {
    return results_.bytes() + arrays_.bytes() + executed_counts::bytes();
  }

 private:
  device* machine_;
  Order order_;
  order_arrays arrays_;
  buffer<result_word<Value>> results_;
  std::uint32_t run_;
};

}  // namespace gridloom::wavefront
