#include "validate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace gridloom::mhive::rcm {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

std::string text_of(std::uint32_t number) { return std::to_string(number); }

// Returns the smallest vertex of each vertex's component.
std::vector<std::uint32_t> smallest_reachable(graph_ref graph) {
  std::vector<std::uint32_t> parent(graph.num_rows);
  std::iota(parent.begin(), parent.end(), 0U);
  auto const root_of = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (std::uint32_t v = 0; v < graph.num_rows; ++v) {
    for (std::uint32_t const next : row_of(graph, v)) {
      std::uint32_t const a = root_of(v);
      std::uint32_t const b = root_of(next);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  // A parent is never larger than its child, so roots come first.
  for (std::uint32_t& p : parent) p = parent[p];
  return parent;
}

class order_check {
 public:
  order_check(graph_ref graph, std::span<std::uint32_t const> order, validity const& wanted)
      : graph_{graph}, order_{order}, wanted_{wanted}, distance_(graph.num_rows, none) {}

  std::vector<std::string> faults() {
    if (check_permutation() && check_components()) {
      for (auto const& [begin, end] : blocks_) check_block(begin, end);
    }
    if (more_ > 0) faults_.push_back("and " + std::to_string(more_) + " more");
    return std::move(faults_);
  }

 private:
  void add(std::string fault) {
    if (faults_.size() < wanted_.most_faults) {
      faults_.push_back(std::move(fault));
    } else {
      ++more_;
    }
  }

  [[nodiscard]] bool is_sound() const { return faults_.empty() && more_ == 0; }

  bool check_permutation() {
    if (order_.size() != graph_.num_rows) {
      add("permutation: expected " + text_of(graph_.num_rows) + " vertices, got " +
          std::to_string(order_.size()));
      return false;
    }
    place_.assign(graph_.num_rows, none);
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      std::uint32_t const v = order_[k];
      if (v >= graph_.num_rows) {
        add("permutation: place " + text_of(k) + " holds " + text_of(v) + ", not a vertex below " +
            text_of(graph_.num_rows));
      } else if (place_[v] != none) {
        add("permutation: vertex " + text_of(v) + " is at place " + text_of(place_[v]) +
            " and again at " + text_of(k));
      } else {
        place_[v] = k;
      }
    }
    return is_sound();
  }

  bool check_components() {
    std::vector<std::uint32_t> const component = smallest_reachable(graph_);
    std::vector<bool> is_begun(graph_.num_rows, false);
    std::uint32_t previous = 0;
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      std::uint32_t const smallest = component[order_[k]];
      if (k > 0 && smallest == component[order_[k - 1]]) {
        blocks_.back().second = k + 1;
        continue;
      }
      if (is_begun[smallest]) {
        add("components: place " + text_of(k) + " returns to the component of vertex " +
            text_of(smallest));
      }
      is_begun[smallest] = true;
      if (wanted_.strict && smallest < previous) {
        add("component order: the component of vertex " + text_of(smallest) +
            " comes after that of vertex " + text_of(previous) + ", at place " + text_of(k));
      }
      previous = smallest;
      blocks_.emplace_back(k, k + 1);
    }
    return is_sound();
  }

  // Returns the vertices by level, and fills in their distances.
  std::vector<std::uint32_t> measure_levels(std::uint32_t start,
                                            std::vector<std::uint32_t>& distance) const {
    std::vector<std::uint32_t> reached{start};
    distance[start] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      std::uint32_t const v = reached[k];
      for (std::uint32_t const next : row_of(graph_, v)) {
        if (distance[next] != none) continue;
        distance[next] = distance[v] + 1;
        reached.push_back(next);
      }
    }
    return reached;
  }

  void check_block(std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> const by_level = measure_levels(order_[begin], distance_);
    if (wanted_.starts) check_start(begin, end, by_level);
    std::uint32_t previous_parent = begin;
    for (std::uint32_t k = begin + 1; k < end; ++k) {
      std::uint32_t const v = order_[k];
      std::uint32_t const before = order_[k - 1];
      std::uint32_t const parent = first_neighbour(v);
      if (distance_[v] < distance_[before]) {
        add("levels: vertex " + text_of(v) + " of level " + text_of(distance_[v]) + " at place " +
            text_of(k) + " comes after vertex " + text_of(before) + " of level " +
            text_of(distance_[before]));
      } else if (distance_[v] == distance_[before]) {
        check_within_level(k, parent, previous_parent);
      }
      previous_parent = parent;
    }
  }

  void check_within_level(std::uint32_t k, std::uint32_t parent, std::uint32_t previous_parent) {
    std::uint32_t const v = order_[k];
    std::uint32_t const before = order_[k - 1];
    if (parent < previous_parent) {
      add("first parents: vertex " + text_of(v) + " at place " + text_of(k) +
          " has its first parent at place " + text_of(parent) + ", vertex " + text_of(before) +
          " before it at place " + text_of(previous_parent));
      return;
    }
    if (parent > previous_parent) return;
    std::uint32_t const degree = degree_of(graph_, v);
    std::uint32_t const degree_before = degree_of(graph_, before);
    if (degree < degree_before) {
      add("degrees: vertex " + text_of(v) + " of degree " + text_of(degree) + " at place " +
          text_of(k) + " comes after its sibling " + text_of(before) + " of degree " +
          text_of(degree_before));
    } else if (wanted_.strict && degree == degree_before && v < before) {
      add("ties: vertex " + text_of(v) + " at place " + text_of(k) + " comes after its sibling " +
          text_of(before) + " of the same degree");
    }
  }

  // In an order by levels, the first parent is the first of the neighbours in the order.
  [[nodiscard]] std::uint32_t first_neighbour(std::uint32_t v) const {
    std::uint32_t first = none;
    for (std::uint32_t const next : row_of(graph_, v)) {
      if (next != v) first = std::min(first, place_[next]);
    }
    return first;
  }

  void check_start(std::uint32_t begin, std::uint32_t end,
                   std::vector<std::uint32_t> const& by_level) {
    std::uint32_t const start = order_[begin];
    start_strategy strategy = wanted_.starts->strategy;
    if (strategy == start_strategy::given) {
      std::uint32_t const place = place_[wanted_.starts->node];
      if (place == begin) return;
      if (begin < place && place < end) {
        add("start node: expected vertex " + text_of(wanted_.starts->node) + " at place " +
            text_of(begin) + ", got " + text_of(start));
        return;
      }
      strategy = start_strategy::pseudo_peripheral;
    }
    if (strategy == start_strategy::minimum_degree) {
      check_least_degree(begin, end);
    } else {
      check_pseudo_peripheral(by_level);
    }
  }

  void check_least_degree(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const start = order_[begin];
    for (std::uint32_t k = begin + 1; k < end; ++k) {
      std::uint32_t const v = order_[k];
      std::uint32_t const degree = degree_of(graph_, v);
      std::uint32_t const least = degree_of(graph_, start);
      if (degree > least || (degree == least && (!wanted_.strict || v > start))) continue;
      add("start node: expected a vertex of least degree, got vertex " + text_of(start) +
          " of degree " + text_of(least) + " where vertex " + text_of(v) + " has degree " +
          text_of(degree));
      return;
    }
  }

  void check_pseudo_peripheral(std::vector<std::uint32_t> const& by_level) {
    std::uint32_t const start = by_level.front();
    std::uint32_t const eccentricity = distance_[by_level.back()];
    std::vector<std::uint32_t> last;
    for (std::uint32_t const v : by_level) {
      if (distance_[v] == eccentricity) last.push_back(v);
    }
    std::sort(last.begin(), last.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair{degree_of(graph_, a), a} < std::pair{degree_of(graph_, b), b};
    });
    std::size_t const most = wanted_.starts->most_candidates;
    if (last.size() > most) last.resize(most);
    trial_.resize(graph_.num_rows, none);
    for (std::uint32_t const candidate : last) {
      std::vector<std::uint32_t> const reached = measure_levels(candidate, trial_);
      std::uint32_t const found = trial_[reached.back()];
      for (std::uint32_t const v : reached) trial_[v] = none;
      if (found <= eccentricity) continue;
      add("start node: expected a pseudo-peripheral vertex, got vertex " + text_of(start) +
          " of eccentricity " + text_of(eccentricity) + " where vertex " + text_of(candidate) +
          " of its last level has " + text_of(found));
      return;
    }
  }

  graph_ref graph_;
  std::span<std::uint32_t const> order_;
  validity const& wanted_;
  std::vector<std::uint32_t> place_;
  /// Distance of each vertex from the first vertex of its component.
  std::vector<std::uint32_t> distance_;
  /// Distance of each vertex from a candidate. All are `none` between two candidates.
  std::vector<std::uint32_t> trial_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks_;
  std::vector<std::string> faults_;
  std::size_t more_ = 0;
};

}  // namespace

std::vector<std::string> faults_of(graph_ref graph, std::span<std::uint32_t const> cuthill_mckee,
                                   validity const& wanted) {
  if (wanted.starts && wanted.starts->most_candidates == 0) {
    throw std::invalid_argument("faults_of: expected at least 1 candidate, got 0");
  }
  if (wanted.starts && wanted.starts->strategy == start_strategy::given &&
      wanted.starts->node >= graph.num_rows) {
    throw std::invalid_argument("faults_of: expected a node below " + text_of(graph.num_rows) +
                                ", got " + text_of(wanted.starts->node));
  }
  return order_check{graph, cuthill_mckee, wanted}.faults();
}

}  // namespace gridloom::mhive::rcm
