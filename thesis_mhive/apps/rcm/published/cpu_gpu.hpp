#pragma once
// The CPU-GPU version (thesis, 7.3.3): the host does everything but sorting, and the machine sorts
// the children of each level.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

/// The start nodes are searched by find_starts, on the host; `workers` has no meaning. The parts
/// are "sort" (a task a sort, with its copies) and "host" (all else). Its memory on the device is
/// that of the sort.
[[nodiscard]] std::unique_ptr<order_arm> make_cpu_gpu_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
