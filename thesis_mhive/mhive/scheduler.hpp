#pragma once
// The interface of schedulers: their limits and their reports.
//
// A scheduler is a struct with a `name`, `counts_tasks` (see run_ref) and
//
//   template <class Queue, class Data, class Machine>
//   static void run(Machine&, run_ref<Queue, Data, counts_tasks> const&,
//                   buffer<run_words<Queue>> const&, run_limits const&, report&);
//
// The function executes tasks until none is left. The machine is a template parameter, since its
// launches exist only where nvcc compiles (gridloom/device.hpp).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "mhive/run_ref.hpp"

namespace gridloom::mhive {

struct run_limits {
  /// Number of blocks at once, or of host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
};

/// Facts about a compiled kernel of a scheduler, for some task types.
struct kernel_report {
  std::string types;
  kernel_facts facts;
};

/// The report of a run.
struct report {
  double elapsed_ms = 0;
  /// Blocks of the largest launch by the host; 0 if it launches no task.
  int blocks = 0;
  std::uint64_t phase_changes = 0;
  /// Number of rounds of the controller; 0 without one.
  std::uint64_t rounds = 0;
  /// Number of kernels that a controller launched.
  std::uint64_t launches = 0;
  /// Largest number of warps that a controller on the device had launched at once.
  std::int64_t most_warps = 0;
  /// Whether a task stopped the run.
  bool stopped = false;
  bool timed_out = false;
  std::vector<kernel_report> kernels;
};

template <class Kernel, class Machine>
void add_facts(Machine& machine, std::string types, int threads, report& done) {
  done.kernels.push_back({std::move(types), machine.template facts<Kernel>(threads)});
}

}  // namespace gridloom::mhive
