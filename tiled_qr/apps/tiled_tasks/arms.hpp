#pragma once
// The arms of tiled-tasks: the tasks of one client under FR4's scheduler and under its rivals.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/tiled_tasks/client.hpp"
#include "gridloom/bench/methods.hpp"

namespace gridloom::tiled_qr::general {

struct scene;

/// A client as --client names it.
struct client_kind {
  std::string_view name;
  std::unique_ptr<client> (*make)(scene const&, device&);
  /// The options that this client takes, except those that all clients take. Separated by blanks.
  std::string_view takes;
  /// Threads per block: 32 for the report's operations, as in the report, and more for tasks that
  /// compute products.
  int threads = 32;
  /// For factorisations of an n × n matrix: the number of operations, as LAPACK counts them.
  double (*flops)(double n) = nullptr;
  /// For factorisations: functions that make the matrix, and that factorise a copy of it by LAPACK.
  std::vector<double> (*matrix)(std::int64_t n, std::uint64_t seed) = nullptr;
  void (*lapack)(std::int64_t n, double* factors, double* taus) = nullptr;

  [[nodiscard]] bool takes_option(std::string_view option) const {
    return bench::has_word(takes, option);
  }
};
[[nodiscard]] std::span<client_kind const> all_clients();

struct subject {
  client_kind const* kind;
  /// Number of rows of a matrix, or of chunks of the example.
  std::int64_t rows;
  std::string updates{};
};

/// A client with its size, and the data that all arms on it share.
struct scene : subject {
  scene(bench::program& frame, subject of, int tile_size, int class_count);
  [[nodiscard]] std::unique_ptr<general::client> make(device& machine) const {
    return kind->make(*this, machine);
  }
  [[nodiscard]] std::string_view client() const { return kind->name; }

  bench::program& app;
  int tile;
  int classes;
  /// Number of operations as LAPACK counts them; 0 if the client is no factorisation.
  double flops = 0;
  std::int64_t tasks = 0, edges = 0, uses = 0, depth = 0;
};

struct traits {
  /// Whether the method runs the tasks of the graph.
  bool by_tasks = true;
  /// Whether the method launches once per level. On a GPU each task then has its own block.
  bool by_levels = false;
  /// Whether workers wait for each other, so that each needs a host thread of its own.
  bool waits = false;
};

struct settings {
  traits const* is = nullptr;
  std::string priority{};
  int blocks = 1, threads = 1;
};

struct counted {
  int classes = bench::missing_integer;
  std::int64_t launches = bench::missing_integer, executed = bench::missing_integer,
               put_backs = bench::missing_integer;
  std::int64_t data_bytes = bench::missing_integer;
  double bytes_per_task = bench::missing_real;
  kernel_facts kernel{};
  double residual = bench::missing_real;
};

using row = bench::row_of<scene, settings, counted>;
using method = bench::method<row, traits>;

[[nodiscard]] std::span<method const> all_methods();

/// Returns the settings of a method that no option varies; empty if the method is not for the
/// scene's client.
[[nodiscard]] std::optional<settings> base_of(scene const& of, method const& one);

[[nodiscard]] bench::schema<row> columns();

/// Tells the harness which values its summary shows for an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::tiled_qr::general
