#pragma once
// The applications of the program, each registered once, and one of them with its size and input.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/juggler/inputs.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/lud/input.hpp"
#include "gridloom/device.hpp"

namespace gridloom::juggler {

struct app_entry;

/// One application of one size. Members that an application does not use stay 0, empty or null.
struct subject {
  app_entry const* is = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int tile = 0;
  std::int64_t work_ns = 0;
  int bins = 0;
  int steps = 0;
  int lane_columns = 0;
  kernel_kind kernels = kernel_kind::own;
  /// Names of the input's files. Empty for a random input.
  std::string input{};
  /// One of these is the input itself, once app_entry::make_input was called.
  std::shared_ptr<csr_graph const> graph{};
  std::shared_ptr<lud::input const> matrix{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  std::shared_ptr<grey_image const> image{};

  void drop_input() { graph = {}, matrix = {}, warped = {}, aligned = {}, image = {}; }
};

/// An entry of the table, written with designated initialisers.
struct app_entry {
  std::string_view name;
  /// Options that the application takes: `kernels` if it has the kernels of an OpenMP source. Those
  /// of dtw and sw keep a tile in registers, which OpenMP loops cannot express.
  std::vector<std::string> takes{};
  /// Options that name an input file, which has one size and chooses the application.
  std::vector<std::string> files{};
  /// The names of the application's kernel types.
  std::vector<std::string> types{};
  int largest_tile = std::numeric_limits<int>::max();
  /// Number of copies of the data that a method keeps, on the machine and on the host, with input
  /// and results. Measured on the host.
  double copies = 3;
  /// Bytes of the data for a matrix with this number of cells. A double, since the largest sizes
  /// exceed integers.
  double (*data_bytes)(subject const&, double cells) = nullptr;
  /// Whether the number of tasks grows with the cube of the tiles in a row, instead of the square.
  bool by_cube = false;
  /// The paper's number of time steps; 0: none.
  int steps = 0;
  /// Bytes moved per cell and step if each input and result is moved once, and further bytes per
  /// bin. 0: the application is not measured in them.
  int cell_bytes = 0, bin_bytes = 0;
  /// Threads per block, if the user does not choose.
  int (*threads)(subject const&);
  /// Stores the size of a file's input and its names, if there is a file.
  void (*describe)(inputs const&, subject&);
  /// Stores the input: that of the file, or a random one of the subject's size. Throws usage_error.
  void (*make_input)(inputs const&, subject&, std::uint64_t seed) = nullptr;
  /// Makes the problem of a subject, whose input must outlive it.
  std::unique_ptr<problem> (*make)(device&, subject const&, std::uint64_t seed);

  [[nodiscard]] bool takes_option(std::string_view option) const;
};

[[nodiscard]] std::span<app_entry const> applications();

/// Refuses a subject that could not run, before its data is made. Throws usage_error.
void require_fit(device& machine, subject const& what);

/// Refuses so many methods that their data would not fit in memory together: methods take turns.
/// Throws usage_error.
void require_room(device& machine, subject const& what, std::size_t methods);

}  // namespace gridloom::juggler
