#pragma once
// The CPU-GPU version (thesis, 7.3.3): the host does everything but sorting, and the machine sorts
// the children of each level.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

/// find_starts searches for the start nodes on the host, and `workers` has no effect. The parts are
/// "sort" (one task per sort, with its copies) and "host" (the rest). The arm's device memory is
/// the memory of the sort.
[[nodiscard]] std::unique_ptr<order_arm> make_cpu_gpu_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
