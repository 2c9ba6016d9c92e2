#include "juggler/dag.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "gridloom/error.hpp"
#include "juggler/range_map.hpp"

namespace gridloom::juggler {

namespace {

constexpr std::uint32_t no_target = ~0U;

using edge = std::pair<std::uint32_t, std::uint32_t>;

[[noreturn]] void refuse(std::string const& what) { throw usage_error("task graph: " + what); }

[[noreturn]] void refuse_edges(std::uint64_t limit) {
  refuse("more than " + std::to_string(limit) + " edges");
}

/// Lists the sources of edges for each target. Cost: linear.
csr_graph by_target(std::size_t tasks, std::vector<edge> const& edges) {
  csr_graph all;
  all.row_offsets.assign(tasks + 1, 0);
  all.columns.resize(edges.size());
  for (edge const& e : edges) ++all.row_offsets[e.second + 1];
  std::partial_sum(all.row_offsets.begin(), all.row_offsets.end(), all.row_offsets.begin());
  std::vector<std::uint64_t> next(all.row_offsets.begin(), all.row_offsets.end() - 1);
  for (edge const& e : edges) all.columns[next[e.second]++] = e.first;
  return all;
}

}  // namespace

struct dag_builder::state {
  /// A task with its numbers of parents and children by edges that follow from ranges.
  struct note {
    std::uint32_t kernel_type;
    std::uint32_t parents;
    std::uint32_t children;
    /// The child of the task's last edge, to recognise a repeated edge.
    std::uint32_t last_target;
  };

  // Most tasks write one or two ranges, and most edges come from readers. Reserved memory that is
  // not used costs nothing; too little of it costs a copy.
  state(std::size_t expected, std::size_t edges, range_matching how, std::uint64_t most_of_edges,
        std::uint64_t most_of_tasks)
      : matching(how),
        edge_limit(most_of_edges),
        task_limit(most_of_tasks),
        overlapping(how == range_matching::overlapping ? expected + edges : 0,
                    how == range_matching::overlapping ? edges : 0) {
    tasks.reserve(expected);
    sources.reserve(edges);
  }

  range_matching matching;
  std::uint64_t edge_limit;
  std::uint64_t task_limit;
  std::vector<note> tasks;
  declared_arrays arrays;
  range_map overlapping;
  exact_map exact;

  /// Sources of the edges that follow from ranges, without repeats, grouped by ascending target.
  std::vector<std::uint32_t> sources;
  /// The last task for which a section was given.
  std::uint32_t now = 0;
  std::vector<std::uint32_t> before;

  /// Explicit edges, in the order in which they were added.
  std::vector<edge> by_hand;

  [[nodiscard]] std::uint32_t checked(task_id task) const {
    auto const number = static_cast<std::uint32_t>(task);
    if (number >= tasks.size()) refuse_unknown(number);
    return number;
  }
  [[noreturn]] void refuse_unknown(std::uint32_t task) const;
  [[noreturn]] void refuse_late(std::uint32_t task) const;
  /// Throws if a section is invalid or leaves its array.
  void check(std::uint32_t task, array_section const& section);
  template <class Follow>
  void follow(task_id task, array_section const& section, Follow const& follow);
  /// Calls visit(source, target) once per edge, in ascending order of targets.
  template <class Visit>
  void for_each_edge(csr_graph const& hand, Visit const& visit) const;
};

void dag_builder::state::refuse_unknown(std::uint32_t task) const {
  refuse("there is no task " + std::to_string(task) + ", expected one below " +
         std::to_string(tasks.size()));
}

void dag_builder::state::refuse_late(std::uint32_t task) const {
  refuse("task " + std::to_string(task) + ": its ranges come too late, because task " +
         std::to_string(now) + " has named some");
}

void dag_builder::state::check(std::uint32_t task, array_section const& section) {
  std::string why = objection_to(section);
  if (why.empty()) why = arrays.objection_to(section);
  if (!why.empty()) refuse("task " + std::to_string(task) + ": " + why);
}

template <class Follow>
void dag_builder::state::follow(task_id task, array_section const& section, Follow const& follow) {
  std::uint32_t const target = checked(task);
  if (target < now) refuse_late(target);
  byte_range bytes{};
  if (!find_bytes(section, bytes) || !arrays.known_to_hold(section, bytes)) check(target, section);
  now = target;
  before.clear();
  follow(bytes, target);
  for (std::uint32_t const source : before) {
    note& from = tasks[source];
    if (source == target || from.last_target == target) continue;
    if (sources.size() >= edge_limit) refuse_edges(edge_limit);
    from.last_target = target;
    ++from.children;
    sources.push_back(source);
    ++tasks[target].parents;
  }
}

template <class Visit>
void dag_builder::state::for_each_edge(csr_graph const& hand, Visit const& visit) const {
  std::vector<std::uint32_t> seen(by_hand.empty() ? 0 : tasks.size(), no_target);
  std::size_t range_edge = 0;
  for (std::uint32_t target = 0; target < tasks.size(); ++target) {
    for (std::uint32_t i = 0; i < tasks[target].parents; ++i) {
      std::uint32_t const source = sources[range_edge++];
      if (!seen.empty()) seen[source] = target;
      visit(source, target);
    }
    if (seen.empty()) continue;
    for (std::uint32_t const source : hand.of(target)) {
      if (std::exchange(seen[source], target) != target) visit(source, target);
    }
  }
}

dag_builder::dag_builder(std::size_t tasks, std::size_t edges, range_matching matching,
                         std::uint64_t edge_limit, std::uint64_t task_limit)
    : state_(std::make_unique<state>(tasks, edges, matching, edge_limit, task_limit)) {}
dag_builder::dag_builder(dag_builder&&) noexcept = default;
dag_builder& dag_builder::operator=(dag_builder&&) noexcept = default;
dag_builder::~dag_builder() = default;

task_id dag_builder::add_task(std::uint32_t kernel_type) {
  auto& tasks = state_->tasks;
  std::uint64_t const limit = state_->task_limit;
  if (tasks.size() >= limit) refuse("more than " + std::to_string(limit) + " tasks");
  tasks.push_back({kernel_type, 0, 0, no_target});
  return static_cast<task_id>(tasks.size() - 1);
}

void dag_builder::add_dependency(task_id source, task_id target) {
  std::uint32_t const from = state_->checked(source);
  std::uint32_t const to = state_->checked(target);
  if (from == to) refuse("add_dependency: task " + std::to_string(from) + " depends on itself");
  // A repeated edge takes memory until build() merges it.
  if (state_->by_hand.size() >= state_->edge_limit) refuse_edges(state_->edge_limit);
  state_->by_hand.emplace_back(from, to);
}

void dag_builder::declare_array(array_section const& whole, std::string name) {
  state_->arrays.declare(whole, std::move(name));
}

void dag_builder::reads(task_id task, array_section const& section) {
  state& s = *state_;
  s.follow(task, section, [&](byte_range bytes, std::uint32_t reader) {
    s.matching == range_matching::one_to_one ? s.exact.read(bytes, reader, s.before)
                                             : s.overlapping.read(bytes, reader, s.before);
  });
}

void dag_builder::writes(task_id task, array_section const& section) {
  state& s = *state_;
  s.follow(task, section, [&](byte_range bytes, std::uint32_t writer) {
    s.matching == range_matching::one_to_one ? s.exact.write(bytes, writer, s.before)
                                             : s.overlapping.write(bytes, writer, s.before);
  });
}

task_dag dag_builder::build() const {
  state const& s = *state_;
  std::size_t const n = s.tasks.size();
  csr_graph const hand = s.by_hand.empty() ? csr_graph{} : by_target(n, s.by_hand);
  task_dag dag;
  dag.kernel_types.resize(n);
  dag.parents.resize(n);
  // Element t + 1 first holds the number of children of task t. The sums below turn it into the
  // offset at which the children of task t + 1 begin.
  auto& offsets = dag.children.row_offsets;
  offsets.resize(n + 1);
  for (std::size_t t = 0; t < n; ++t) {
    dag.kernel_types[t] = s.tasks[t].kernel_type;
    dag.parents[t] = s.tasks[t].parents;
    offsets[t + 1] = s.tasks[t].children;
  }
  if (!s.by_hand.empty()) {
    std::fill(dag.parents.begin(), dag.parents.end(), 0);
    std::fill(offsets.begin(), offsets.end(), 0);
    s.for_each_edge(hand, [&](std::uint32_t source, std::uint32_t target) {
      ++offsets[source + 1];
      ++dag.parents[target];
    });
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  if (offsets.back() > s.edge_limit) refuse_edges(s.edge_limit);

  // Targets ascend, so each task's children ascend as well. Writing a child advances its source's
  // offset. In the end each offset has the next task's value, and the copy moves all by one.
  dag.children.columns.resize(offsets.back());
  s.for_each_edge(hand, [&](std::uint32_t source, std::uint32_t target) {
    dag.children.columns[offsets[source]++] = target;
  });
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;
  for (std::uint32_t task = 0; task < n; ++task) {
    if (dag.parents[task] == 0) dag.ready.push_back(task);
  }

  // Edges that follow from ranges lead to later tasks. Only an explicit edge can close a cycle.
  for (edge const& e : s.by_hand) {
    if (e.first < e.second) continue;
    check_dag(dag.children, "task graph");
    break;
  }
  return dag;
}

std::vector<std::uint32_t> serial_order(task_dag const& dag) {
  std::vector<std::uint32_t> order;
  order.reserve(dag.tasks());
  std::vector<std::uint32_t> open = dag.parents;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready(
      std::greater<>{}, dag.ready);
  while (!ready.empty()) {
    std::uint32_t const next = ready.top();
    ready.pop();
    order.push_back(next);
    for (std::uint32_t const child : dag.children.of(next)) {
      if (--open[child] == 0) ready.push(child);
    }
  }
  return order;
}

}  // namespace gridloom::juggler
