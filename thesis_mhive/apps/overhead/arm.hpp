#pragma once
// One configuration of the overhead program and what a run of it gives.

#include <cstdint>
#include <memory>
#include <string>

#include "gridloom/bench/arm.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::overhead {

struct arm {
  /// What the plots select by.
  std::string experiment;
  std::string scheduler;
  std::string form;
  int worker_size = 32;
  std::uint32_t width = 1;
  std::uint32_t layers = 1;
  /// Fused multiply-adds a thread.
  std::int64_t work = 0;

  [[nodiscard]] std::uint64_t tasks() const { return std::uint64_t{width} * layers; }
};

struct row {
  arm what;
  int workers = 0;
  /// Of the last run, but for its kernels, of which the one with most registers stands for all.
  report done{};
  kernel_facts largest{};
};

/// An estimate of the bytes of the machine's memory that it takes to make an arm ready.
[[nodiscard]] std::uint64_t bytes_needed(arm const& what);

/// Worker sizes that there are arms of.
inline constexpr int worker_sizes[] = {1, 32, 256};

/// Scheduler, form and worker size are among those that there are. verify() runs the layers once
/// more, counting: throws wrong_result where tasks ran out of order, or not once.
[[nodiscard]] std::unique_ptr<bench::work<row>> make_work(device& machine, arm const& what,
                                                          int workers, double timeout_s);

}  // namespace gridloom::mhive::overhead
