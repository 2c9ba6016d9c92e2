#pragma once
// What a worker reads from its list: each task, and the parents that it waits for. Rules OT.R6 to
// OT.R8 omit parents; ordered_tasks.hpp argues them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/orders.hpp"

namespace gridloom {

/// A place of a list: a task, and the range of its entries in the array of parents.
struct alignas(16) task_place {
  std::uint32_t task;
  std::uint32_t parents_begin;
  std::uint32_t n_parents;
};

/// The places of all lists, and their parents in the same order.
struct task_places {
  std::vector<task_place> places;
  std::vector<std::uint32_t> parents;
};

namespace detail {

/// OT.R8 is tried only for tasks with at most this many parents, and for parents with as few.
/// Without a limit the cost would not be linear.
inline constexpr std::size_t few_parents = 8;

/// Adds places one after another.
class place_maker {
 public:
  /// `before` has the parents of each task.
  explicit place_maker(csr_graph const& before) : before_(before) {
    made_.places.reserve(before.row_offsets.size() - 1);
    made_.parents.reserve(before.columns.size());
  }
  /// `add_parents(all)` appends the parents that OT.R6 and OT.R7 keep to parents().
  template <class Add>
  void add(std::uint32_t task, Add const& add_parents) {
    auto const begin = made_.parents.size();
    numbers const all = before_.of(task);
    add_parents(all);
    if (all.size() > 1 && all.size() <= few_parents) leave_out_implied(begin, all);
    made_.places.push_back({task, static_cast<std::uint32_t>(begin),
                            static_cast<std::uint32_t>(made_.parents.size() - begin)});
  }
  [[nodiscard]] std::vector<std::uint32_t>& parents() { return made_.parents; }
  [[nodiscard]] task_places made() { return std::move(made_); }

 private:
  using numbers = std::span<std::uint32_t const>;

  void leave_out_implied(std::size_t begin, numbers all) {
    auto const kept = made_.parents.begin() + static_cast<std::ptrdiff_t>(begin);
    auto const is_implied = [&](std::uint32_t parent) { return is_before_any(parent, all); };
    made_.parents.erase(std::remove_if(kept, made_.parents.end(), is_implied), made_.parents.end());
  }
  /// Whether OT.R8 omits `parent`, as a parent of one of the others.
  [[nodiscard]] bool is_before_any(std::uint32_t parent, numbers others) const {
    return std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
      numbers const row = before_.of(other);
      return row.size() <= few_parents && std::find(row.begin(), row.end(), parent) != row.end();
    });
  }

  csr_graph const& before_;
  task_places made_;
};

}  // namespace detail

/// The places of a common list for all workers. `before` has each task's parents. Cost: linear.
[[nodiscard]] inline task_places places_of(csr_graph const& before,
                                           std::vector<std::uint32_t> const& order) {
  detail::place_maker made(before);
  for (std::uint32_t const task : order) {
    made.add(task, [&](auto const& all) {
      made.parents().insert(made.parents().end(), all.begin(), all.end());
    });
  }
  return made.made();
}

/// The places of one list per worker, all in one topological order. Cost: linear.
[[nodiscard]] inline task_places places_of(csr_graph const& before, task_groups const& lists) {
  struct standing {
    std::uint32_t list;
    std::uint32_t place;
  };
  std::vector<standing> where(lists.tasks.size());
  for (std::uint32_t list = 0; list < lists.groups(); ++list) {
    for (std::uint32_t at = lists.first[list]; at < lists.first[list + 1]; ++at)
      where[lists.tasks[at]] = {list, at};
  }
  // For each list: the last task that waits for it, and the index of its parent in `parents`.
  struct awaited {
    std::uint32_t by = ~0U;
    std::size_t at = 0;
  };
  std::vector<awaited> of(lists.groups());
  detail::place_maker made(before);
  std::vector<std::uint32_t>& parents = made.parents();
  for (std::uint32_t list = 0; list < lists.groups(); ++list) {
    for (std::uint32_t at = lists.first[list]; at < lists.first[list + 1]; ++at) {
      std::uint32_t const task = lists.tasks[at];
      made.add(task, [&](auto const& all) {
        for (std::uint32_t const parent : all) {
          auto const [owner, place] = where[parent];
          if (owner == list) continue;  // OT.R6
          awaited& last = of[owner];
          if (last.by != task) {
            last = {task, parents.size()};
            parents.push_back(parent);
          } else if (place > where[parents[last.at]].place) {
            parents[last.at] = parent;  // OT.R7
          }
        }
      });
    }
  }
  return made.made();
}

}  // namespace gridloom
