#include "tiled_qr/general/task_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/taskgraph/orders.hpp"

namespace gridloom::tiled_qr::general {

namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

[[noreturn]] void refuse(std::string const& what) { throw usage_error("task graph: " + what); }

/// Collects (row, entry) pairs into rows. Each row is sorted, without repetitions.
csr_graph rows_of(std::uint32_t rows,
                  std::vector<std::pair<std::uint32_t, std::uint32_t>> const& pairs) {
  csr_graph all;
  all.row_offsets.assign(std::size_t{rows} + 1, 0);
  all.columns.resize(pairs.size());
  for (auto const& pair : pairs) ++all.row_offsets[pair.first + 1];
  std::partial_sum(all.row_offsets.begin(), all.row_offsets.end(), all.row_offsets.begin());
  std::vector<std::uint64_t> next(all.row_offsets.begin(), all.row_offsets.end() - 1);
  for (auto const& pair : pairs) all.columns[next[pair.first]++] = pair.second;
  std::uint64_t kept = 0;
  std::uint64_t begin = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint64_t const end = all.row_offsets[row + 1];
    auto const at = [&](std::uint64_t e) {
      return all.columns.begin() + static_cast<std::ptrdiff_t>(e);
    };
    std::sort(at(begin), at(end));
    auto const last = std::unique_copy(at(begin), at(end), at(kept));
    kept = static_cast<std::uint64_t>(last - all.columns.begin());
    begin = end;
    all.row_offsets[row + 1] = kept;
  }
  all.columns.resize(kept);
  return all;
}

/// Divides the tasks into classes of about equal size, by falling priority. Tasks of equal priority
/// share a class.
void set_classes(compiled_graph& graph, std::uint32_t wanted) {
  std::vector<std::uint32_t> by_priority(graph.tasks());
  std::iota(by_priority.begin(), by_priority.end(), 0U);
  std::stable_sort(by_priority.begin(), by_priority.end(), [&](std::uint32_t a, std::uint32_t b) {
    return graph.priorities[a] > graph.priorities[b];
  });
  std::uint32_t now = 0;
  double last = 0;
  for (std::size_t at = 0; at < by_priority.size(); ++at) {
    std::uint32_t const task = by_priority[at];
    auto const due = static_cast<std::uint32_t>(at * wanted / by_priority.size());
    // Goes on by at most one class, so that no class is empty.
    if (at != 0 && graph.priorities[task] != last && due > now) ++now;
    last = graph.priorities[task];
    graph.classes[task] = now;
  }
  graph.num_classes = now + 1;
}

}  // namespace

task_graph::task_graph(std::vector<task_type> types)
    : kinds_(std::move(types)), payload_bytes_(kinds_.size(), unknown) {
  for (task_type const& type : kinds_) {
    if (!(type.cost >= 0) || !std::isfinite(type.cost))
      refuse("type " + type.name + ": expected a cost of at least 0, got " + shown(type.cost));
  }
}

task_id task_graph::add(std::uint32_t type, void const* payload, std::size_t bytes) {
  std::string const name = "task " + std::to_string(types_.size());
  if (type >= kinds_.size()) {
    refuse(name + ": type " + std::to_string(type) + " is unknown, expected one below " +
           std::to_string(kinds_.size()));
  }
  if (types_.size() >= most_tasks)
    refuse("expected at most " + std::to_string(most_tasks) + " tasks");
  if (payload_bytes_[type] == unknown) payload_bytes_[type] = bytes;
  if (payload_bytes_[type] != bytes) {
    refuse(name + ": expected the payload size of its type, got " + std::to_string(bytes) +
           " bytes; other tasks of type " + kinds_[type].name + " have " +
           std::to_string(payload_bytes_[type]));
  }
  payload_offsets_.push_back(payloads_.size());
  payloads_.resize(payloads_.size() + bytes);
  if (bytes != 0) std::memcpy(payloads_.data() + payload_offsets_.back(), payload, bytes);
  types_.push_back(type);
  return static_cast<task_id>(types_.size() - 1);
}

std::uint32_t task_graph::checked(task_id task, char const* where) const {
  auto const number = static_cast<std::uint32_t>(task);
  if (number >= tasks()) {
    refuse(std::string(where) + ": there is no task " + std::to_string(number) +
           ", expected one below " + std::to_string(tasks()));
  }
  return number;
}

void task_graph::add_dependency(task_id before, task_id after) {
  std::uint32_t const from = checked(before, "add_dependency");
  std::uint32_t const to = checked(after, "add_dependency");
  if (from == to) refuse("add_dependency: task " + std::to_string(from) + " depends on itself");
  dependencies_.emplace_back(from, to);
}

resource_id task_graph::add_resource() {
  if (resources_ >= most_tasks)
    refuse("expected at most " + std::to_string(most_tasks) + " resources");
  return static_cast<resource_id>(resources_++);
}

void task_graph::uses(task_id task, resource_id resource) {
  std::uint32_t const user = checked(task, "uses");
  auto const number = static_cast<std::uint32_t>(resource);
  if (number >= resources_) {
    refuse("task " + std::to_string(user) + " uses resource " + std::to_string(number) +
           ", expected one below " + std::to_string(resources_));
  }
  uses_.emplace_back(user, number);
}

void task_graph::add_conflict(task_id one, task_id other) {
  if (checked(one, "add_conflict") == checked(other, "add_conflict"))
    refuse("add_conflict: task " + std::to_string(static_cast<std::uint32_t>(one)) +
           " conflicts with itself");
  resource_id const shared = add_resource();
  uses(one, shared);
  uses(other, shared);
}

void task_graph::set_priority(task_id task, double priority) {
  std::uint32_t const number = checked(task, "set_priority");
  if (!std::isfinite(priority))
    refuse("task " + std::to_string(number) + ": expected a finite priority");
  priorities_.emplace_back(number, priority);
}

void task_graph::set_ranks(compiled_graph& graph) const {
  for (auto at = graph.order.rbegin(); at != graph.order.rend(); ++at) {
    double longest = 0;
    for (std::uint32_t const next : graph.successors.of(*at))
      longest = std::max(longest, graph.priorities[next]);
    graph.priorities[*at] = longest + kinds_[types_[*at]].cost;
  }
  // The user's priorities are set last, so that they do not change the priorities of other tasks.
  for (auto const& [task, priority] : priorities_) graph.priorities[task] = priority;
}

compiled_graph task_graph::compile(priority_by order, std::uint32_t classes) const {
  if (types_.empty()) refuse("it has no tasks");
  if (classes < 1 || classes > most_classes) {
    refuse("expected 1 to " + std::to_string(most_classes) + " classes of priority, got " +
           std::to_string(classes));
  }
  compiled_graph graph;
  for (task_type const& type : kinds_) graph.type_names.push_back(type.name);
  graph.types = types_;
  graph.successors = rows_of(tasks(), dependencies_);
  check_dag(graph.successors, "task graph");
  graph.dependences.assign(tasks(), 0);
  for (std::uint32_t const to : graph.successors.columns) ++graph.dependences[to];
  graph.order = levels_of(graph.successors).tasks;

  csr_graph task_uses = rows_of(tasks(), uses_);
  graph.use_offsets = std::move(task_uses.row_offsets);
  graph.uses = std::move(task_uses.columns);
  graph.resources = resources_;

  std::size_t largest = 0;
  for (std::size_t const bytes : payload_bytes_)
    largest = std::max(largest, bytes == unknown ? 0 : bytes);
  // Every payload begins at an address that suits any type.
  std::size_t const unit = largest <= 4 ? 4 : largest <= 8 ? 8 : 16;
  std::size_t const stride = (largest + unit - 1) / unit * unit;
  graph.payload_bytes = static_cast<std::uint32_t>(stride);
  graph.payloads.resize(stride * types_.size());
  for (std::size_t task = 0; task < types_.size(); ++task) {
    if (std::size_t const bytes = payload_bytes_[types_[task]]; bytes != 0) {
      std::memcpy(graph.payloads.data() + task * stride, payloads_.data() + payload_offsets_[task],
                  bytes);
    }
  }

  graph.priorities.assign(tasks(), 0);
  graph.classes.assign(tasks(), 0);
  if (order == priority_by::critical_path) {
    set_ranks(graph);
    set_classes(graph, classes);
  }
  return graph;
}

}  // namespace gridloom::tiled_qr::general
