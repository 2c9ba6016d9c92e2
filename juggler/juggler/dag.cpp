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

using edge = std::pair<std::uint32_t, std::uint32_t>;

[[noreturn]] void refuse(std::string const& what) { throw usage_error("task graph: " + what); }

[[noreturn]] void refuse_edges(std::uint64_t limit) {
  refuse("more than " + std::to_string(limit) + " edges");
}

/// The room for more than `size` tasks or edges. Throws if there may be no more.
std::size_t grown(std::size_t size, std::uint64_t limit, std::string const& what) {
  if (size >= limit) refuse("more than " + std::to_string(limit) + " " + what);
  return std::min<std::uint64_t>(limit, std::max<std::size_t>(16, 2 * size));
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
  // Most tasks write one or two ranges, and most edges come from readers. Most ranges are tiles, so
  // the map of other ranges grows when it is needed.
  range_matching matching;
  std::uint64_t edge_limit;
  std::uint64_t task_limit;
  declared_arrays arrays{};
  range_map overlapping{};
  exact_map exact{};
  /// The result of a map of ranges, kept for its memory.
  std::vector<std::uint32_t> before{};
  /// Explicit edges, in the order in which they were added.
  std::vector<edge> by_hand{};
};

std::uint32_t dag_builder::checked(task_id task) const {
  auto const number = static_cast<std::uint32_t>(task);
  if (number >= tasks_.size())
    refuse("there is no task " + std::to_string(number) + ", expected one below " +
           std::to_string(tasks_.size()));
  return number;
}

void dag_builder::make_room_for_task() {
  tasks_.reserve(grown(tasks_.size(), state_->task_limit, "tasks"));
}

void dag_builder::make_room_for_edge() {
  sources_.reserve(grown(sources_.size(), state_->edge_limit, "edges"));
}

template <bool Writes, class Map>
void dag_builder::access(Map& ranges, byte_range bytes, std::uint32_t task) {
  auto& before = state_->before;
  before.clear();
  Writes ? ranges.write(bytes, task, before) : ranges.read(bytes, task, before);
  for (std::uint32_t const source : before) add_edge(source, task);
}

template <bool Writes>
void dag_builder::names_range(task_id task, array_section const& section) {
  state& s = *state_;
  std::uint32_t const target = checked(task);
  if (target < now_)
    refuse("task " + std::to_string(target) + ": its ranges come too late, because task " +
           std::to_string(now_) + " has named some");
  byte_range bytes{};
  if (!find_bytes(section, bytes) || !s.arrays.known_to_hold(section, bytes)) {
    std::string why = objection_to(section);
    if (why.empty()) why = s.arrays.objection_to(section);
    if (!why.empty()) refuse("task " + std::to_string(target) + ": " + why);
  }
  now_ = target;
  if (s.matching == range_matching::one_to_one) return access<Writes>(s.exact, bytes, target);
  // A program with many more tiles than tasks would only fill memory with them.
  std::size_t const most_tiles = 4096 + 8 * tasks_.capacity();
  if (auto* const tile = tiles_.place(section, bytes, most_tiles); tile != nullptr)
    return access<Writes>(*tile, target);
  tiles_.move_out(
      bytes, [&](byte_range of, std::uint32_t reader) { s.overlapping.read(of, reader, s.before); },
      [&](byte_range of, std::uint32_t writer) { s.overlapping.write(of, writer, s.before); });
  access<Writes>(s.overlapping, bytes, target);
}

void dag_builder::reads_range(task_id task, array_section const& section) {
  names_range<false>(task, section);
}

void dag_builder::writes_range(task_id task, array_section const& section) {
  names_range<true>(task, section);
}

template <class Visit>
void dag_builder::for_each_edge(csr_graph const& hand, Visit const& visit) const {
  std::vector<std::uint32_t> seen(state_->by_hand.empty() ? 0 : tasks_.size(), no_task);
  std::size_t range_edge = 0;
  for (std::uint32_t target = 0; target < tasks_.size(); ++target) {
    for (std::uint32_t i = 0; i < tasks_[target].parents; ++i) {
      std::uint32_t const source = sources_[range_edge++];
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
    : tiles_(matching == range_matching::overlapping ? edges : 0),
      state_(std::make_unique<state>(state{matching, edge_limit, task_limit})) {
  tasks_.reserve(std::min<std::uint64_t>(tasks, task_limit));
  sources_.reserve(std::min<std::uint64_t>(edges, edge_limit));
}
dag_builder::dag_builder(dag_builder&&) noexcept = default;
dag_builder& dag_builder::operator=(dag_builder&&) noexcept = default;
dag_builder::~dag_builder() = default;

void dag_builder::add_dependency(task_id source, task_id target) {
  std::uint32_t const from = checked(source);
  std::uint32_t const to = checked(target);
  if (from == to) refuse("add_dependency: task " + std::to_string(from) + " depends on itself");
  // A repeated edge takes memory until build() merges it.
  if (state_->by_hand.size() >= state_->edge_limit) refuse_edges(state_->edge_limit);
  state_->by_hand.emplace_back(from, to);
}

void dag_builder::declare_array(array_section const& whole, std::string name) {
  // Sections that came before may lie in the array, in part of a tile.
  if (state_->arrays.declare(whole, std::move(name)) && state_->overlapping.segments() == 0 &&
      state_->matching == range_matching::overlapping)
    tiles_.add(bytes_of(whole));
}

task_dag dag_builder::build() const {
  state const& s = *state_;
  std::size_t const n = tasks_.size();
  csr_graph const hand = s.by_hand.empty() ? csr_graph{} : by_target(n, s.by_hand);
  task_dag dag;
  dag.kernel_types.resize(n);
  dag.parents.resize(n);
  // Element t + 1 first holds the number of children of task t. The sums below turn it into the
  // offset at which the children of task t + 1 begin.
  auto& offsets = dag.children.row_offsets;
  offsets.resize(n + 1);
  for (std::size_t t = 0; t < n; ++t) {
    dag.kernel_types[t] = tasks_[t].kernel_type;
    dag.parents[t] = tasks_[t].parents;
    offsets[t + 1] = tasks_[t].children;
  }
  if (!s.by_hand.empty()) {
    std::fill(dag.parents.begin(), dag.parents.end(), 0);
    std::fill(offsets.begin(), offsets.end(), 0);
    for_each_edge(hand, [&](std::uint32_t source, std::uint32_t target) {
      ++offsets[source + 1];
      ++dag.parents[target];
    });
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  if (offsets.back() > s.edge_limit) refuse_edges(s.edge_limit);

  // Targets ascend, so each task's children ascend as well. Writing a child advances its source's
  // offset. In the end each offset has the next task's value, and the copy moves all by one.
  dag.children.columns.resize(offsets.back());
  for_each_edge(hand, [&](std::uint32_t source, std::uint32_t target) {
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
