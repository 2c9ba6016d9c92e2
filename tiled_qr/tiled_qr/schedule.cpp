#include "tiled_qr/schedule.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <string>
#include <tuple>

#include "gridloom/error.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

namespace {

std::size_t require_numbers(tiling const& cut) {
  std::uint64_t const tasks = count_tasks(cut);
  if (tasks > std::numeric_limits<std::uint32_t>::max())
    throw unsupported("lists of tasks have 32 bits a task, and cannot hold " +
                      std::to_string(tasks) + " tasks; --tile makes them fewer");
  return static_cast<std::size_t>(tasks);
}

/// Tasks by number in groups, each in the order in which `order` names them.
template <class Order, class Group>
task_lists grouped(Order const& order, std::size_t groups, Group const& group_of) {
  task_lists lists{std::vector<std::uint32_t>(order.size()),
                   std::vector<std::uint64_t>(groups + 1, 0)};
  for (std::uint32_t const task : order) ++lists.first[group_of(task) + 1];
  for (std::size_t g = 0; g < groups; ++g) lists.first[g + 1] += lists.first[g];
  std::vector<std::uint64_t> next(lists.first.begin(), lists.first.end() - 1);
  for (std::uint32_t const task : order) lists.tasks[next[group_of(task)]++] = task;
  return lists;
}

}  // namespace

std::vector<std::uint32_t> depths_of(tiling const& cut) {
  std::vector<std::uint32_t> depths(require_numbers(cut));
  // In the order of the numbers, each task comes after all that it depends on.
  for (std::uint32_t number = 0; number < depths.size(); ++number) {
    std::uint32_t depth = 1;
    for_each_dependence(task_at(cut, number), [&](task const& before) {
      depth = std::max(depth, depths[number_of(cut, before)] + 1);
    });
    depths[number] = depth;
  }
  return depths;
}

task_lists waves_of(tiling const& cut) {
  std::vector<std::uint32_t> const depths = depths_of(cut);
  std::vector<std::uint32_t> all(depths.size());
  for (std::uint32_t number = 0; number < all.size(); ++number) all[number] = number;
  std::size_t const deepest = *std::max_element(depths.begin(), depths.end());
  return grouped(all, deepest, [&](std::uint32_t task) { return depths[task] - 1; });
}

simulated_schedule simulate(tiling const& cut, int workers, priority order, double double_weight) {
  simulated_schedule result;
  result.by_begin.reserve(require_numbers(cut));
  auto const tiles = static_cast<std::uint32_t>(cut.tiles());
  std::vector<std::uint32_t> cells(tiles, 0);
  std::vector<std::uint32_t> listed(2 * std::size_t{tiles});
  ready_words words{};
  task_grid_ref const grid(cells.data(), cut);
  ready_tasks_ref const ready(&words, listed.data(), tiles, order);
  std::vector<std::uint32_t> worker_of(count_tasks(cut));
  // When, which worker, what tile: workers that end at the same time are free in their order.
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
    // All that end now are finished before any is given out, so that the order decides.
    while (!running.empty() && std::get<0>(running.top()) == result.end) {
      auto const [end, worker, cell] = running.top();
      running.pop();
      idle.push(worker);
      static_cast<void>(
          grid.finish(cell, [&](std::uint32_t at, task const& next) { ready.put(at, next); }));
    }
  }
  result.of_worker = grouped(result.by_begin, static_cast<std::size_t>(workers),
                             [&](std::uint32_t task) { return worker_of[task]; });
  return result;
}

}  // namespace gridloom::tiled_qr
