#pragma once
// An application with its data on one machine, as the program runs it under any method.

#include <cstdint>
#include <memory>
#include <string_view>

#include "apps/grid/image.hpp"
#include "gridloom/device.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "juggler/dag.hpp"
#include "juggler/executor.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler {

/// Used by one thread. Its graph is inspected when it is made.
class problem {
 public:
  virtual ~problem() = default;
  [[nodiscard]] virtual task_dag const& dag() const = 0;
  /// What inspection took.
  [[nodiscard]] virtual inspection_times const& inspection() const = 0;
  /// The tasks under a method of methods.hpp, on this data, which the problem outlives.
  [[nodiscard]] virtual std::unique_ptr<executor> make_ready(std::string_view method,
                                                             execution_settings const& how) = 0;
  /// The data as before a run.
  virtual void load() = 0;
  /// The results to the host.
  virtual void fetch() = 0;
  /// Holds what was fetched against a computation of its own. Throws wrong_result. Returns a residual,
  /// or 0 where results are exact.
  virtual double verify() = 0;
  /// Bytes of the data on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

 protected:
  problem() = default;
  problem(problem const&) = delete;
  problem& operator=(problem const&) = delete;
};

/// LU decomposition of a random n × n matrix in tiles of `tile` rows and columns.
[[nodiscard]] std::unique_ptr<problem> make_lud(device& machine, std::int64_t rows, int tile,
                                                std::uint64_t seed);
/// Dynamic time warping of two random walks of `length` elements, in tiles as well.
[[nodiscard]] std::unique_ptr<problem> make_dtw(device& machine, std::int64_t length, int tile,
                                                std::uint64_t seed);
/// Summed area table of an image, as a task graph or by `look_back`. Throws usage_error where sums
/// would not fit 32 bits.
[[nodiscard]] std::unique_ptr<problem> make_sat(device& machine,
                                                std::shared_ptr<grey_image const> image, int tile);
/// Integral histogram of an image, in so many bins of equal width.
[[nodiscard]] std::unique_ptr<problem> make_int_hist(device& machine,
                                                     std::shared_ptr<grey_image const> image,
                                                     int tile, int bins);
/// Heat simulation and Jacobi iteration over a random field of n × n, so many steps of each.
[[nodiscard]] std::unique_ptr<problem> make_heat(device& machine, std::int64_t rows, int tile,
                                                 int steps, std::uint64_t seed);
/// The second as a task graph or by `temporal`.
[[nodiscard]] std::unique_ptr<problem> make_jacobi(device& machine, std::int64_t rows, int tile,
                                                   int steps, std::uint64_t seed);
/// Any graph. A task keeps its worker busy for `work_ns`, and leaves a value that shows whether it
/// ran once and after its parents.
[[nodiscard]] std::unique_ptr<problem> make_graph(device& machine, csr_graph const& graph,
                                                  std::int64_t work_ns);

}  // namespace gridloom::juggler
