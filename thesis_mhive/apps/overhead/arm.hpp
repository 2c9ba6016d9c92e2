#pragma once
// One configuration of the overhead program and what a run of it gives.

#include <cstdint>
#include <memory>
#include <string>

#include "gridloom/error.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::overhead {

struct arm {
  std::string experiment;  // what the plots select by
  std::string scheduler;
  std::string form;
  int worker_size = 32;
  std::uint32_t width = 1;
  std::uint32_t layers = 1;
  std::int64_t work = 0;  // fused multiply-adds a thread
};

/// Tasks ran out of order, or another number of times than once.
struct wrong_order : run_error {
  using run_error::run_error;
};

/// An arm ready to run on a machine: memory and launches are made once.
class bench {
 public:
  virtual ~bench() = default;
  /// All layers. `check`: also that the order was kept; throws wrong_order if it was not. Throws
  /// run_error as program::run does.
  virtual report run(bool check) = 0;
};

/// An estimate of the bytes of the machine's memory that it takes to make an arm ready.
[[nodiscard]] std::uint64_t bytes_needed(arm const& what);

/// Worker sizes that there are arms of.
inline constexpr int worker_sizes[] = {1, 32, 256};

/// Scheduler, form and worker size are among those that there are.
std::unique_ptr<bench> make_bench(device& machine, arm const& what, int workers, double timeout_s);

}  // namespace gridloom::mhive::overhead
