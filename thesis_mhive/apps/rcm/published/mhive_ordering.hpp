#pragma once
// The published ordering (thesis, 7.3.2) under MHive's schedulers: from given start nodes to the
// order in device memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arm.hpp"
#include "device_graph.hpp"
#include "gridloom/device.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::rcm {

struct ordering_options {
  /// Number of thread blocks or host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
  /// 32 or 64; 0: 32 bits if they suffice, otherwise 64.
  int key_bits = 0;
  /// Largest number of tasks of a type at once; rounded up to a power of two.
  std::uint32_t most_tasks = 1U << 16;
  /// Whether one task orders narrow levels (ours/rcm/narrow_levels.hpp).
  bool merge_narrow_levels = false;
};

struct ordering_report {
  report run;
  /// Time from the start nodes in host memory to the order on the device. It does not include
  /// handling traces.
  double elapsed_ms = 0;
  std::uint32_t num_levels = 0;
  /// The time of each task type, in the order of the phases.
  std::vector<part_time> parts;
};

/// An ordering, with its memory for one graph. Used by one thread.
class mhive_ordering {
 public:
  virtual ~mhive_ordering() = default;
  /// Orders the graph's components, which begin with `starts`, one vertex of each. The result is
  /// that of order_from. `with_parts`: traces the run for the times of the task types, and runs
  /// again if the first trace was too small. Throws run_error when the run fails or takes too long.
  /// Throws std::invalid_argument unless `starts` holds one vertex of every component.
  virtual ordering_report order(device_graph const& graph, std::span<std::uint32_t const> starts,
                                bool with_parts) = 0;
  /// Returns the order of the last run, before it is reversed.
  [[nodiscard]] virtual buffer<std::uint32_t> const& cuthill_mckee() const = 0;
  [[nodiscard]] virtual int key_bits() const = 0;
  /// Bytes of device memory, without the graph and the trace.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// `scheduler` is one of the schedulers' names. `graph` is in host memory. Keys of 32 bits do not
/// suffice for every graph of many vertices and long rows (see key_split.hpp). Keys of 64 bits
/// always do. Throws run_error if `key_bits` is too small, and std::invalid_argument for an unknown
/// scheduler.
[[nodiscard]] std::unique_ptr<mhive_ordering> make_mhive_ordering(device& machine, graph_ref graph,
                                                                  std::string_view scheduler,
                                                                  ordering_options const& options);

namespace detail {

/// Each width of keys has its own source, so that the two compile in parallel.
[[nodiscard]] std::unique_ptr<mhive_ordering> make_ordering_32(device& machine, graph_ref graph,
                                                               std::string_view scheduler,
                                                               ordering_options const& options);
[[nodiscard]] std::unique_ptr<mhive_ordering> make_ordering_64(device& machine, graph_ref graph,
                                                               std::string_view scheduler,
                                                               ordering_options const& options);

}  // namespace detail

}  // namespace gridloom::mhive::rcm
