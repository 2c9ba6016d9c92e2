#pragma once
// Entry discovery, levels and ranks, and the order of PETS on a device (4.3.1 to 4.3.3): equal to
// those of priorities.hpp in every number.

#include <cstdint>
#include <string_view>

#include "gridloom/sort/radix.hpp"
#include "gridloom/watchdog.hpp"
#include "pets/device_graph.hpp"
#include "pets/kernels/hand_over.hpp"
#include "pets/kernels/order.hpp"
#include "pets/priorities.hpp"

namespace gridloom::pets {

/// How levels and ranks are found.
enum class level_method {
  in_order,   // see kernels/in_order.hpp; graphs whose edges ascend only
  hand_over,  // see kernels/hand_over.hpp
};

/// Memory for graphs of up to a number of tasks; one thread.
class device_priorities {
 public:
  device_priorities(device& machine, std::uint32_t most_tasks, double timeout_s, int workers = 0,
                    int threads = 0);

  /// Finds levels and ranks. Throws usage_error where the method does not take the graph,
  /// std::invalid_argument on more tasks than there is memory for.
  void find(device_graph const& graph, level_method how);
  /// Sorts, after find. One look of the host: at the largest values, for the number of bits. Throws
  /// run_error that names what workers waited for when find's time was up.
  void sort();

  [[nodiscard]] priorities result() const;
  [[nodiscard]] std::vector<std::uint32_t> order() const;
  [[nodiscard]] std::uint32_t const* order_on_device() const { return order_.data(); }
  [[nodiscard]] std::uint32_t const* levels_on_device() const { return levels_.data(); }
  [[nodiscard]] std::uint32_t num_levels() const { return num_levels_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] launch_shape everywhere() const;
  [[nodiscard]] launch_shape resident(int blocks_per_multiprocessor, int threads,
                                      int resident_blocks) const;

  device* machine_;
  int workers_;
  int threads_;
  std::uint32_t num_tasks_ = 0;
  std::uint32_t num_levels_ = 0;
  buffer<time_value> cost_sums_;
  buffer<time_value> own_;
  buffer<time_value> ranks_;
  buffer<std::uint32_t> levels_;
  buffer<tagged<time_value>> found_;
  buffer<std::uint32_t> missing_;
  buffer<std::uint32_t> queue_;
  buffer<std::uint32_t> words_;  // tail, head, done, next
  buffer<largest_values> largest_;
  buffer<std::uint64_t> keys_;
  buffer<std::uint64_t> sorted_keys_;
  buffer<std::uint32_t> tasks_;
  buffer<std::uint32_t> order_;
  radix_sorter sorter_;
  watchdog dog_;
};

}  // namespace gridloom::pets
