#pragma once
// Methods that find levels and ranks in one launch, from compressed rows.

#include <string>

#include "gridloom/error.hpp"
#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

/// Tasks pass through a queue (kernels/hand_over.hpp).
metrics_factory make_hand_over;
/// Tasks run in the order of their numbers (kernels/in_order.hpp). Throws usage_error unless all
/// edges go from smaller to larger numbers.
metrics_factory make_in_order;

/// Throws usage_error unless a block has whole warps, because lanes exchange values.
inline void require_whole_warps(device const& machine, int threads) {
  if (machine.is_host() || threads % 32 == 0) return;
  throw usage_error("--threads: expected whole warps of 32 threads, got " +
                    std::to_string(threads));
}

}  // namespace gridloom::pets
