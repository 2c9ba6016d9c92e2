#pragma once
// The number of tasks that each worker of a persistent kernel executed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/executor.hpp"

namespace gridloom {

/// Owner of one word per worker, which each run writes. Used by one thread.
class executed_counts {
 public:
  executed_counts(device& machine, int workers)
      : machine_(&machine),
        counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers))) {
    // A graph without tasks is not launched, so no kernel would write the counts.
    machine.fill_bytes(counts_, 0);
  }
  [[nodiscard]] std::uint32_t* data() const { return counts_.data(); }
  [[nodiscard]] std::uint64_t finished() {
    std::vector<std::uint32_t> const counts = machine_->copy_to_host(counts_);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  [[nodiscard]] load_range loads() {
    std::vector<std::uint32_t> const counts = machine_->copy_to_host(counts_);
    auto const [min, max] = std::minmax_element(counts.begin(), counts.end());
    return {*max, *min};
  }
  [[nodiscard]] std::size_t bytes() const { return counts_.bytes(); }

 private:
  device* machine_;
  buffer<std::uint32_t> counts_;
};

}  // namespace gridloom
