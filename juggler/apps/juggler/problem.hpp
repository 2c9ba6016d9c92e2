#pragma once
// The interface between an application with its data on one machine and the program.

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/grid/image.hpp"
#include "apps/lud/input.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "juggler/dag.hpp"
#include "juggler/executor.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler {

/// Which tile kernels the tasks of an application use. `loops` are the loops of the OpenMP sources
/// in examples/apps, as juggler-cc translates them. With these, a translated program and this one
/// differ only in the translation.
enum class kernel_kind { own, loops };

/// How results are checked. `all`: the host has the input and compares all results. `sampled`: for
/// data that the host cannot hold. Inputs are made on the machine, some tiles are computed again,
/// and the methods' results are compared by hashes (grid/large.hpp).
enum class checking { all, sampled };

/// The first results that passed the check of everything. Results of the same bits are right, too,
/// so the serial version runs once for all methods.
template <class T>
class checked_results {
 public:
  /// Calls check(), which throws wrong_result, unless results with the same bits have passed.
  template <class Check>
  void require(Check const& check, std::vector<T> const& found) {
    if (!right_.empty() && right_.size() == found.size() &&
        std::memcmp(right_.data(), found.data(), found.size() * sizeof(T)) == 0)
      return;
    check();
    if (right_.empty()) right_ = found;
  }

 private:
  std::vector<T> right_;
};

/// Numbers from a run besides its residual. They are empty if the application does not have them.
struct result_facts {
  /// sw: the highest score, its row and its column, from 1 on. 0 if no score is above 0.
  std::optional<std::int64_t> score{}, end_row{}, end_col{};
  /// dtw: the cost of the whole match.
  std::optional<double> distance{};
  /// Elements per run of the method `floor`.
  std::optional<double> floor_elements{};
  /// lud: operations per run of a method that does not decompose the matrix.
  std::optional<double> flops{};
};

/// Used by one thread. The constructor runs the inspection, which makes the graph.
class problem {
 public:
  virtual ~problem() = default;
  [[nodiscard]] virtual task_dag const& dag() const = 0;
  /// Repeats the inspection by this rule. The graph of dag() does not change.
  [[nodiscard]] virtual inspection_times inspect(range_matching matching) const = 0;
  /// Makes an executor for a method of arms.cpp, on this data. The problem must outlive it.
  [[nodiscard]] virtual std::unique_ptr<executor> make_ready(std::string_view method,
                                                             execution_settings const& how) = 0;
  /// Sets the data to its state before a run.
  virtual void load() = 0;
  /// Copies the results to the host.
  virtual void fetch() = 0;
  /// Compares the fetched results with a computation on the host. Throws wrong_result. Returns a
  /// residual, or 0 if results are exact.
  virtual double verify() = 0;
  /// Numbers of the last run whose results were fetched.
  [[nodiscard]] virtual result_facts results() const { return {}; }
  /// Bytes of the data on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

 protected:
  problem() = default;
  problem(problem const&) = delete;
  problem& operator=(problem const&) = delete;
};

/// Throws usage_error if a tile has more rows than the application's kernels support.
inline void require_tile(std::string const& app, int tile, int largest) {
  if (tile > largest)
    throw usage_error("--tile: expected at most " + std::to_string(largest) + " for " + app +
                      ", got " + std::to_string(tile));
}

/// Throws usage_error if a tile has more rows than a part and does not consist of whole parts.
inline void require_parts(std::string const& app, int tile, int part) {
  if (tile > part && tile % part != 0)
    throw usage_error("--tile: expected at most " + std::to_string(part) +
                      " or a multiple of it for " + app + ", got " + std::to_string(tile));
}

// Objects passed by reference must outlive the problem. `kernel_kind::loops` needs whole tiles, and
// has only the methods of methods_of_loops (methods.hpp).

/// LU decomposition of a matrix in square tiles. `cusolver` takes the whole matrix. Without values,
/// the matrix is lud::random_dominant, and results are checked by samples.
[[nodiscard]] std::unique_ptr<problem> make_lud(device& machine, lud::input const& given, int tile,
                                                kernel_kind kernels = kernel_kind::own);
/// Dynamic time warping of two series. A lane has 2 or 4 columns; with 0, the tile's size decides.
[[nodiscard]] std::unique_ptr<problem> make_dtw(device& machine, dtw::input const& given, int tile,
                                                int lane_columns = 0, checking how = checking::all);
/// Smith-Waterman alignment of two sequences, with the parameters of make_dtw().
[[nodiscard]] std::unique_ptr<problem> make_sw(device& machine, sw::input const& given, int tile,
                                               int lane_columns = 0, checking how = checking::all);
/// Summed area table of an image. Without pixels, as in make_int_hist(), the image is its random
/// one, and results are checked by samples. Sums are modulo 2^32.
[[nodiscard]] std::unique_ptr<problem> make_sat(device& machine,
                                                std::shared_ptr<grey_image const> image, int tile,
                                                kernel_kind kernels = kernel_kind::own);
/// Integral histogram of an image, in `bins` bins of equal width.
[[nodiscard]] std::unique_ptr<problem> make_int_hist(device& machine,
                                                     std::shared_ptr<grey_image const> image,
                                                     int tile, int bins,
                                                     kernel_kind kernels = kernel_kind::own);
/// Heat simulation over `steps` steps of a random field of rows × rows. Samples need one step.
[[nodiscard]] std::unique_ptr<problem> make_heat(device& machine, std::int64_t rows, int tile,
                                                 int steps, std::uint64_t seed,
                                                 kernel_kind kernels = kernel_kind::own,
                                                 checking how = checking::all);
/// Jacobi iteration on the same kind of field.
[[nodiscard]] std::unique_ptr<problem> make_jacobi(device& machine, std::int64_t rows, int tile,
                                                   int steps, std::uint64_t seed,
                                                   kernel_kind kernels = kernel_kind::own,
                                                   checking how = checking::all);

}  // namespace gridloom::juggler
