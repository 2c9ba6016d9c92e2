#pragma once
// Clients of the general scheduler: each has a graph, a body, and data.

#include <cstdint>
#include <memory>
#include <vector>

#include "gridloom/device.hpp"
#include "rivals/graph_runs.hpp"
#include "tiled_qr/general/task_graph.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr::general {

/// A problem, with its data on one machine. Used by one thread.
class client {
 public:
  virtual ~client() = default;
  [[nodiscard]] virtual task_graph const& graph() const = 0;
  /// Returns an executor of the tasks on this data. The client outlives it.
  [[nodiscard]] virtual std::unique_ptr<executor> make_ready(compiled_graph const& graph,
                                                             execution how,
                                                             executor_settings const& settings) = 0;
  /// Restores the data to its state before a run.
  virtual void load() = 0;
  /// Copies the results to the host.
  virtual void fetch() = 0;
  /// Checks the fetched results by an independent computation. `threads` is the number of threads
  /// per block in the run. Throws wrong_result. Returns a residual, or 0 if results are exact.
  virtual double verify(int threads) = 0;
  /// Bytes of the data on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Whether the updates of a tile of a Cholesky factorisation happen in a fixed order (through
/// dependences), or in any order (through conflicts).
enum class updates { in_order, any_order };

inline constexpr char const* updates_names[] = {"in-order", "any-order"};

/// Factorises a column-major matrix by the report's task grid, in blocks of `threads` threads. Uses
/// FR1, or FR2 if there are many tasks; both give the same bits.
std::vector<double> factors_by_grid(device& machine, tiling const& cut,
                                    std::vector<double> const& values, int threads);

/// Returns the tasks of the tiled QR. The payload of each is a tiled_qr::task.
task_graph qr_graph(tiling const& cut);

/// Tiled QR of a random n × n matrix: the report's tasks and operations.
std::unique_ptr<client> make_qr_client(device& machine, std::int64_t n, int tile,
                                       std::uint64_t seed);
/// Tiled Cholesky factorisation of a random symmetric positive definite n × n matrix.
std::unique_ptr<client> make_cholesky_client(device& machine, std::int64_t n, int tile,
                                             updates order, std::uint64_t seed);
/// The example for users: `chunks` chunks of numbers.
std::unique_ptr<client> make_example_client(device& machine, std::uint32_t chunks,
                                            std::uint64_t seed);

/// Makes a column-major symmetric positive definite n × n matrix.
std::vector<double> make_definite(std::int64_t n, std::uint64_t seed);

}  // namespace gridloom::tiled_qr::general
