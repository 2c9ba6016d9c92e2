#pragma once
// The order of PETS on a device (4.3.3): that of order_of, ties included.

#include <cstdint>
#include <vector>

#include "gridloom/sort/radix.hpp"
#include "pets/kernels/order.hpp"

namespace gridloom::pets {

enum class sort_method {
  /// The thesis's, a launch a step.
  bitonic,
  /// CUB's.
  radix,
};

/// Tasks in their order, on a machine.
struct ordered_tasks_ref {
  std::uint32_t num_levels;
  /// Tasks.
  std::uint32_t const* order;
  /// Of each task.
  std::uint32_t const* levels;
};

/// Memory for up to a number of tasks; one thread.
class device_order {
 public:
  device_order(device& machine, std::uint32_t most_tasks, int workers = 0);

  /// Sorts. One look of the host: at the largest values, which tell the number of bits. Throws
  /// std::invalid_argument on more tasks than there is memory for.
  void sort(metrics_ref const& by, sort_method how);

  /// Of the metrics that were sorted last, which must still be there.
  [[nodiscard]] ordered_tasks_ref found() const { return {num_levels_, order_.data(), levels_}; }
  /// Copied to the host.
  [[nodiscard]] std::vector<std::uint32_t> result() const;

 private:
  void sort_by(key_parts const& parts, metrics_ref const& by, time_value largest_rank,
               sort_method how, bool first);

  device* machine_;
  int workers_;
  std::uint32_t num_tasks_ = 0;
  std::uint32_t num_levels_ = 0;
  std::uint32_t const* levels_ = nullptr;
  buffer<largest_values> largest_;
  buffer<std::uint64_t> keys_;
  buffer<std::uint64_t> sorted_keys_;
  buffer<std::uint32_t> places_;
  buffer<std::uint32_t> sorted_places_;
  buffer<std::uint32_t> order_;
  radix_sorter sorter_;
};

}  // namespace gridloom::pets
