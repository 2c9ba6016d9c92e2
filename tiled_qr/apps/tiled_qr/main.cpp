// tiled-qr: QR of a matrix by tasks on its tiles, by the report's schedulers and by rivals.

#include <algorithm>
#include <filesystem>

#include "arms.hpp"
#include "configurations.hpp"
#include "dag.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "inputs/families.hpp"
#include "inputs/matrix_file.hpp"
#include "tiled_qr/device_matrix.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::tiled_qr;

void add_options(bench::program& app, request& wanted, std::string& weights) {
  std::vector<std::string> const priorities{priority_names[0], priority_names[1]};
  app.options()("method",
                choice_list_option("method", wanted.methods, bench::names_of<method>(methods())),
                "ways to factorise, see --list")("rows", int_list_option("rows", wanted.rows, 1),
                                                 "rows of the matrices")(
      "columns", int_list_option("columns", wanted.cols, 1),
      "their columns: one for all, or one each; left out: as many as rows")(
      "family", choice_list_option("family", wanted.families, bench::names_of<family>(families())),
      "kinds of matrices, see --list")("matrix", text_option(wanted.matrix_file, "FILE"),
                                       "a matrix instead: .mtx, .h5 or .hdf5")(
      "precision", choice_list_option("precision", wanted.precisions, {"float", "double"}),
      "numbers that are computed with")("tile", int_option("tile", wanted.tile, 1),
                                        "rows and columns of a tile")(
      "priority", choice_list_option("priority", wanted.priorities, priorities),
      "which ready task goes next")(
      "weight", text_option(weights, "X,..."),
      "single tasks that one on two tiles counts as, where work is dealt out; measured: what a run "
      "before shows")("blocks", int_list_option("blocks", wanted.blocks, 1, 1 << 20),
                      "workers of the tiled methods, an arm each; in place of --workers")(
      "queue-slots", int_option("queue-slots", wanted.queue_slots, 1, 1 << 20),
      "fr3: places in a block's ready queue, a power of two")(
      "dag", boost::program_options::bool_switch(&wanted.dag),
      "also store the tasks of the first matrix and what they depend on");
}

/// A matrix to be factorised: a file's, or still to be made.
struct subject {
  std::string name;
  std::int64_t rows;
  std::int64_t cols;
  dense_matrix from_file;
};

void require_one_source(bench::program& app, request const& wanted) {
  if (wanted.matrix_file.empty()) return;
  for (char const* option : {"rows", "columns", "family"}) {
    if (app.line().given(option))
      throw usage_error(std::string("--") + option + ": cannot go with --matrix");
  }
}

std::vector<subject> subjects(bench::program& app, request const& wanted) {
  if (!wanted.matrix_file.empty()) {
    subject one{std::filesystem::path(wanted.matrix_file).filename().string(), 0, 0,
                read_dense(wanted.matrix_file)};
    one.rows = one.from_file.rows;
    one.cols = one.from_file.cols;
    return {one};
  }
  if (wanted.cols.size() > 1 && wanted.cols.size() != wanted.rows.size())
    throw usage_error("--columns: expected one, or as many as --rows has (" +
                      std::to_string(wanted.rows.size()) + "), got " +
                      std::to_string(wanted.cols.size()));
  std::vector<subject> all;
  for (std::string const& name : wanted.families) {
    for (std::size_t at = 0; at < wanted.rows.size(); ++at) {
      std::int64_t const cols = wanted.cols.empty()       ? wanted.rows[at]
                                : wanted.cols.size() == 1 ? wanted.cols[0]
                                                          : wanted.cols[at];
      all.push_back({name, wanted.rows[at], cols, {}});
    }
  }
  return all;
}

/// Refuses what could not run before anything is made.
void require_fit(bench::program& app, request const& wanted, subject const& what) {
  tiling const cut = make_tiling(what.rows, what.cols, wanted.tile);
  double const bytes = (static_cast<double>(cut.rows) * static_cast<double>(cut.cols) +
                        static_cast<double>(cut.taus())) *
                       (wanted.precisions.size() == 1 && wanted.precisions[0] == "float" ? 4 : 8);
  auto const& machine = app.machine().properties();
  if (bytes > 0.9 * static_cast<double>(machine.memory_bytes))
    throw usage_error("--rows, --columns: " + std::to_string(what.rows) + " x " +
                      std::to_string(what.cols) + " is more than the memory of " + machine.name +
                      " holds");
}

template <class T>
void measure(bench::program& app, bench::harness<row>& all, request const& wanted,
             subject const& what) {
  std::vector<T> values =
      wanted.matrix_file.empty()
          ? make_matrix<T>(what.name, what.rows, what.cols, app.common().seed)
          : std::vector<T>(what.from_file.values.begin(), what.from_file.values.end());
  // A number of a file may be too large for float.
  require_finite(std::span<T const>(values), what.rows, "--precision float: " + what.name);
  auto const on = make_scene<T>(app, wanted, what.name, what.rows, what.cols, std::move(values));
  all.run(on->arms());
}

int body(int argc, char** argv) {
  request wanted;
  std::string weights = "2";
  bench::program app("tiled-qr", "Factorises matrices by tasks on their tiles, and times it.",
                     {.trace = true, .threads = true});
  add_options(app, wanted, weights);
  command_line& line = app.line();
  line.add_example("--rows 1024 --tile 64", "the report's schedulers and LAPACK on one matrix");
  line.add_example("--method fr3 --rows 512,1024,2048 --priority factorisations-first,fifo",
                   "both priorities among ready tasks, three sizes");
  line.add_example("--matrix a.mtx --method fr2", "a matrix from a file");
  line.set_list("methods\n" + bench::list_of<method>(methods()) + "families\n" +
                bench::list_of<family>(families()));
  if (!app.parse(argc, argv)) return exit_done;
  require_one_source(app, wanted);
  wanted.weights = parse_weights(weights);
  if (!wanted.blocks.empty() && app.line().given("workers"))
    throw usage_error("--blocks: cannot go with --workers");
  app.input("matrix", wanted.matrix_file);
  app.require_trace(std::any_of(wanted.methods.begin(), wanted.methods.end(), leaves_trace));
  auto const matrices = subjects(app, wanted);
  for (subject const& what : matrices) require_fit(app, wanted, what);
  std::vector<result_table> dag;
  if (wanted.dag) dag = dag_tables(make_tiling(matrices[0].rows, matrices[0].cols, wanted.tile));
  app.meta().set("queue_slots", std::to_string(wanted.queue_slots));
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(matrices.size() * wanted.precisions.size());
  for (subject const& what : matrices) {
    for (std::string const& precision : wanted.precisions) {
      if (precision == "float") {
        measure<float>(app, all, wanted, what);
      } else {
        measure<double>(app, all, wanted, what);
      }
    }
  }
  std::vector<result_table> tables{all.runs()};
  tables.insert(tables.end(), dag.begin(), dag.end());
  return app.finish(all, tables);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
