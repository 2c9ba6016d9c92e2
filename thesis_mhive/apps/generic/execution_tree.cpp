#include "execution_tree.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::generic {
namespace {

[[noreturn]] void refuse(std::string_view place, std::string const& expected,
                         std::string const& got) {
  std::string const before = place.empty() ? "" : std::string{place} + ": ";
  throw usage_error(before + "expected " + expected + ", got " + got);
}

void require_range(std::string_view place, char const* what, std::int64_t value, std::int64_t max) {
  if (value >= 0 && value <= max) return;
  refuse(place, std::string{what} + " from 0 to " + std::to_string(max), std::to_string(value));
}

bool is_name(std::string_view text) {
  // Not std::isalnum, which depends on the locale.
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return !text.empty() && text.size() <= longest_name &&
         text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

void execution_tree::add_task(task_definition task, std::string_view place) {
  if (!is_name(task.name)) {
    refuse(place,
           "a name of 1 to " + std::to_string(longest_name) + " letters, digits, '_', '-' and '.'",
           in_quotes(task.name));
  }
  if (index_of(task.name) >= 0) refuse(place, "each task once", in_quotes(task.name) + " again");
  require_range(place, "flops", task.flops, most_flops);
  constexpr int sizes[] = {1, 32, 64, 256};
  if (std::find(std::begin(sizes), std::end(sizes), task.worker_size) == std::end(sizes)) {
    refuse(place, "a worker of 1, 32, 64 or 256 threads", std::to_string(task.worker_size));
  }
  require_range(place, "a phase", task.phase, most_phases - 1);
  if (num_tasks() == most_tasks) {
    refuse(place, "at most " + std::to_string(most_tasks) + " tasks", "one more");
  }
  tasks_.push_back(std::move(task));
}

void execution_tree::add_transition(std::string_view from, std::string_view to, double probability,
                                    std::string_view place) {
  for (std::string_view const name : {from, to}) {
    if (index_of(name) < 0) refuse(place, "a task that was defined before", in_quotes(name));
  }
  // The condition is negated so that NaN is refused, too.
  if (!(probability > 0.0 && probability <= 1.0)) {
    refuse(place, "a probability above 0 and not above 1", shown(probability));
  }
  transition added{index_of(from), index_of(to), probability, std::string{place}};
  for (transition const& known : transitions_) {
    if (known.from == added.from && known.to == added.to) {
      refuse(place, "each edge once", std::string{from} + " -> " + std::string{to} + " again");
    }
  }
  std::vector<int> const back = path(added.to, added.from);
  if (!back.empty()) {
    std::string cycle{from};
    for (int const task : back) cycle += " -> " + tasks_[static_cast<std::size_t>(task)].name;
    refuse(place, "edges without a cycle", cycle);
  }
  if (transitions_.size() == most_transitions) {
    refuse(place, "at most " + std::to_string(most_transitions) + " edges", "one more");
  }
  transitions_.push_back(std::move(added));
}

bool execution_tree::is_root(int task) const {
  return std::none_of(transitions_.begin(), transitions_.end(),
                      [task](transition const& into) { return into.to == task; });
}

int execution_tree::index_of(std::string_view name) const {
  auto const found =
      std::find_if(tasks_.begin(), tasks_.end(),
                   [name](task_definition const& task) { return task.name == name; });
  return found == tasks_.end() ? -1 : static_cast<int>(found - tasks_.begin());
}

// Returns the task types on a shortest path, including both ends; empty if there is no path.
std::vector<int> execution_tree::path(int from, int to) const {
  std::vector<int> before(tasks_.size(), -1);
  std::vector<int> open{from};
  before[static_cast<std::size_t>(from)] = from;
  for (std::size_t k = 0; k < open.size() && open[k] != to; ++k) {
    for (transition const& next : transitions_) {
      int& mark = before[static_cast<std::size_t>(next.to)];
      if (next.from != open[k] || mark >= 0) continue;
      mark = open[k];
      open.push_back(next.to);
    }
  }
  if (before[static_cast<std::size_t>(to)] < 0) return {};
  std::vector<int> way{to};
  while (way.back() != from) way.push_back(before[static_cast<std::size_t>(way.back())]);
  std::reverse(way.begin(), way.end());
  return way;
}

execution_tree in_topological_order(execution_tree const& tree) {
  execution_tree sorted;
  // Numbers in the new order; -1 for a task type that has none yet.
  std::vector<int> number(tree.tasks().size(), -1);
  auto const numbered = [&](int task) { return number[static_cast<std::size_t>(task)] >= 0; };
  auto const free = [&](int task) {
    return std::all_of(
        tree.transitions().begin(), tree.transitions().end(),
        [&](transition const& into) { return into.to != task || numbered(into.from); });
  };
  while (sorted.num_tasks() < tree.num_tasks()) {
    // There always is one, because the tree has no cycle.
    int task = 0;
    while (numbered(task) || !free(task)) ++task;
    number[static_cast<std::size_t>(task)] = sorted.num_tasks();
    sorted.tasks_.push_back(tree.tasks()[static_cast<std::size_t>(task)]);
  }
  sorted.transitions_ = tree.transitions();
  for (transition& edge : sorted.transitions_) {
    edge.from = number[static_cast<std::size_t>(edge.from)];
    edge.to = number[static_cast<std::size_t>(edge.to)];
  }
  std::sort(sorted.transitions_.begin(), sorted.transitions_.end(),
            [](transition const& a, transition const& b) {
              return std::tie(a.to, a.from) < std::tie(b.to, b.from);
            });
  return sorted;
}

bool is_in_topological_order(execution_tree const& tree) {
  std::vector<transition> const& edges = tree.transitions();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (edges[k].from >= edges[k].to) return false;
    if (k > 0 &&
        std::tie(edges[k].to, edges[k].from) < std::tie(edges[k - 1].to, edges[k - 1].from))
      return false;
  }
  return true;
}

void require_phases(execution_tree const& tree) {
  for (transition const& edge : tree.transitions()) {
    task_definition const& from = tree.tasks()[static_cast<std::size_t>(edge.from)];
    task_definition const& to = tree.tasks()[static_cast<std::size_t>(edge.to)];
    if (to.phase > from.phase) continue;
    refuse(edge.place,
           "with phases, \"" + to.name + "\" in a later phase than \"" + from.name + "\" (phase " +
               std::to_string(from.phase) + ")",
           "phase " + std::to_string(to.phase));
  }
}

void require_instances(execution_tree const& tree, std::int64_t instances,
                       std::string_view option) {
  if (instances < 1 || instances > most_instances) {
    refuse(option, "a whole number from 1 to " + std::to_string(most_instances),
           std::to_string(instances));
  }
  // Cannot overflow: the sum is at most most_tasks * most_flops.
  std::int64_t flops = 0;
  for (task_definition const& task : tree.tasks()) flops += task.flops;
  std::int64_t const most =
      flops == 0 ? most_instances : std::numeric_limits<std::int64_t>::max() / flops;
  if (instances > most) {
    refuse(option,
           "at most " + std::to_string(most) + " instances of " + std::to_string(flops) +
               " flops each",
           std::to_string(instances));
  }
}

}  // namespace gridloom::mhive::generic
