#pragma once
// The schedulers under which a test program runs its cases. The scheduler that launches kernels
// from the device has its own test program, because tools that check kernels cannot handle it.

#include <tuple>

#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::mhive::test {

#if defined(GRIDLOOM_TEST_DEVICE_LAUNCHES)
using test_schedulers = std::tuple<device_controller>;
#else
using test_schedulers = std::tuple<time_sliced, megakernel, resident_controller>;
#endif

/// The scheduler for cases that need only one.
using megakernel_or_only =
    std::tuple_element_t<std::tuple_size_v<test_schedulers> / 2, test_schedulers>;

}  // namespace gridloom::mhive::test
