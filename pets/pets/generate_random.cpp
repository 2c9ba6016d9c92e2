// Random graphs after the thesis (4.1) and Topcuoglu et al. (2002, 5.1): levels of random width,
// then edges to later levels. Departure: the thesis draws the height and all widths, which seldom
// gives v tasks. Here a graph has exactly v tasks, because widths are drawn until they add up to v.
// So the mean number of levels is sqrt(v) / alpha.
//
// The thesis leaves open how edges are drawn. Ours make hubs: every task of a wide level behind a
// narrow one gets its parent there. The key `degree`, which the thesis does not have, bounds the
// numbers of children and of parents. Then a level has at most `degree` times the tasks of the
// level before. A graph may have fewer edges than beta asks for, because a task leaves out a child
// that it does not find in some draws.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gridloom/error.hpp"
#include "pets/support/generate.hpp"

namespace gridloom::pets {
namespace {

// The first task of each level, followed by the number of tasks.
std::vector<std::uint32_t> draw_levels(std::uint64_t tasks, double alpha, std::uint64_t degree,
                                       random_source& source) {
  // A width is uniform on 1 .. 2 mean - 1. Square root and product round in the same way on every
  // machine.
  double const twice_mean = 2 * alpha * std::sqrt(static_cast<double>(tasks));
  std::uint64_t const widest =
      std::max<std::uint64_t>(static_cast<std::uint64_t>(std::round(twice_mean)), 2) - 1;
  std::vector<std::uint32_t> starts{0};
  std::uint64_t used = 0;
  for (std::uint64_t width = 0; used < tasks;) {
    std::uint64_t const drawn = std::min(1 + source.below(widest), tasks - used);
    width = width == 0 ? drawn : std::min(drawn, degree * width);
    used += width;
    starts.push_back(static_cast<std::uint32_t>(used));
  }
  return starts;
}

class random_graph {
 public:
  random_graph(std::vector<std::uint32_t> starts, std::uint64_t jump, std::uint64_t degree,
               random_source& source)
      : starts_{std::move(starts)},
        num_levels_{starts_.size() - 1},
        num_tasks_{starts_.back()},
        jump_{jump == 0 ? num_levels_ : jump},
        degree_{degree},
        source_{source} {}

  // Most edges by the numbers of children and of parents that tasks may have.
  [[nodiscard]] std::uint64_t room() const {
    return std::min(children_room(), degree_ * tree_edges());
  }
  [[nodiscard]] std::uint64_t children_room() const {
    std::uint64_t pairs = 0;
    for (std::size_t level = 0; level < num_levels_; ++level) {
      pairs += std::uint64_t{starts_[level + 1] - starts_[level]} * reach(level);
    }
    return pairs;
  }
  [[nodiscard]] std::uint64_t tree_edges() const { return num_tasks_ - starts_[1]; }

  // Makes a graph with `edges` edges, or with tree_edges() if that is more. `edges` is at most
  // room().
  [[nodiscard]] csr_graph make(std::uint64_t edges) {
    draw_parents();
    draw_degrees(edges);
    draw_children();
    if (is_bounded()) close_gaps();
    return std::move(graph_);
  }

 private:
  [[nodiscard]] std::uint32_t end_of_reach(std::size_t level) const {
    return jump_ < num_levels_ - level ? starts_[level + 1 + jump_] : num_tasks_;
  }
  [[nodiscard]] std::uint64_t reach(std::size_t level) const {
    return std::min<std::uint64_t>(end_of_reach(level) - starts_[level + 1], degree_);
  }
  [[nodiscard]] bool is_bounded() const { return degree_ < num_tasks_; }

  // Draws each task's parent from the previous level, so the longest path to a task matches its
  // level.
  void draw_parents() {
    parents_.resize(num_tasks_);
    children_.assign(num_tasks_, 0);
    for (std::size_t level = 1; level < num_levels_; ++level) {
      // Possible parents. A parent whose children reach the bound is replaced by the last one.
      std::vector<std::uint32_t> open(starts_[level] - starts_[level - 1]);
      std::iota(open.begin(), open.end(), starts_[level - 1]);
      for (std::uint32_t task = starts_[level]; task < starts_[level + 1]; ++task) {
        std::uint32_t& parent = open[source_.below(open.size())];
        parents_[task] = parent;
        if (++children_[parent] < degree_) continue;
        parent = open.back();
        open.pop_back();
      }
    }
  }

  // Draws out-degrees: the tree's children plus further children. The number of further children is
  // uniform around the mean of the remaining edges. The last task is drawn first: late tasks have
  // few possible children and leave their share to the others. A lower bound on each draw ensures
  // that the other tasks can take all remaining edges.
  void draw_degrees(std::uint64_t edges) {
    std::uint64_t left = edges - std::min(edges, tree_edges());
    std::uint64_t others = children_room() - tree_edges();
    graph_.row_offsets.assign(std::size_t{num_tasks_} + 1, 0);
    for (std::size_t level = num_levels_ - 1; level-- > 0;) {
      std::uint64_t const reached = reach(level);
      for (std::uint32_t task = starts_[level + 1]; task-- > starts_[level];) {
        std::uint64_t const free = reached - children_[task];
        others -= free;
        std::uint64_t const least = left - std::min(left, others);
        // The draw is uniform from 0 to a limit. The limit is `2 * left / senders`, rounded up or
        // down at random, so the draw's mean is `left / senders`.
        std::uint64_t const senders = std::uint64_t{task} + 1;
        std::uint64_t const more = source_.below(senders) < 2 * left % senders ? 1 : 0;
        std::uint64_t const drawn = source_.below(2 * left / senders + more + 1);
        std::uint64_t const given = std::clamp(drawn, least, std::min(free, left));
        left -= given;
        graph_.row_offsets[task + 1] = children_[task] + given;
      }
    }
    for (std::size_t task = 0; task < num_tasks_; ++task) {
      graph_.row_offsets[task + 1] += graph_.row_offsets[task];
    }
  }

  void draw_children() {
    std::vector<std::uint32_t>& columns = graph_.columns;
    columns.resize(graph_.row_offsets.back());
    // Tree edges come first. From now on, children_ counts the children that each row holds.
    std::fill(children_.begin(), children_.end(), 0);
    for (std::uint32_t task = starts_[1]; task < num_tasks_; ++task) {
      std::uint32_t const parent = parents_[task];
      columns[graph_.row_offsets[parent] + children_[parent]++] = task;
    }
    num_parents_.assign(num_tasks_, 1);
    // The rows hold the tree. From now on, parents_ holds the last task that took each child.
    parents_.assign(num_tasks_, num_tasks_);
    for (std::size_t i = 0; i + 1 < num_levels_; ++i) {
      // With a bound, late tasks draw first, because they have few possible children.
      std::size_t const level = is_bounded() ? num_levels_ - 2 - i : i;
      for (std::uint32_t task = starts_[level]; task < starts_[level + 1]; ++task) {
        draw_row(task, starts_[level + 1], end_of_reach(level));
      }
    }
  }

  // Fills a task's row with children from begin .. end - 1 that are not in it yet.
  void draw_row(std::uint32_t task, std::uint32_t begin, std::uint32_t end) {
    std::uint32_t* const first = graph_.columns.data() + graph_.row_offsets[task];
    std::uint32_t* const last = graph_.columns.data() + graph_.row_offsets[task + 1];
    std::uint32_t* to = first + children_[task];
    std::vector<std::uint32_t>& taken_by = parents_;
    for (std::uint32_t const* child = first; child != to; ++child) taken_by[*child] = task;
    std::uint32_t const width = end - begin;
    if (is_bounded() || last - first <= width / 2) {
      // Without a bound, at least half of the range is free, so at least half of the draws find a
      // new child.
      for (int vain = 0; to != last && (!is_bounded() || vain < most_vain_draws);) {
        std::uint32_t const child = begin + static_cast<std::uint32_t>(source_.below(width));
        if (taken_by[child] == task || num_parents_[child] == degree_) {
          ++vain;
          continue;
        }
        taken_by[child] = task;
        ++num_parents_[child];
        *to++ = child;
      }
    } else {
      // Selection sampling: one pass over a range less than twice as long as the row.
      std::uint64_t left = width - static_cast<std::uint64_t>(to - first);
      for (std::uint32_t child = begin; to != last; ++child) {
        if (taken_by[child] == task) continue;
        if (source_.below(left--) < static_cast<std::uint64_t>(last - to)) *to++ = child;
      }
    }
    children_[task] = static_cast<std::uint32_t>(to - first);
    std::sort(first, to);
  }

  // Removes the room that rows have left. children_ counts the children of each row.
  void close_gaps() {
    std::uint64_t end = 0;
    for (std::size_t task = 0; task < num_tasks_; ++task) {
      auto const from =
          graph_.columns.begin() + static_cast<std::ptrdiff_t>(graph_.row_offsets[task]);
      std::copy_n(from, children_[task], graph_.columns.begin() + static_cast<std::ptrdiff_t>(end));
      graph_.row_offsets[task] = end;
      end += children_[task];
    }
    graph_.row_offsets.back() = end;
    graph_.columns.resize(end);
  }

  static constexpr int most_vain_draws = 64;

  std::vector<std::uint32_t> starts_;
  std::size_t num_levels_;
  std::uint32_t num_tasks_;
  /// Largest number of levels that an edge crosses, at least 1.
  std::uint64_t jump_;
  /// Largest number of children and of parents of a task.
  std::uint64_t degree_;
  random_source& source_;
  std::vector<std::uint32_t> parents_;
  /// Number of children of each task in the tree.
  std::vector<std::uint32_t> children_;
  /// Number of parents of each task, which only a bound asks for.
  std::vector<std::uint32_t> num_parents_;
  csr_graph graph_;
};

}  // namespace

csr_graph make_random(generator_arguments const& keys, std::uint32_t processors,
                      random_source source) {
  std::uint64_t const tasks = keys.whole("v", 1, most_tasks);
  double const alpha = keys.real("alpha", 1e-6, 1e6);
  double const beta = keys.real("beta", 0, static_cast<double>(most_edges));
  std::uint64_t const jump = keys.whole("jump", 0, most_tasks);
  require_memory(keys.generator(), tasks, 0, processors);
  std::uint64_t const asked = keys.whole("degree", 0, most_tasks);
  std::uint64_t const degree = asked == 0 ? tasks : asked;
  random_graph graph{draw_levels(tasks, alpha, degree, source), jump, degree, source};
  auto const wanted = static_cast<std::uint64_t>(std::round(beta * static_cast<double>(tasks)));
  std::uint64_t const edges = std::min(wanted, graph.room());
  if (edges > most_edges) {
    throw usage_error(keys.generator() + ": beta: expected at most " + std::to_string(most_edges) +
                      " edges, got " + std::to_string(edges));
  }
  require_memory(keys.generator(), tasks, std::max(edges, graph.tree_edges()), processors);
  return graph.make(edges);
}

}  // namespace gridloom::pets
