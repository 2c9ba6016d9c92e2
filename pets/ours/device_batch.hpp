#pragma once
// Many small graphs at once on a device (kernels/batch.hpp): levels, ranks, order, and placements
// by append. All numbers equal those of priorities.hpp and selection.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "pets/ours/kernels/batch_large.hpp"
#include "pets/priorities.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/schedule.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

// A batch: the disjoint union of many small graphs, for parameter studies that schedule all graphs
// at once.

/// Graphs with the same number of processors. Tasks begins[g] to begins[g + 1] - 1 of `all` belong
/// to graph g, in the graph's own order. Names are omitted. Threads may read at the same time.
struct graph_batch {
  task_graph all;
  /// First task of each graph; number of graphs + 1 entries.
  std::vector<std::uint32_t> begins{0};
  std::uint32_t most_tasks = 0;
  /// Largest sum of the costs and weights of a graph.
  time_value most_total = 0;

  [[nodiscard]] std::uint32_t num_graphs() const {
    return static_cast<std::uint32_t>(begins.size() - 1);
  }
  [[nodiscard]] std::uint32_t tasks_of(std::uint32_t graph) const {
    return begins[graph + 1] - begins[graph];
  }
};

/// Joins make(0) to make(count - 1), one after another. Throws usage_error "batch: expected ...,
/// got ..." if there is no graph, or if numbers of processors differ. Also throws if the number
/// of all tasks or of all edges exceeds 32 bits. Cost: linear.
[[nodiscard]] graph_batch make_batch(std::size_t count,
                                     std::function<task_graph(std::size_t)> const& make);

/// A copy of one graph, with tasks numbered from 0.
[[nodiscard]] task_graph graph_of(graph_batch const& batch, std::uint32_t graph);

/// Graphs and results on the device. The graph_batch may be freed after construction. Used by one
/// thread.
class device_batch {
 public:
  /// Largest number of tasks of a graph. The largest number of processors is most_batch_processors.
  static constexpr std::uint32_t most_tasks = std::uint32_t{1} << 24U;
  /// Largest number of tasks of graphs in shared memory. If one graph is larger, all graphs use the
  /// device's memory.
  static constexpr std::uint32_t most_tasks_in_shared_memory = 1024;

  /// Blocks have at most `threads` threads; 0 means the best number. They have fewer if shared
  /// memory has no room for so many warps. Throws usage_error "batch: expected ..., got ..." if a
  /// graph has too many tasks or processors.
  device_batch(device& machine, graph_batch const& batch, int workers = 0, int threads = 0);

  /// Launches the computation of levels, ranks and order, and does not wait.
  void priorities() { launch(false); }
  /// Launches the computation of levels, ranks, order and placements, and does not wait.
  void whole() { launch(true); }

  /// Overwrites all results, so a test sees if a launch omits some.
  void clear();

  struct found_priorities {
    std::vector<std::uint32_t> level;
    std::vector<time_value> rank;
    /// The orders of all graphs, one after another. Task numbers count through the whole batch.
    std::vector<std::uint32_t> order;
  };
  [[nodiscard]] found_priorities result() const;
  /// Placements after whole(). `batch` is the one that was passed to the constructor.
  [[nodiscard]] std::vector<placement> placements(graph_batch const& batch) const;

  /// Whether times have 64 bits. They do if a graph's costs and weights add up to more than
  /// most_narrow_total, or if a graph exceeds shared memory.
  [[nodiscard]] bool is_wide() const { return wide_; }
  /// Shape of the launches of whole(), or of priorities().
  [[nodiscard]] launch_shape shape(bool whole) const { return shapes_[whole ? 1 : 0]; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void launch(bool whole);
  [[nodiscard]] launch_shape best_shape(bool whole, int workers, int threads) const;
  template <class Body>
  void with_kernel(bool whole, Body&& body) const;

  /// Memory of graphs that are too large for shared memory.
  struct large_memory {
    large_memory(device& machine, std::size_t tasks, std::size_t graphs, std::size_t processors);
    [[nodiscard]] large_memory_ref ref() const;
    [[nodiscard]] std::size_t bytes() const;

    std::size_t num_tasks;
    std::size_t num_starts;
    /// In this order: ranks, sums of costs, finishes, ends of processors' last tasks.
    buffer<time_value> times;
    /// In this order: processors, queue, order, levels, beginnings of rows and of levels.
    buffer<std::uint32_t> numbers;
  };

  device* machine_;
  bool small_;
  bool large_;
  bool wide_;
  device_graph graphs_;
  buffer<std::uint32_t> begins_;
  buffer<std::uint32_t> taken_;
  buffer<std::uint32_t> levels_;
  buffer<time_value> ranks_;
  buffer<std::uint32_t> order_;
  buffer<time_value> finishes_;
  buffer<std::uint32_t> processors_;
  std::optional<large_memory> memory_;
  std::array<launch_shape, 2> shapes_;
};

}  // namespace gridloom::pets
