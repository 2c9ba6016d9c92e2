#pragma once
// One configuration of mhive-overhead: its settings, its counters, and the factory of its work.

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "gridloom/bench/arm.hpp"
#include "gridloom/bench/column.hpp"
#include "layers.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::overhead {

/// Names of the forms, in the order of the enumeration.
inline constexpr std::array<char const*, 6> form_names{"queue",   "enqueue", "individual",
                                                       "grouped", "phases",  "graph"};
/// Values of --worker-size.
inline constexpr int worker_sizes[] = {1, 32, 256};

struct problem {
  device& machine;
  int workers;
  double timeout_s;
};

struct settings {
  overhead::form form = form::queue;
  int worker_size = 32;
  std::uint32_t width = 1;
  std::uint32_t layers = 1;
  /// Number of fused multiply-adds per thread of a task.
  std::int64_t work = 0;

  [[nodiscard]] std::uint64_t tasks() const { return std::uint64_t{width} * layers; }
};

struct counters {
  report done{};
  /// The kernel with the most registers.
  kernel_facts largest{};
};

using row = bench::row_of<problem, settings, counters>;

/// Estimates the bytes of the machine's memory that an arm needs.
[[nodiscard]] std::uint64_t bytes_needed(settings const& what);

/// Makes the work of an arm under a scheduler of MHive. verify() runs the layers once more and
/// counts tasks. It throws wrong_result for tasks that ran out of order or not exactly once.
template <class Scheduler>
[[nodiscard]] std::unique_ptr<bench::work<row>> make_under(problem& of, row const& what);
/// Makes the same layers as one CUDA graph with one kernel per layer; on the host, as a list of
/// calls.
[[nodiscard]] std::unique_ptr<bench::work<row>> make_graph(problem& of, row const& what);

}  // namespace gridloom::mhive::overhead
