// tiled-tasks: task graphs under the general scheduler (report, FR4), and under methods that a user
// would write without it.

#include <algorithm>
#include <memory>

#include "apps/tiled_tasks/arms.hpp"
#include "gridloom/bench/inputs.hpp"
#include "inputs/host_workers.hpp"
#include "tiled_qr/device_matrix.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::general;

struct request {
  std::vector<std::string> clients{"qr", "cholesky", "example"};
  /// The clients that `clients` names.
  std::vector<client_kind const*> kinds;
  std::vector<std::int64_t> rows{512};
  int tile = 32;
  std::vector<std::string> updates{"in-order"};
  std::vector<std::string> priorities{"critical-path"};
  int classes = 8;
};

void add_options(bench::program& app, request& wanted) {
  app.options()("client",
                choice_list_option("client", wanted.clients, bench::names_of(all_clients())),
                "which tasks to run, see --list")(
      "rows", int_list_option("rows", wanted.rows, 1),
      "rows and columns of the matrices; example: number of chunks")(
      "tile", int_option("tile", wanted.tile, 1), "rows and columns of a tile")(
      "updates",
      choice_list_option("updates", wanted.updates, {updates_names[0], updates_names[1]}),
      "cholesky: what orders updates of a tile; in-order: dependences; any-order: conflicts")(
      "priority",
      choice_list_option("priority", wanted.priorities,
                         {priority_by_names[0], priority_by_names[1]}),
      "general: rule that selects the next ready task")(
      "classes", int_option("classes", wanted.classes, 1, static_cast<int>(most_classes)),
      "general: number of priority classes; each has a queue of ready tasks");
}

/// Refuses options that none of the chosen clients takes.
void check_clients(bench::program& app, request& wanted) {
  command_line const& line = app.line();
  bench::require_distinct("rows", wanted.rows);
  for (std::string const& name : wanted.clients)
    wanted.kinds.push_back(&bench::named(all_clients(), name, "--client"));
  bench::require_takers(line, "client", all_clients(), wanted.kinds);
}

void check_methods(bench::program& app, request const& wanted,
                   bench::methods<row, traits> const& methods) {
  methods.require_goes_with("client", wanted.clients);
  for (method const* one : methods.entries()) {
    if (app.machine().is_host() && one->traits.waits)
      require_host_threads("--workers", app.common().workers, std::string(one->name));
  }
}

/// Refuses a client that could not run, before its data is made.
void require_fit(bench::program& app, request const& wanted, subject const& what) {
  constexpr std::int64_t most_chunks = 1 << 20;
  constexpr std::uint32_t most_tiles_in_a_row = 512;
  if (!what.kind->takes_option("tile")) {
    if (what.rows > most_chunks)
      throw usage_error("--rows: expected at most " + std::to_string(most_chunks) +
                        " chunks of the example, got " + std::to_string(what.rows));
    return;
  }
  tiling const cut = make_tiling(what.rows, what.rows, wanted.tile);
  double const bytes = 8 * static_cast<double>(what.rows) * static_cast<double>(what.rows);
  auto const& machine = app.machine().properties();
  if (bytes > 0.4 * static_cast<double>(machine.memory_bytes))
    throw usage_error("--rows: two matrices of " + std::to_string(what.rows) +
                      " rows do not fit into the memory of " + machine.name + "; use fewer rows");
  if (cut.p() > most_tiles_in_a_row)
    throw usage_error("--tile: " + std::to_string(wanted.tile) + " gives " +
                      std::to_string(cut.p()) + " tiles per row; expected at most " +
                      std::to_string(most_tiles_in_a_row));
}

std::vector<subject> subjects(request const& wanted) {
  std::vector<subject> all;
  std::vector<std::string> const once{""};
  for (client_kind const* kind : wanted.kinds) {
    for (std::int64_t const rows : wanted.rows) {
      for (std::string const& updates : kind->takes_option("updates") ? wanted.updates : once)
        all.push_back({.kind = kind, .rows = rows, .updates = updates});
    }
  }
  return all;
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("tiled-tasks",
                     "Runs tasks with dependences and conflicts, and measures their schedulers.",
                     {.trace = true, .threads = true});
  bench::methods<row, traits> const methods(app, "method", "methods to run, see --list",
                                            all_methods());
  add_options(app, wanted);
  command_line& line = app.line();
  line.add_example("--client qr,cholesky --rows 1024", "QR and Cholesky factorisations by tasks");
  line.add_example("--client cholesky --updates in-order,any-order --method general",
                   "updates ordered by dependences, and by conflicts");
  if (!app.parse(argc, argv)) return exit_done;
  check_clients(app, wanted);
  check_methods(app, wanted, methods);
  auto const all_subjects = subjects(wanted);
  for (subject const& what : all_subjects) require_fit(app, wanted, what);

  bench::sweep<settings> over;
  over.over("priority", wanted.priorities, &settings::priority);
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.expect_groups(all_subjects.size());
  for (subject const& what : all_subjects) {
    scene of(app, what, wanted.tile, wanted.classes);
    all.run(methods.arms(
        of, [&](method const& one) { return base_of(of, one); }, over));
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
