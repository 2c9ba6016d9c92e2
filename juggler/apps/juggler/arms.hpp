#pragma once
// The arms of the program: each method with one application of one size.

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/juggler/inputs.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/lud/input.hpp"
#include "gridloom/bench/methods.hpp"
#include "gridloom/device.hpp"
#include "gridloom/taskgraph/shape.hpp"

namespace gridloom::juggler {

// The table of the program's applications, and one application with its size and input.

struct app_entry;

/// One application with one size. Members that it does not use are 0, empty or null.
struct subject {
  app_entry const* is = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int tile = 0;
  int bins = 0;
  int steps = 0;
  int lane_columns = 0;
  kernel_kind kernels = kernel_kind::own;
  checking how = checking::all;
  /// A file's input, or what app_entry::make_input makes.
  app_input input{};
};

/// An application in the table, written with designated initialisers.
struct app_entry {
  std::string_view name;
  /// The application's options, besides those of all applications, separated by blanks. `kernels`
  /// needs the kernels of an OpenMP source: dtw and sw keep a tile in registers, which OpenMP loops
  /// cannot express.
  std::string_view takes{};
  /// Options that name an input file. A file chooses the application and its size.
  std::vector<std::string> files{};
  /// The names of the application's kernel types.
  std::vector<std::string> types{};
  int largest_tile = std::numeric_limits<int>::max();
  /// Larger tiles consist of whole parts with this number of rows.
  int part = std::numeric_limits<int>::max();
  /// Number of copies of the data that a problem keeps, on the machine and on the host, including
  /// input and results. Measured on the host.
  double copies = 3;
  /// Number of them on the machine if results are checked by samples. The host has none.
  double device_copies = 1;
  /// Bytes of the data for this number of cells. The largest sizes exceed integers.
  double (*data_bytes)(subject const&, double cells) = nullptr;
  /// Whether the number of tasks grows with the cube of the tiles in a row, not with the square.
  bool by_cube = false;
  /// The paper's number of time steps, or 0, and the most for which samples can be checked.
  int steps = 0, sampled_steps = std::numeric_limits<int>::max();
  /// Bytes per cell and step if each input and result is moved once, and further bytes per bin. 0
  /// if the program reports no bandwidth for the application.
  int cell_bytes = 0, bin_bytes = 0;
  /// Threads per block if the user chooses none.
  int (*threads)(subject const&);
  /// Makes a random input of the subject's size, unless a file gave one. Throws usage_error.
  void (*make_input)(inputs const&, subject&, std::uint64_t seed) = nullptr;
  /// Makes the problem of a subject. The subject's input must outlive it.
  std::unique_ptr<problem> (*make)(device&, subject const&, std::uint64_t seed);

  [[nodiscard]] bool takes_option(std::string_view option) const {
    return bench::has_word(takes, option);
  }
};

[[nodiscard]] std::span<app_entry const> applications();

/// Refuses a subject that could not run, before making its data. Throws usage_error.
void require_fit(device& machine, subject const& what);

/// Refuses more problems than memory can hold at the same time. Throws usage_error.
void require_room(device& machine, subject const& what, std::size_t problems);

/// The values of range_matching, as --matching names them.
inline constexpr std::array<std::string_view, 2> matching_names{"one_to_one", "overlapping"};

/// The values of execution_settings::calls_body, as --body names them.
inline constexpr std::array<std::string_view, 2> body_names{"inlined", "called"};

/// The options that concern methods.
struct method_request {
  int queue_length = 0;
  /// Names of worker_placing values.
  std::vector<std::string> placings{"multiprocessors"};
  /// Workers per multiprocessor. Empty if --workers says how many there are.
  std::vector<std::int64_t> cofactors{};
  /// Rules of the inspection that is timed, as in matching_names.
  std::vector<std::string> matchings{"overlapping"};
  /// How kernels have the tasks' body, as in body_names.
  std::vector<std::string> bodies{"inlined"};
};

/// A subject and the data that all its arms share. The first run's problem describes the graph.
struct scene : subject {
  scene(bench::program& frame, subject what) : subject(std::move(what)), app(frame) {}

  void describe(task_dag const& dag);
  /// The problem that methods share on a machine, and how long an earlier call took to make it.
  /// The methods own it.
  [[nodiscard]] std::pair<std::shared_ptr<problem>, double> shared_on(device& machine);

  bench::program& app;
  std::int64_t tasks = 0, edges = 0;
  graph_shape shape{};

 private:
  struct shared_problem {
    std::weak_ptr<problem> made;
    double made_ms = 0;
  };
  std::map<device const*, shared_problem> problems_{};
};

/// How many tasks run at once: "1 to 196", or "900" if all levels have the same size.
[[nodiscard]] std::string at_once_text(graph_shape const& shape);

/// Properties of a method.
struct traits {
  /// Whether the method executes tasks of the graph, which a trace can show.
  bool tasks = true;
  /// Whether the method launches one kernel per wave.
  bool waves = false;
  /// Whether the method takes --kernels loops.
  bool loops = false;
  /// Whether the method loads or checks other data than the tasks, so it has a problem of its own.
  bool own_data = false;
  /// Whether the method supports a subject with the requested workers. An unsupported method is
  /// left out unless the user asked for it by name.
  bool (*fits)(scene const&) = nullptr;
};

struct settings;
struct counted;
using row = bench::row_of<scene, settings, counted>;
using method_entry = bench::method<row, traits>;

struct settings : execution_settings {
  method_entry const* as = nullptr;
  range_matching matching = range_matching::overlapping;
};

struct counted : result_facts {
  inspection_times inspection{bench::missing_real, bench::missing_real, bench::missing_real};
  double graph_init_ms = bench::missing_real, runtime_init_ms = bench::missing_real;
  std::optional<std::int64_t> blocks{}, run_launches{}, executed{}, max_load{}, min_load{};
  std::optional<std::int64_t> data_bytes{};
  std::optional<double> bytes_per_task{};
  std::optional<double> residual{};
  std::string placed;
  kernel_facts kernel{};

  /// The set-up before a run.
  [[nodiscard]] double overhead_ms() const {
    return inspection.init_ms + inspection.loop_ms + inspection.build_csr_ms + graph_init_ms +
           runtime_init_ms;
  }
};

[[nodiscard]] std::span<method_entry const> all_methods();

/// The arms of all chosen methods that the application has. The input may still be missing.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::methods<row, traits> const& methods,
                                                   scene& of, method_request const& wanted);

/// The columns that are added to /runs.
[[nodiscard]] bench::schema<row> columns();
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::juggler
