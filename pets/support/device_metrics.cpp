#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

device_metrics::device_metrics(device& machine, std::uint32_t num_tasks,
                               launch_limits const& limits)
    : machine_(&machine),
      limits_(limits),
      num_tasks_(num_tasks),
      cost_sums_(machine.allocate<time_value>(num_tasks)),
      ranks_(machine.allocate<time_value>(num_tasks)),
      levels_(machine.allocate<std::uint32_t>(num_tasks)) {}

priorities device_metrics::result() const {
  priorities found{machine_->copy_to_host(levels_), machine_->copy_to_host(ranks_)};
  for (std::uint32_t const level : found.level) {
    found.num_levels = std::max(found.num_levels, level + 1);
  }
  return found;
}

void device_metrics::clear() {
  machine_->fill_bytes(ranks_, 0xab);
  machine_->fill_bytes(levels_, 0xab);
}

}  // namespace gridloom::pets
