#pragma once
// Lower bounds on this machine for every algorithm, measured in the same run as the algorithms:
// - bandwidth of copying, and of reading alone, which is faster;
// - latency of a launch;
// - latency of a signal between two workers: a dependence between tasks of two workers;
// - latency of an atomic operation whose result is used: a dependence between tasks of one worker.

#include "gridloom/bench/run_meta.hpp"
#include "gridloom/device.hpp"

namespace gridloom::bench {

/// The best values of several tries. NaN if the host could not start two workers at once.
struct floors {
  /// Bytes read and written in 10^9 per second.
  double copy_gbs;
  double read_gbs;
  /// Time per launch in a sequence of launches.
  double launch_ns;
  /// Time of a signal in one direction.
  double signal_ns;
  double atomic_ns;
};

/// Measures all floors in some tens of milliseconds. `timeout_s` limits the two workers that wait
/// for each other.
[[nodiscard]] floors measure_floors(device& machine, double timeout_s = 5);

/// Sets floor_copy_gbs, floor_read_gbs, floor_launch_ns, floor_signal_ns and floor_atomic_ns.
void set_floors(run_meta& meta, floors const& found);

}  // namespace gridloom::bench
