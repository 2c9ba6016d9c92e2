#pragma once
// Simulates list scheduling on the host before a run. The result is a list of tasks per worker, in
// order.

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "tiled_qr/levels.hpp"
#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

/// The result of list scheduling, where a free worker takes the next ready task.
struct simulated_schedule {
  /// One list per worker, in the order in which it executes the tasks.
  task_groups of_worker;
  /// All tasks in the order in which they begin, which is a topological order.
  std::vector<std::uint32_t> by_begin;
  /// Time at which the last task ends, in units of a single task.
  double end = 0;
};

/// Simulates `workers` workers; a task on two tiles takes as long as `double_weight` single tasks.
/// Throws as require_numbers does. Cost: one heap operation per task.
[[nodiscard]] inline simulated_schedule simulate(tiling const& cut, int workers, priority order,
                                                 double double_weight) {
  simulated_schedule result;
  result.by_begin.reserve(require_numbers(cut));
  auto const tiles = static_cast<std::uint32_t>(cut.tiles());
  std::vector<std::uint32_t> cells(tiles, 0);
  std::vector<std::uint32_t> listed(2 * std::size_t{tiles});
  ready_words words{};
  task_grid_ref const grid(cells.data(), cut);
  ready_tasks_ref const ready(&words, listed.data(), tiles, order);
  std::vector<std::uint32_t> worker_of(count_tasks(cut));
  // An event holds the end of a task, its worker and its tile. Of workers that end at the same
  // time, the one with the lowest number is free first.
  using event = std::tuple<double, std::uint32_t, std::uint32_t>;
  std::priority_queue<event, std::vector<event>, std::greater<>> running;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> idle;
  for (int worker = 0; worker < workers; ++worker) idle.push(static_cast<std::uint32_t>(worker));
  ready.put(grid.begin(), {0, 0, 0});
  for (;;) {
    while (ready.size() != 0 && !idle.empty()) {
      std::uint32_t const cell = ready.next();
      ready.take_next();
      static_cast<void>(grid.start(cell));
      task const what = grid.task_of(cell);
      auto const number = static_cast<std::uint32_t>(number_of(cut, what));
      worker_of[number] = idle.top();
      result.by_begin.push_back(number);
      running.push({result.end + (what.is_double() ? double_weight : 1.0), idle.top(), cell});
      idle.pop();
    }
    if (running.empty()) break;
    result.end = std::get<0>(running.top());
    // Tasks that end at the same time are all finished before another one starts, so that the
    // priority decides.
    while (!running.empty() && std::get<0>(running.top()) == result.end) {
      auto const [end, worker, cell] = running.top();
      running.pop();
      idle.push(worker);
      static_cast<void>(
          grid.finish(cell, [&](std::uint32_t at, task const& next) { ready.put(at, next); }));
    }
  }
  result.of_worker = grouped(result.by_begin, static_cast<std::size_t>(workers),
                             [&](std::size_t at) { return worker_of[result.by_begin[at]]; });
  return result;
}

}  // namespace gridloom::tiled_qr
