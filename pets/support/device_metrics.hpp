#pragma once
// Entry discovery, and levels and ranks, on a device (4.3.1 and 4.3.2), by the thesis's kernels and
// by ours: equal to those of priorities.hpp in every number.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "pets/kernels/order.hpp"
#include "pets/priorities.hpp"
#include "support/device_graph.hpp"

namespace gridloom::pets {

/// How a launch is shaped and bounded; 0: as is best.
struct launch_limits {
  double timeout_s = 60;
  int workers = 0;
  int threads = 0;
};

/// A way to find levels and ranks of one graph. One thread.
class device_metrics {
 public:
  virtual ~device_metrics() = default;
  device_metrics(device_metrics const&) = delete;
  device_metrics& operator=(device_metrics const&) = delete;

  /// Entry discovery and all that is set to its first value. In line with launches.
  virtual void discover_entries() = 0;
  /// After it: levels and ranks. Some wait for the device at each level. Throws timeout_error
  /// "timeout: ..." where the host saw that time was up.
  virtual void compute() = 0;
  /// Waits; throws timeout_error "timeout: ..." that names what workers waited for when time
  /// was up.
  virtual void require_done() {}
  /// Kernels that discover_entries and compute launched last.
  [[nodiscard]] virtual std::uint32_t launches() const = 0;
  /// Bytes of all accesses that the two make in this layout, but for repeated looks at words that
  /// are waited for; what the memory system adds or saves is not counted. After compute; may launch
  /// it once more.
  [[nodiscard]] virtual std::uint64_t estimated_bytes() = 0;

  [[nodiscard]] metrics_ref found() const {
    return {num_tasks_, cost_sums_.data(), ranks_.data(), levels_.data()};
  }
  /// Copied to the host.
  [[nodiscard]] priorities result() const;
  /// Overwrites levels and ranks.
  void clear();

 protected:
  device_metrics(device& machine, std::uint32_t num_tasks, launch_limits const& limits);

  device* machine_;
  launch_limits limits_;
  std::uint32_t num_tasks_;
  buffer<time_value> cost_sums_;
  buffer<time_value> ranks_;
  buffer<std::uint32_t> levels_;
};

/// `adjacency`, `transposed`, `rectangular`, `rectangular_vectorised` (the thesis's), `csr` (its
/// loop on compressed rows), `hand_over` and `in_order` (one launch, see kernels/).
[[nodiscard]] std::span<std::string_view const> metrics_methods();

/// Makes one for a graph; `there` holds it on the machine, and may be null for methods that do not
/// read compressed rows. Both must live as long. Throws usage_error where the method does not take
/// the graph: `in_order` wants edges from smaller to larger numbers, matrices at most
/// most_matrix_tasks tasks.
[[nodiscard]] std::unique_ptr<device_metrics> make_device_metrics(std::string_view method,
                                                                  device& machine,
                                                                  task_graph const& graph,
                                                                  device_graph const* there,
                                                                  launch_limits const& limits);

/// Tasks of a matrix, which then takes 2 GiB.
inline constexpr std::uint32_t most_matrix_tasks = 16'384;

/// Whether a method keeps to the graph in compressed rows, and so wants `there`.
[[nodiscard]] bool reads_compressed_rows(std::string_view method);

}  // namespace gridloom::pets
