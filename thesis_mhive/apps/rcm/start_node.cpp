#include "start_node.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "gridloom/host_time_limit.hpp"
#include "new_neighbours.hpp"
#include "prefetch.hpp"

namespace gridloom::mhive::rcm {
namespace {

constexpr char const* work_of_search = "search for the start nodes";

// Makes breadth-first searches of the components, one after the other, with one queue.
class level_search {
 public:
  explicit level_search(graph_ref graph)
      : graph_{graph}, queue_(std::size_t{graph.num_rows} + 1), stamps_(graph.num_rows, 0) {}

  /// Whether the vertex belongs to a component that was searched before.
  [[nodiscard]] bool has_seen(std::uint32_t vertex) const { return stamps_[vertex] != 0; }

  void begin_component() { stamp_ = 0; }

  void run(std::uint32_t start) {
    next_stamp();
    // A local copy, because the compiler must assume that writing a byte may change any member.
    std::uint32_t* const queue = queue_.data();
    std::uint8_t* const stamps = stamps_.data();
    std::uint8_t const stamp = stamp_;
    neighbour_queue neighbours;
    time_checks in_time{work_of_search, vertices_between_checks};
    queue[0] = start;
    stamps[start] = stamp;
    std::uint32_t tail = 1;
    std::uint32_t begin = 0;
    num_levels_ = 0;
    while (begin < tail) {
      ++num_levels_;
      last_begin_ = begin;
      for (std::uint32_t const end = tail; begin < end; ++begin) {
        in_time();
        prefetch_rows(graph_, queue, begin, tail);
        tail = neighbours.append_new(graph_, queue[begin], stamp, stamps, queue, tail);
      }
    }
    size_ = tail;
  }

  // Results of the last search.
  [[nodiscard]] std::uint32_t eccentricity() const { return num_levels_ - 1; }
  [[nodiscard]] std::span<std::uint32_t const> vertices() const { return {queue_.data(), size_}; }
  [[nodiscard]] std::span<std::uint32_t const> last_level() const {
    return vertices().subspan(last_begin_);
  }

 private:
  // Stamps are bytes, so that they stay in the cache. If a component has more searches than a byte
  // can count, all stamps are set to one.
  void next_stamp() {
    if (stamp_ == std::numeric_limits<std::uint8_t>::max()) {
      for (std::uint8_t& stamp : stamps_) stamp = stamp != 0 ? 1 : 0;
      stamp_ = 1;
    }
    ++stamp_;
  }

  graph_ref graph_;
  std::vector<std::uint32_t> queue_;
  /// The last search of its component that found the vertex; 0 if none did.
  std::vector<std::uint8_t> stamps_;
  std::uint8_t stamp_ = 0;
  std::uint32_t num_levels_ = 0;
  std::uint32_t last_begin_ = 0;
  std::uint32_t size_ = 0;
};

std::uint64_t key_of(graph_ref graph, std::uint32_t vertex) {
  return std::uint64_t{degree_of(graph, vertex)} << 32U | vertex;
}

// Returns the vertex of least degree; among equal degrees, the one with the least number.
std::uint32_t least_of(graph_ref graph, std::span<std::uint32_t const> vertices) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t const v : vertices) least = std::min(least, key_of(graph, v));
  return static_cast<std::uint32_t>(least);
}

// Returns the `count` first vertices in the order of degree, then number.
std::vector<std::uint32_t> least_of(graph_ref graph, std::span<std::uint32_t const> vertices,
                                    std::uint32_t count) {
  std::vector<std::uint64_t> keys;
  keys.reserve(vertices.size());
  for (std::uint32_t const v : vertices) keys.push_back(key_of(graph, v));
  auto const most = std::min<std::size_t>(count, keys.size());
  auto const end = keys.begin() + static_cast<std::ptrdiff_t>(most);
  std::partial_sort(keys.begin(), end, keys.end());
  // The low half of a key is the vertex.
  std::vector<std::uint32_t> least(most);
  std::transform(keys.begin(), end, least.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return least;
}

// Searches from the candidates of a start node, one after the other or with several threads.
// Several searches at once are wasted work if the first candidate has a larger eccentricity. They
// are faster if no candidate has one.
class candidate_searches {
 public:
  candidate_searches(graph_ref graph, std::size_t most) : graph_{graph}, most_{most} {
    searches_.emplace_back(graph);
  }

  // Call it before the first search of a component.
  void begin_component() {
    for (level_search& search : searches_) search.begin_component();
  }
  level_search& first() { return searches_.front(); }

  // Returns the search from the first candidate whose eccentricity exceeds found.eccentricity; null
  // if there is none.
  level_search* farther_out(std::vector<std::uint32_t> const& candidates, start_node& found) {
    host_time_limit const* const outer = host_time_limit::in_force();
    // Starting a thread takes as long as searching thousands of vertices.
    constexpr std::size_t worth_a_thread = 20'000;
    bool const is_large = first().vertices().size() >= worth_a_thread;
    std::size_t const at_once = is_large ? most_ : 1;
    while (searches_.size() < std::min(at_once, candidates.size())) searches_.emplace_back(graph_);
    for (std::size_t begin = 0; begin < candidates.size(); begin += at_once) {
      std::size_t const n = std::min(at_once, candidates.size() - begin);
      std::vector<std::future<void>> others;
      for (std::size_t k = 1; k < n; ++k) {
        others.push_back(std::async(std::launch::async, [this, &candidates, begin, k, outer] {
          host_time_limit const limit{outer};
          searches_[k].run(candidates[begin + k]);
        }));
      }
      searches_.front().run(candidates[begin]);
      for (auto& other : others) other.get();
      for (std::size_t k = 0; k < n; ++k) {
        ++found.num_searches;
        found.end = candidates[begin + k];
        if (searches_[k].eccentricity() > found.eccentricity) {
          found.node = candidates[begin + k];
          found.eccentricity = searches_[k].eccentricity();
          return &searches_[k];
        }
      }
    }
    return nullptr;
  }

 private:
  graph_ref graph_;
  std::size_t most_;
  std::deque<level_search> searches_;
};

// Finds a pseudo-peripheral node, after a first search from `first`.
start_node pseudo_peripheral(graph_ref graph, candidate_searches& searches, std::uint32_t first,
                             start_options const& options) {
  level_search* farthest = &searches.first();
  start_node found{first, farthest->eccentricity(), first, 1};
  while (farthest != nullptr) {
    farthest = searches.farther_out(
        least_of(graph, farthest->last_level(), options.most_candidates), found);
  }
  return found;
}

}  // namespace

std::vector<start_node> find_starts(graph_ref graph, start_options const& options, int threads) {
  if (options.most_candidates == 0) {
    throw std::invalid_argument("find_starts: expected at least 1 candidate, got 0");
  }
  bool const is_given = options.strategy == start_strategy::given;
  if (is_given && options.node >= graph.num_rows) {
    throw std::invalid_argument("find_starts: expected a node below " +
                                std::to_string(graph.num_rows) + ", got " +
                                std::to_string(options.node));
  }
  if (threads < 1) {
    throw std::invalid_argument("find_starts: expected at least 1 thread, got " +
                                std::to_string(threads));
  }
  std::vector<start_node> starts;
  candidate_searches searches{
      graph, std::min<std::size_t>(static_cast<std::size_t>(threads), options.most_candidates)};
  level_search& search = searches.first();
  time_checks in_time{work_of_search, vertices_between_checks};
  for (std::uint32_t first = 0; first < graph.num_rows; ++first) {
    in_time();
    if (search.has_seen(first)) continue;
    if (degree_of(graph, first) == 0) {
      starts.push_back({first, 0, first, 0});
      continue;
    }
    bool const is_earlier = is_given && search.has_seen(options.node);
    searches.begin_component();
    search.run(first);
    if (options.strategy == start_strategy::minimum_degree) {
      std::uint32_t const node = least_of(graph, search.vertices());
      starts.push_back({node, node == first ? search.eccentricity() : 0, node, 1});
    } else if (is_given && !is_earlier && search.has_seen(options.node)) {
      std::uint32_t const node = options.node;
      starts.push_back({node, node == first ? search.eccentricity() : 0, node, 1});
    } else {
      starts.push_back(pseudo_peripheral(graph, searches, first, options));
    }
  }
  return starts;
}

std::vector<std::uint32_t> nodes_of(std::vector<start_node> const& starts) {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(starts.size());
  for (start_node const& start : starts) nodes.push_back(start.node);
  return nodes;
}

}  // namespace gridloom::mhive::rcm
