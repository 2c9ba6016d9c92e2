// tiled-qr: QR of a matrix by tasks on its tiles, by the report's schedulers and by rivals.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "arms.hpp"
#include "check/share_among_threads.hpp"
#include "configurations.hpp"
#include "dag.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/parse.hpp"
#include "inputs/distinct.hpp"
#include "inputs/families.hpp"
#include "inputs/matrix_file.hpp"
#include "inputs/room_for_r.hpp"
#include "operation_table.hpp"
#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/shown.hpp"
#include "used_options.hpp"

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
      "batch", int_list_option("batch", wanted.batch, 1),
      "matrices of a size in one run: one for all, or one each")(
      "form-q", boost::program_options::bool_switch(&wanted.form_q), "explicit Q is part of a run")(
      "tall-from", int_option("tall-from", wanted.tall_from, 0),
      "panels with --form-q: rows a reflector from which Q is formed in two passes over the rows")(
      "streams", int_list_option("streams", wanted.streams, 1, 64),
      "cusolver_streams: streams that share a batch, an arm each")(
      "family", choice_list_option("family", wanted.families, bench::names_of<family>(families())),
      "kinds of matrices, see --list")("condition", text_option(wanted.conditions, "N,..."),
                                       "condition numbers of the family conditioned")(
      "scale", real_option("scale", wanted.scale, std::numeric_limits<double>::denorm_min()),
      "what their elements are multiplied by")(
      "verification",
      choice_option("verification", wanted.verification, {"auto", "full", "sample"}),
      "by products of all of Q and R, or by random vectors; auto: by the size")(
      "matrix", text_option(wanted.matrix_file, "FILE"), "a matrix instead: .mtx, .h5 or .hdf5")(
      "precision", choice_list_option("precision", wanted.precisions, {"float", "double"}),
      "numbers that are computed with")("tile", int_option("tile", wanted.tile, 1),
                                        "rows and columns of a tile")(
      "priority", choice_list_option("priority", wanted.priorities, priorities),
      "which ready task goes next")(
      "weight", text_option(weights, "X,..."),
      "single tasks that one on two tiles counts as, where work is dealt out; measured: what a run "
      "before shows")(
      "blocks", int_list_option("blocks", wanted.blocks, 1, 1 << 20),
      "workers of the tiled methods, an arm each; in place of --workers. Without both a step of "
      "launches and graphs has a block a task on a GPU")(
      "queue-slots", int_option("queue-slots", wanted.queue_slots, 1, 1 << 20),
      "fr3: places in a block's ready queue, a power of two")(
      "dag", boost::program_options::bool_switch(&wanted.dag),
      "also store the tasks of the first matrix and what they depend on")(
      "operations", boost::program_options::bool_switch(&wanted.operations),
      "also store registers, shared memory and occupancy of a kernel for each operation");
}

void require_one_source(bench::program& app, request const& wanted) {
  auto const& families = wanted.families;
  if (app.line().given("condition") &&
      std::find(families.begin(), families.end(), conditioned_family) == families.end())
    throw usage_error("--condition: expected --family conditioned with it");
  if (wanted.matrix_file.empty()) return;
  for (char const* option : {"rows", "columns", "family", "batch", "condition", "scale"}) {
    if (app.line().given(option))
      throw usage_error(std::string("--") + option + ": cannot go with --matrix");
  }
}

/// Methods that are compared do the same: one that cannot leave Q out wants it of all.
void require_same_work(request const& wanted) {
  for (std::string const& name : wanted.methods) {
    if (name.starts_with("cholesky_qr2") && !wanted.form_q)
      throw usage_error("--method " + name +
                        ": always forms Q; expected --form-q, so that all methods form it");
  }
}

/// The values of one matrix from a file, or nothing where matrices are made.
using file_matrix = std::optional<dense_matrix>;

/// An option's number for the size at a place: one for all, or one each.
std::int64_t of_size(std::string const& option, std::vector<std::int64_t> const& given,
                     request const& wanted, std::size_t at) {
  if (given.size() > 1 && given.size() != wanted.rows.size())
    throw usage_error(option + ": expected one, or as many as --rows has (" +
                      std::to_string(wanted.rows.size()) + "), got " +
                      std::to_string(given.size()));
  return given.size() == 1 ? given[0] : given[at];
}

/// NaN for families that have none.
std::vector<double> conditions_of(std::string const& family, request const& wanted) {
  if (family != conditioned_family) return {bench::missing_real};
  std::vector<double> all;
  std::string_view left = wanted.conditions;
  for (bool more = true; more;) {
    std::size_t const end = left.find(',');
    all.push_back(parse_real("--condition", left.substr(0, end), 1, 1e300));
    more = end != std::string_view::npos;
    if (more) left.remove_prefix(end + 1);
  }
  require_distinct("--condition", all);
  return all;
}

std::vector<subject> subjects(request const& wanted, file_matrix const& file) {
  if (file) {
    std::string const name = std::filesystem::path(wanted.matrix_file).filename().string();
    return {{name, file->rows, file->cols}};
  }
  std::vector<subject> all;
  for (std::string const& name : wanted.families) {
    for (std::size_t at = 0; at < wanted.rows.size(); ++at) {
      std::int64_t const cols =
          wanted.cols.empty() ? wanted.rows[at] : of_size("--columns", wanted.cols, wanted, at);
      std::int64_t const batch = of_size("--batch", wanted.batch, wanted, at);
      for (double const condition : conditions_of(name, wanted))
        all.push_back({name, wanted.rows[at], cols, batch, condition});
    }
  }
  for (auto one = all.begin(); one != all.end(); ++one) {
    auto const same = [&](subject const& other) {
      return other.name == one->name && other.rows == one->rows && other.cols == one->cols &&
             other.batch == one->batch &&
             !(other.condition != one->condition && other.name == conditioned_family);
    };
    if (std::any_of(all.begin(), one, same))
      throw usage_error("--rows, --columns, --batch: " + std::to_string(one->rows) + " x " +
                        std::to_string(one->cols) + " is there twice");
  }
  return all;
}

std::string gigabytes(double bytes) {
  char text[32];
  double const count = bytes / 1e9;
  std::snprintf(text, sizeof(text), count < 1000 ? "%.3g GB" : "%.6g GB", count);
  return text;
}

/// Refuses what could not run before anything is made.
void require_fit(bench::program& app, request const& wanted, subject const& what) {
  bool const only_float = wanted.precisions.size() == 1 && wanted.precisions[0] == "float";
  bool const on_host = app.machine().is_host();
  bool const is_file = !wanted.matrix_file.empty();
  // On the host, of a file: its numbers in double, beside those that are computed with.
  double const of_file =
      is_file ? 8 * static_cast<double>(what.rows) * static_cast<double>(what.cols) : 0;
  auto const require = [&](double bytes, device_properties const& machine) {
    double const most = 0.9 * static_cast<double>(machine.memory_bytes);
    if (bytes <= most) return;
    std::size_t const count = wanted.methods.size();
    throw usage_error(
        (is_file ? "--matrix, --method: " : "--rows, --columns, --batch, --method: ") +
        (what.batch > 1 ? std::to_string(what.batch) + " of " : "") + std::to_string(what.rows) +
        " x " + std::to_string(what.cols) +
        (is_file || !wanted.cols.empty() ? "" : " (as many columns as rows without --columns)") +
        " by " + std::to_string(count) + (count == 1 ? " method" : " methods") + " takes " +
        gigabytes(bytes) + "; expected at most " + gigabytes(most) + ", 0.9 of the memory of " +
        machine.name);
  };
  require(bytes_of_methods(wanted, what, only_float ? 4 : 8, on_host) + (on_host ? of_file : 0),
          app.machine().properties());
  if (!on_host && is_file)
    require(of_file * (only_float ? 1.5 : 2), device("host", 0).properties());
  bool const has_tiles =
      wanted.dag || std::any_of(wanted.methods.begin(), wanted.methods.end(),
                                [](auto const& name) { return scheduling_of(name).has_value(); });
  if (!has_tiles) return;
  static_cast<void>(make_tiling(what.rows, what.cols, wanted.tile,
                                ", or a --method without tiles, such as blocked_panels"));
}

template <class T>
input_values<T> values_of(bench::program& app, request const& wanted, subject const& what,
                          file_matrix const& file) {
  auto const size = static_cast<std::size_t>(what.rows * what.cols);
  input_values<T> made;
  made.all.resize(size * static_cast<std::size_t>(what.batch));
  for (std::int64_t number = 0; number < what.batch; ++number) {
    std::span<T> const one(made.all.data() + static_cast<std::size_t>(number) * size, size);
    if (file) {
      std::copy(file->values.begin(), file->values.end(), one.begin());
    } else {
      auto const seed = app.common().seed + static_cast<std::uint64_t>(number);
      fill_matrix<T>(what.name, what.rows, what.cols, seed, what.condition, one);
    }
    if (wanted.scale != 1) {
      share_range(size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end; ++at)
          one[at] = static_cast<T>(static_cast<double>(one[at]) * wanted.scale);
      });
    }
    // A number of a file, or a scaled one, may be too large for the precision.
    std::string const precision = sizeof(T) == sizeof(double) ? "double" : "float";
    std::string const source = "--precision " + precision + ": " + what.name;
    auto const too_large = [&](std::size_t at) {
      if (!file) return std::string("a larger one by --scale");
      return shown(file->values[at]);
    };
    made.largest.push_back(require_range(std::span<T const>(one), what.rows, source, too_large));
    require_room_for_r(std::span<T const>(one), what.rows, made.largest.back(), source);
  }
  return made;
}

template <class T>
void measure(bench::program& app, bench::harness<row>& all, request const& wanted,
             subject const& what, file_matrix const& file) {
  auto const on = make_scene<T>(app, wanted, what, values_of<T>(app, wanted, what, file));
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
  line.add_example("--method gram_panels,lapack_all --rows 512 --batch 640 --precision float",
                   "many matrices of one size in a run");
  line.add_example("--matrix a.mtx --method fr2", "a matrix from a file");
  line.set_list("methods\n" + bench::list_of<method>(methods()) + "families\n" +
                bench::list_of<family>(families()));
  if (!app.parse(argc, argv)) return exit_done;
  require_one_source(app, wanted);
  wanted.weights = parse_weights(weights);
  if (!wanted.blocks.empty() && app.line().given("workers"))
    throw usage_error("--blocks: cannot go with --workers");
  require_same_work(wanted);
  require_used(app, wanted);
  app.input("matrix", wanted.matrix_file);
  if (!app.common().trace.empty() && wanted.batch != std::vector<std::int64_t>{1})
    throw usage_error("--trace: expected --batch 1: the tasks of one matrix are recorded");
  app.require_trace(std::any_of(wanted.methods.begin(), wanted.methods.end(),
                                [](auto const& name) { return scheduling_of(name).has_value(); }));
  file_matrix file;
  if (!wanted.matrix_file.empty()) {
    file = read_dense(wanted.matrix_file, [&](std::int64_t rows, std::int64_t cols) {
      require_fit(app, wanted, {wanted.matrix_file, rows, cols});
    });
  }
  auto const matrices = subjects(wanted, file);
  for (subject const& what : matrices) require_fit(app, wanted, what);
  std::vector<result_table> beside;
  if (wanted.dag) beside = dag_tables(make_tiling(matrices[0].rows, matrices[0].cols, wanted.tile));
  if (wanted.operations)
    beside.push_back(operation_table(app.machine(), wanted.tile, app.shape(32).threads));
  app.meta().set("queue_slots", std::to_string(wanted.queue_slots));
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(matrices.size() * wanted.precisions.size());
  for (subject const& what : matrices) {
    for (std::string const& precision : wanted.precisions) {
      if (precision == "float") {
        measure<float>(app, all, wanted, what, file);
      } else {
        measure<double>(app, all, wanted, what, file);
      }
    }
  }
  std::vector<result_table> tables{all.runs()};
  tables.insert(tables.end(), beside.begin(), beside.end());
  return app.finish(all, tables);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
