#pragma once
// What bounds any algorithm on this machine from below, measured in the run that quotes it: the
// bandwidth of copying and of reading, the latency of a launch, of a signal between two workers
// (the hop of a dependence that changes workers), and of an atomic operation whose result is used
// (the hop of a dependence that is continued in place). A floor is of the traffic that the work
// has: reading is quicker than copying.

#include "gridloom/bench/run_meta.hpp"
#include "gridloom/device.hpp"

namespace gridloom::bench {

/// The best of some tries each, because a floor is the least that was seen; NaN where the host
/// could not start two workers at once.
struct floors {
  double copy_gbs;  // bytes read and written, in 10^9 a second
  double read_gbs;
  double launch_ns;  // of one kernel in a row of launches
  double signal_ns;  // one way
  double atomic_ns;
};

/// Measures all; some tens of milliseconds. `timeout_s` bounds the two workers that wait for each
/// other.
[[nodiscard]] floors measure_floors(device& machine, double timeout_s = 5);

/// Sets floor_copy_gbs, floor_read_gbs, floor_launch_ns, floor_signal_ns and floor_atomic_ns.
void set_floors(run_meta& meta, floors const& found);

}  // namespace gridloom::bench
