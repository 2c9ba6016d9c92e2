#include "pets/device_order.hpp"

#include <bit>
#include <stdexcept>

#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {
namespace {

// The smallest number of 64-bit keys that hold all values, least significant key first.
std::vector<key_parts> keys_for(largest_values const& largest) {
  auto const bits_of = [](std::uint64_t value) { return static_cast<int>(std::bit_width(value)); };
  int const level = bits_of(largest.level);
  int const rank = bits_of(largest.rank);
  int const cost_sum = bits_of(largest.cost_sum);
  if (level + rank + cost_sum <= 64) {
    return {{true, true, true, level == 0 ? 0 : rank + cost_sum, rank == 0 ? 0 : cost_sum,
             level + rank + cost_sum}};
  }
  key_parts const last{false, false, true, 0, 0, cost_sum};
  if (level + rank <= 64)
    return {last, {true, true, false, level == 0 ? 0 : rank, 0, level + rank}};
  return {last, {false, true, false, 0, 0, rank}, {true, false, false, 0, 0, level}};
}

}  // namespace

device_order::device_order(device& machine, std::uint32_t most_tasks, int workers)
    : machine_(&machine),
      keys_(machine.allocate<std::uint64_t>(most_tasks)),
      places_(machine.allocate<std::uint32_t>(most_tasks)),
      spare_places_(machine.allocate<std::uint32_t>(most_tasks)),
      workers_(workers),
      largest_(machine.allocate<largest_values>(1)),
      order_(machine.allocate<std::uint32_t>(most_tasks)) {}

void device_order::sort(metrics_ref const& by) {
  if (by.num_tasks > keys_.size()) {
    throw std::invalid_argument("device_order: more tasks than the memory is for");
  }
  machine_->fill_bytes(largest_, 0);
  machine_->launch(everywhere(*machine_, workers_), largest_kernel{by, largest_.data()});
  largest_values const largest = machine_->copy_to_host(largest_.data());
  num_tasks_ = by.num_tasks;
  num_levels_ = static_cast<std::uint32_t>(largest.level) + 1;
  levels_ = by.levels;
  bool first = true;
  for (key_parts const& parts : keys_for(largest)) {
    sort_by(parts, by, largest.rank, first);
    first = false;
  }
}

void device_order::sort_by(key_parts const& parts, metrics_ref const& by, time_value largest_rank,
                           bool first) {
  launch_shape const shape = everywhere(*machine_, workers_);
  machine_->launch(
      shape, each(num_tasks_, make_keys{by, parts, largest_rank, first ? nullptr : order_.data(),
                                        keys_.data(), places_.data()}));
  sort_pairs(parts.bits);
  if (!first) {
    machine_->launch(
        shape, each(num_tasks_, reorder{order_.data(), places_.data(), spare_places_.data()}));
    std::swap(places_, spare_places_);
  }
  std::swap(places_, order_);
}

void device_order::sort_pairs(int /*bits*/) {
  launch_shape const shape = everywhere(*machine_, workers_);
  for (bitonic_step step; step.kind != bitonic_kind::done; step = step.next(num_tasks_)) {
    machine_->launch(shape, bitonic_kernel{step, num_tasks_, keys_.data(), places_.data()});
  }
}

std::vector<std::uint32_t> device_order::result() const {
  std::vector<std::uint32_t> order(num_tasks_);
  machine_->copy_to_host(std::span(order), order_.data());
  return order;
}

}  // namespace gridloom::pets
