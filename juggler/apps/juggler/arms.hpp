#pragma once
// The arms of the program: each method with one application of one size.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/juggler/applications.hpp"
#include "gridloom/bench/methods.hpp"
#include "gridloom/taskgraph/shape.hpp"

namespace gridloom::juggler {

/// The options that concern methods.
struct method_request {
  int queue_length = 0;
  /// Names of worker_placing values.
  std::vector<std::string> placings{"multiprocessors"};
};

/// A subject and the data that all its arms share. The first run's problem describes the graph.
struct scene : subject {
  scene(bench::program& frame, subject what) : subject(std::move(what)), app(frame) {}

  void describe(task_dag const& dag);

  bench::program& app;
  std::int64_t tasks = 0, edges = 0;
  graph_shape shape{};
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
