#include "gridloom/trace.hpp"

#include <algorithm>

namespace gridloom {

trace_buffer::trace_buffer(device& machine, int workers, std::uint32_t capacity)
    : machine_(&machine),
      capacity_(capacity),
      events_(machine.allocate<trace_event>(static_cast<std::size_t>(workers) * capacity)),
      counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers))) {}

trace_ref trace_buffer::arm() {
  machine_->fill_bytes(counts_, 0);
  return {events_.data(), counts_.data(), capacity_, static_cast<std::uint32_t>(counts_.size())};
}

std::vector<traced_task> trace_buffer::events() {
  auto const counts = machine_->copy_to_host(counts_);
  auto const all = machine_->copy_to_host(events_);
  std::vector<traced_task> result;
  for (std::size_t worker = 0; worker < counts.size(); ++worker) {
    for (std::uint32_t k = 0; k < std::min(counts[worker], capacity_); ++k) {
      result.push_back({static_cast<int>(worker), all[worker * capacity_ + k]});
    }
  }
  return result;
}

std::uint64_t trace_buffer::dropped() {
  std::uint64_t sum = 0;
  for (std::uint32_t count : machine_->copy_to_host(counts_))
    sum += count > capacity_ ? count - capacity_ : 0;
  return sum;
}

}  // namespace gridloom
