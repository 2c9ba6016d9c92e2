#pragma once
// One configuration of the overhead program and what a run of it gives.

#include <cstdint>
#include <memory>
#include <string>

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

/// An arm ready to run on a machine: memory and launches are made once.
class bench {
 public:
  virtual ~bench() = default;
  /// All layers. `check`: also that the order was kept; throws run_error if it was not.
  virtual report run(bool check) = 0;
};

/// Throws usage_error on a scheduler, form or worker size that there is not.
std::unique_ptr<bench> make_bench(device& machine, arm const& what, int workers, double timeout_s);

}  // namespace gridloom::mhive::overhead
