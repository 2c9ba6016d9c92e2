#pragma once
// The order of PETS on a device (4.3.3). It equals the result of order_of (priorities.hpp), also
// for ties.

#include <cstdint>
#include <vector>

#include "pets/kernels/order.hpp"

namespace gridloom::pets {

/// Tasks in their order, in a device's memory.
struct ordered_tasks_ref {
  std::uint32_t num_levels;
  /// The sorted tasks.
  std::uint32_t const* order;
  std::uint32_t const* levels;
};

/// Sorts up to `most_tasks` tasks, by the thesis's bitonic sort. Owns the memory. Used by one
/// thread.
class device_order {
 public:
  device_order(device& machine, std::uint32_t most_tasks, int workers = 0);
  device_order(device_order const&) = delete;
  device_order& operator=(device_order const&) = delete;
  virtual ~device_order() = default;

  /// Sorts the tasks. The host reads the largest values once; they determine the number of bits of
  /// a key. Throws std::invalid_argument if there are more than `most_tasks` tasks.
  void sort(metrics_ref const& by);

  /// Result of the last sort(). The metrics passed to sort() must still exist.
  [[nodiscard]] ordered_tasks_ref found() const { return {num_levels_, order_.data(), levels_}; }
  /// The order, copied to the host.
  [[nodiscard]] std::vector<std::uint32_t> result() const;

 protected:
  /// Sorts keys_ of this many bits with places_, which ascend at first. Here, one launch per step.
  virtual void sort_pairs(int bits);

  device* machine_;
  std::uint32_t num_tasks_ = 0;
  buffer<std::uint64_t> keys_;
  buffer<std::uint32_t> places_;
  /// As large as places_; to be overwritten.
  buffer<std::uint32_t> spare_places_;

 private:
  void sort_by(key_parts const& parts, metrics_ref const& by, time_value largest_rank, bool first);

  int workers_;
  std::uint32_t num_levels_ = 0;
  std::uint32_t const* levels_ = nullptr;
  buffer<largest_values> largest_;
  buffer<std::uint32_t> order_;
};

}  // namespace gridloom::pets
