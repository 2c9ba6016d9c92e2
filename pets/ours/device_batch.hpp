#pragma once
// Many small graphs at once on a device (kernels/batch.hpp): levels, ranks and order, and
// placements by append, equal to those of priorities.hpp and selection.hpp in every number.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ours/batch.hpp"
#include "ours/kernels/batch_large.hpp"
#include "pets/priorities.hpp"
#include "support/device_graph.hpp"
#include "support/schedule.hpp"

namespace gridloom::pets {

/// Graphs and results on the device; the batch itself is needed no more. One thread.
class device_batch {
 public:
  /// Bounds of one graph: tasks, and processors (most_batch_processors).
  static constexpr std::uint32_t most_tasks = std::uint32_t{1} << 24U;
  /// Of graphs whose words fit shared memory; where one is larger all take the device's memory.
  static constexpr std::uint32_t most_tasks_in_shared_memory = 1024;

  /// `threads` of a block at most, as what a graph needs of shared memory may not leave room for so
  /// many; 0: as many as are best. Throws usage_error "batch: expected ..., got ..." on larger
  /// graphs and on more processors.
  device_batch(device& machine, graph_batch const& batch, int workers = 0, int threads = 0);

  /// Levels, ranks and order. Launches only.
  void priorities() { launch(false); }
  /// The same and placements. Launches only.
  void whole() { launch(true); }

  /// Overwrites all results: what a launch leaves out is seen then.
  void clear();

  /// Of all tasks, graph after graph.
  struct found_priorities {
    std::vector<std::uint32_t> level;
    std::vector<time_value> rank;
    /// Of each graph in its part, tasks numbered in all.
    std::vector<std::uint32_t> order;
  };
  [[nodiscard]] found_priorities result() const;
  /// After whole(); `batch` as it was given.
  [[nodiscard]] std::vector<placement> placements(graph_batch const& batch) const;

  /// Whether times are kept in words of 64 bits: where costs and weights of a graph add up to more
  /// than most_narrow_total, or a graph is too large for shared memory.
  [[nodiscard]] bool is_wide() const { return wide_; }
  /// Of the launches of priorities(), or of whole().
  [[nodiscard]] launch_shape shape(bool whole) const { return shapes_[whole ? 1 : 0]; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void launch(bool whole);
  [[nodiscard]] launch_shape best_shape(bool whole, int workers, int threads) const;
  template <class Body>
  void with_kernel(bool whole, Body&& body) const;

  /// Of graphs that shared memory does not hold; else empty.
  struct large_memory {
    large_memory(device& machine, std::size_t tasks, std::size_t graphs, std::size_t processors);
    [[nodiscard]] large_memory_ref ref() const;
    [[nodiscard]] std::size_t bytes() const;

    std::size_t num_tasks;
    std::size_t num_starts;
    /// ranks, sums of costs, finishes, and when processors are free.
    buffer<time_value> times;
    /// processors, queue, order, levels, begins of rows and of levels.
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
