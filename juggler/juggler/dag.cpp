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

template <bool Writes, class Map>
void dag_builder::access(Map& ranges, byte_range bytes, std::uint32_t task) {
  auto& before = state_->before;
  before.clear();
  Writes ? ranges.write(bytes, task, before) : ranges.read(bytes, task, before);
  for (std::uint32_t const source : before) add_edge(source, task);
}

template <bool Writes>
void dag_builder::names_range(task_id task, void const* array, std::size_t element_bytes,
                              std::int64_t begin, std::int64_t length) {
  array_section const section{array, element_bytes, begin, length};
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
  move_to(target);
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

template void dag_builder::names_range<false>(task_id, void const*, std::size_t, std::int64_t,
                                              std::int64_t);
template void dag_builder::names_range<true>(task_id, void const*, std::size_t, std::int64_t,
                                             std::int64_t);

template <class Visit>
void dag_builder::for_each_edge(csr_graph const& hand, Visit const& visit) const {
  std::vector<std::uint32_t> seen(state_->by_hand.empty() ? 0 : tasks_.size(), no_task);
  std::uint32_t const* source = sources_.begin();
  std::uint32_t target = 0;
  for (note const& task : tasks_) {
    for (auto const* const end = source + task.parents; source != end; ++source) {
      if (!seen.empty()) seen[*source] = target;
      visit(*source, target);
    }
    if (!seen.empty()) {
      for (std::uint32_t const other : hand.of(target)) {
        if (std::exchange(seen[other], target) != target) visit(other, target);
      }
    }
    ++target;
  }
}

dag_builder::dag_builder(std::size_t tasks, std::size_t edges, range_matching matching,
                         std::uint64_t edge_limit, std::uint64_t task_limit)
    : tasks_(tasks, task_limit, "tasks"),
      sources_(edges, edge_limit, "edges"),
      tiles_(matching == range_matching::overlapping ? edges : 0),
      state_(std::make_unique<state>(state{matching, edge_limit})) {}
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
  (void)declare_tiles(whole, 1, std::move(name));
}

tiled_array dag_builder::declare_tiles(array_section const& tile, std::int64_t tiles,
                                       std::string name) {
  array_section whole = tile;
  if (__builtin_mul_overflow(tile.length, tiles, &whole.length)) whole.length = 0;
  tiled_array made{tile.array, tile.element_bytes, tile.length, tile_map::none};
  // Sections that came before may lie in the array, in part of a tile.
  if (state_->arrays.declare(whole, std::move(name)) && state_->overlapping.segments() == 0 &&
      state_->matching == range_matching::overlapping)
    made.number = tiles_.add(bytes_of(whole));
  return made;
}

task_dag dag_builder::build() {
  state const& s = *state_;
  std::size_t const n = tasks_.size();
  if (n != 0) move_to(now_);
  csr_graph const hand = s.by_hand.empty() ? csr_graph{} : by_target(n, s.by_hand);
  std::vector<note> counted;
  if (!s.by_hand.empty()) {
    counted.assign(tasks_.begin(), tasks_.end());
    for (note& task : counted) task.parents = task.children = 0;
    for_each_edge(hand, [&](std::uint32_t source, std::uint32_t target) {
      ++counted[source].children;
      ++counted[target].parents;
    });
  }
  note const* const notes = s.by_hand.empty() ? tasks_.begin() : counted.data();
  task_dag dag;
  dag.kernel_types.resize(n);
  dag.parents.resize(n);
  // Element t + 1 first holds the offset at which the children of task t begin. Writing a child
  // advances it, so in the end it holds where they end.
  auto& offsets = dag.children.row_offsets;
  offsets.resize(n + 1);
  std::uint64_t edges = 0;
  for (std::uint32_t t = 0; t < n; ++t) {
    note const& task = notes[t];
    dag.kernel_types[t] = task.kernel_type;
    dag.parents[t] = task.parents;
    if (task.parents == 0) dag.ready.push_back(t);
    offsets[t + 1] = edges;
    edges += task.children;
  }
  if (edges > s.edge_limit) refuse_edges(s.edge_limit);

  // Targets ascend, so each task's children ascend as well.
  dag.children.columns.resize(edges);
  for_each_edge(
      hand, [ends = offsets.data() + 1, children = dag.children.columns.data()](
                std::uint32_t source, std::uint32_t target) { children[ends[source]++] = target; });

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
