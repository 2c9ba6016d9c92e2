#pragma once
// Input of list schedulers. Tasks have an execution time on every processor. Edges have the time of
// a transfer to a successor on another processor. All times are whole numbers (platform.hpp). Sums
// of times fit 63 bits, so no scheduler's total overflows.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::pets {

// Transfer times that depend on the pair of processors.

/// Bandwidths and latencies of all pairs of processors, for a graph whose edges carry data. If a
/// task_graph has links, a schedule uses the times of the pair, and only ranks use the graph's
/// weights. Those weights are computed with the mean latency and bandwidth of all pairs (Topcuoglu
/// et al., section 3).
struct pair_links {
  std::uint32_t num_processors = 0;
  /// Bytes per second, and time before the first byte. Each array has one row per sender and one
  /// column per receiver.
  std::vector<std::uint64_t> bandwidth;
  std::vector<std::uint64_t> latency;
  /// Bytes of each edge, in the order of predecessors.tasks.
  std::vector<std::uint64_t> bytes;

  /// Time of an edge of `predecessors` between two processors, rounded up; 0 on one processor.
  [[nodiscard]] std::uint64_t time(std::uint32_t from, std::uint32_t to, std::size_t edge) const {
    if (from == to) return 0;
    std::size_t const pair = std::size_t{from} * num_processors + to;
    return latency[pair] + scaled(bytes[edge], bandwidth[pair]);
  }
  /// Microseconds for `bytes` bytes at `bytes_per_second` bytes per second. Fits 64 bits for the
  /// values that on_platform accepts.
  [[nodiscard]] static std::uint64_t scaled(std::uint64_t bytes, std::uint64_t bytes_per_second) {
    std::uint64_t const rest = bytes % bytes_per_second * 1'000'000;
    return bytes / bytes_per_second * 1'000'000 + rest / bytes_per_second +
           (rest % bytes_per_second != 0 ? 1 : 0);
  }
};

/// Type of times, costs and ranks. Departure: the thesis has 32 bits.
using time_value = std::uint64_t;

inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 32U) - 2;
inline constexpr std::uint32_t most_processors = 4096;
/// Bound of the sum of all costs plus the sum of weights times the number of processors. HEFT's
/// exact ranks are multiplied by that number.
inline constexpr time_value most_total = (std::uint64_t{1} << 63U) - 1;

/// Neighbours of tasks in compressed rows.
struct adjacency {
  /// Array of number of tasks + 1 offsets.
  std::vector<std::uint32_t> offsets;
  /// Array of one neighbour per edge.
  std::vector<std::uint32_t> tasks;
  /// Array of one weight per edge.
  std::vector<time_value> weights;

  [[nodiscard]] std::span<std::uint32_t const> of(std::uint32_t task) const {
    return {tasks.data() + offsets[task], tasks.data() + offsets[task + 1]};
  }
  [[nodiscard]] std::span<time_value const> weights_of(std::uint32_t task) const {
    return {weights.data() + offsets[task], weights.data() + offsets[task + 1]};
  }
};

struct platform;

/// A checked graph: no cycle, no self edge, no repeated edge. Threads may read at the same time.
struct task_graph {
  std::uint32_t num_tasks = 0;
  std::uint32_t num_processors = 0;
  /// Array of num_tasks rows of num_processors costs.
  std::vector<time_value> costs;
  /// Successors of each task, in the order of the input.
  adjacency successors;
  /// Predecessors of each task, ascending.
  adjacency predecessors;
  /// Whether every edge goes from a smaller to a larger number.
  bool ascends = false;
  /// One name per task, or empty.
  std::vector<std::string> names;
  /// Unit of costs and weights: "us", or "1" if the file or generator names none.
  std::string unit = "1";
  /// Set if transfer times depend on the pair of processors.
  std::optional<pair_links> links;
  /// Description of the processors for people, such as "4 processors alike, 100 MB/s".
  std::string platform_text;

  [[nodiscard]] std::span<time_value const> costs_of(std::uint32_t task) const {
    return {costs.data() + std::size_t{task} * num_processors, num_processors};
  }
  /// Transfer time of an edge of `predecessors` from one processor to another.
  [[nodiscard]] time_value transfer(std::uint32_t from, std::uint32_t to, std::size_t edge) const {
    if (from == to) return 0;
    return links ? links->time(from, to, edge) : predecessors.weights[edge];
  }
  [[nodiscard]] std::uint64_t num_edges() const { return successors.tasks.size(); }
  /// The task's name, or its number.
  [[nodiscard]] std::string name_of(std::uint32_t task) const;
};

/// Whether check_dag has already checked the edges.
enum class edges_are { new_ones, checked };

/// Makes a graph and checks it. `weights` has one entry per edge, and `costs` has tasks ×
/// processors entries. Throws usage_error "place: expected ..., got ...", which names the task or
/// edge. Cost: linear.
[[nodiscard]] task_graph make_task_graph(csr_graph const& edges, std::vector<time_value> weights,
                                         std::vector<time_value> costs,
                                         std::uint32_t num_processors, std::string_view place,
                                         std::vector<std::string> names = {},
                                         edges_are state = edges_are::new_ones);

/// Reads a file in the format of datasets/gridloom_datasets/importers/dag_file.py, for the wanted
/// processors. Throws usage_error. Only one thread may call it at a time (HDF5).
[[nodiscard]] task_graph read_task_graph(std::filesystem::path const& path, platform const& wanted);

struct graph_levels {
  /// Level of each task: number of edges on the longest path from an entry.
  std::vector<std::uint32_t> level;
  /// Tasks in topological order, breadth first.
  std::vector<std::uint32_t> topological;
  std::uint32_t num_levels = 0;
};
[[nodiscard]] graph_levels levels_of(task_graph const& graph);

}  // namespace gridloom::pets
