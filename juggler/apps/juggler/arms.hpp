#pragma once
// The arms of the program: every method on one application of one size.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/juggler/applications.hpp"
#include "apps/juggler/graph_shape.hpp"
#include "gridloom/bench/methods.hpp"

namespace gridloom::juggler {

/// The options of methods.
struct method_request {
  int queue_length = 0;
  /// Names of values of worker_placing.
  std::vector<std::string> placings{"multiprocessors"};
};

/// A subject and the data that all arms on it share. The problem built for the first run describes
/// its graph.
struct scene : subject {
  scene(bench::program& frame, subject what) : subject(std::move(what)), app(frame) {}

  void describe(task_dag const& dag);
  /// Cells of the result over all steps; 0 if the application is not measured in them.
  [[nodiscard]] double elements() const;
  /// Bytes that are moved if each input and result is moved once per step; 0: not measured in them.
  [[nodiscard]] double least_bytes() const;
  /// Operations of a decomposition; 0 for other applications.
  [[nodiscard]] double flops() const;

  bench::program& app;
  std::int64_t tasks = 0, edges = 0;
  graph_shape shape{};
};

/// Properties of a method that the program asks for.
struct traits {
  /// Whether it executes tasks of the graph, which a trace can show.
  bool tasks = true;
  /// Whether it launches one kernel per wave; the next launch has other blocks.
  bool waves = false;
  /// Whether it takes --kernels loops.
  bool loops = false;
  /// The applications that have the method, separated by blanks. Empty: all.
  std::string_view apps{};
  /// Whether the method can take a subject on a machine; 0 workers: as many as the method wants. If
  /// not, it is left out unless it was asked for by name.
  bool (*fits)(device&, subject const&, int workers) = nullptr;

  [[nodiscard]] bool is_for(std::string_view app) const {
    return apps.empty() || bench::has_word(apps, app);
  }
};

struct settings : execution_settings {
  traits const* is = nullptr;
  /// Whether it has resident workers (for --placing), and whether it has queues (--queue-length).
  bool has_places = false, has_queues = false;
  /// Whether it is a library of the GPU, which chooses its own threads.
  bool is_library = false;
  /// Whether it runs on the host, whatever the machine is.
  bool is_on_host = false;
};

/// Numbers that a run returned.
struct counted : result_facts {
  inspection_times inspection{bench::missing_real, bench::missing_real, bench::missing_real};
  double graph_init_ms = bench::missing_real, runtime_init_ms = bench::missing_real;
  std::optional<std::int64_t> blocks{}, run_launches{}, finished{};
  std::optional<load_range> loads{};
  std::optional<std::int64_t> data_bytes{}, graph_bytes{};
  std::optional<double> residual{};
  std::string placed;
  kernel_facts kernel{};

  /// The set-up before a run.
  [[nodiscard]] double overhead_ms() const {
    return inspection.init_ms + inspection.loop_ms + inspection.build_csr_ms + graph_init_ms +
           runtime_init_ms;
  }
};

using row = bench::row_of<scene, settings, counted>;
using method_entry = bench::method<row, traits>;

[[nodiscard]] std::span<method_entry const> all_methods();

/// The arms of all chosen methods that the application has. The input need not exist yet.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::methods<row, traits> const& methods,
                                                   scene& of, method_request const& wanted);

/// The columns that are added to /runs, and the columns of the summary.
[[nodiscard]] bench::schema<row> columns();
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::juggler
