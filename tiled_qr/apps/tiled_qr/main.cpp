// tiled-qr: QR of a matrix as tasks on its tiles, by the report's schedulers and by rivals.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "apps/tiled_qr/arms.hpp"
#include "apps/tiled_qr/tables.hpp"
#include "check/share_among_threads.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/parse.hpp"
#include "inputs/families.hpp"
#include "inputs/host_workers.hpp"
#include "inputs/matrix_file.hpp"
#include "inputs/room_for_r.hpp"
#include "tiled_qr/device_matrix.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::tiled_qr;

void add_options(bench::program& app, request& wanted, std::string& weights) {
  std::vector<std::string> const priorities{priority_names[0], priority_names[1]};
  app.options()("rows", int_list_option("rows", wanted.rows, 1), "rows of the matrices")(
      "columns", int_list_option("columns", wanted.cols, 1),
      "columns of the matrices: one number for all sizes, or one per number in --rows; default: as "
      "many as rows")("batch", int_list_option("batch", wanted.batch, 1),
                      "number of matrices that a run factorises: one number for all sizes, or one "
                      "per number in --rows")(
      "form-q", boost::program_options::bool_switch(&wanted.form_q), "form explicit Q in each run")(
      "streams", int_list_option("streams", wanted.streams, 1, 64),
      "cusolver_streams: number of streams that share a batch; one arm per value")(
      "family", choice_list_option("family", wanted.families, bench::names_of<family>(families())),
      "families of generated matrices, see --list")("condition",
                                                    text_option(wanted.conditions, "N,..."),
                                                    "condition numbers of the family conditioned")(
      "scale", real_option("scale", wanted.scale, std::numeric_limits<double>::denorm_min()),
      "multiply all elements of the matrices by this factor")(
      "verification",
      choice_option("verification", wanted.verification, {"auto", "full", "sample"}),
      "how results are checked; full: with all of Q and R; sample: with random vectors; auto: "
      "sample for large matrices")(
      "matrix", text_option(wanted.matrix_file, "FILE"),
      "read a matrix from a file instead of generating it: .mtx, .mtx.gz, .h5 or .hdf5")(
      "precision", choice_list_option("precision", wanted.precisions, {"float", "double"}),
      "precision of the computation")("tile", int_option("tile", wanted.tile, 1),
                                      "rows and columns of a tile")(
      "priority", choice_list_option("priority", wanted.priorities, priorities),
      "rule that selects the next ready task")(
      "weight", text_option(weights, "X,..."),
      "weight of a task on two tiles when work is distributed; a task on one tile has weight 1; "
      "measured: use the times of one run before the others")(
      "blocks", int_list_option("blocks", wanted.blocks, 1, 1 << 20),
      "number of workers of the tiled methods, instead of --workers; one arm per value. Default of "
      "launches and graphs on a GPU: one block per task")(
      "queue-slots", int_option("queue-slots", wanted.queue_slots, 1, 1 << 20),
      "fr3: capacity of a block's ready queue, a power of two")(
      "dag", boost::program_options::bool_switch(&wanted.dag),
      "also store the tasks of the first matrix and their dependences")(
      "operations", boost::program_options::bool_switch(&wanted.operations),
      "also store registers, shared memory and occupancy of each operation's kernel");
  app.line().add_rules({{.option = "matrix",
                         .excludes = {"rows", "columns", "family", "batch", "condition", "scale"}},
                        {.option = "blocks", .excludes = {"workers"}},
                        {.option = "condition", .needs = {"family conditioned"}},
                        {.option = "dag", .needs = {"output"}}});
}

/// Checks that the host has enough threads; FR3's scheduler needs one besides its workers.
void require_threads(bench::program& app, request const& wanted, method_entry const& one) {
  bool const has_workers = one.takes_option("blocks") && stops_in_time(*one.traits.how);
  if (!app.machine().is_host() || !has_workers) return;
  std::string const name(one.name);
  require_host_threads("--workers", app.common().workers, name, one.traits.other_workers);
  for (std::int64_t const workers : wanted.blocks)
    require_host_threads("--blocks", workers, name, one.traits.other_workers);
}

/// Refuses combinations of options that exclude each other.
void check_options(bench::program& app, request const& wanted,
                   std::vector<method_entry const*> const& chosen) {
  for (method_entry const* one : chosen) {
    std::string const name(one->name);
    // All compared methods must do the same work.
    if (one->traits.needs_q && !wanted.form_q)
      throw usage_error(
          "--method " + name +
          ": this method always forms Q; add --form-q, so that all methods do the same work");
    if (app.line().given("timeout-s") && wanted.form_q && one->traits.how)
      throw usage_error("--timeout-s: nothing can stop " + name +
                        " with --form-q while it runs; run it without --timeout-s");
    require_threads(app, wanted, *one);
  }
  if (wanted.verification != "auto" && !app.common().verify)
    throw usage_error("--verification " + wanted.verification + ": cannot go with --no-verify");
  if (!app.common().trace.empty() && wanted.batch != std::vector<std::int64_t>{1})
    throw usage_error("--trace: records the tasks of one matrix; use --batch 1");
  app.require_trace(std::any_of(chosen.begin(), chosen.end(),
                                [](method_entry const* one) { return one->traced; }));
  bench::require_distinct("blocks", wanted.blocks);
  bench::require_distinct("streams", wanted.streams);
}

/// The values of one matrix from a file; empty if the program generates matrices.
using file_matrix = std::optional<dense_matrix>;

/// Returns an option's value for the size at index `at`. The option has one value for all sizes, or
/// one per size.
std::int64_t value_for_size(std::string const& option, std::vector<std::int64_t> const& given,
                            request const& wanted, std::size_t at) {
  if (given.size() > 1 && given.size() != wanted.rows.size())
    throw usage_error(option + ": expected one number, or as many numbers as --rows (" +
                      std::to_string(wanted.rows.size()) + "), got " +
                      std::to_string(given.size()));
  return given.size() == 1 ? given[0] : given[at];
}

/// Returns the condition numbers of a family; one NaN if the family has none.
std::vector<double> conditions_of(std::string const& family, request const& wanted) {
  if (family != conditioned_family) return {bench::missing_real};
  std::vector<double> all;
  for (std::string_view const one : split_at_commas(wanted.conditions))
    all.push_back(parse_real("--condition", one, 1, 1e300));
  bench::require_distinct("condition", all);
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
      std::int64_t const cols = wanted.cols.empty()
                                    ? wanted.rows[at]
                                    : value_for_size("--columns", wanted.cols, wanted, at);
      std::int64_t const batch = value_for_size("--batch", wanted.batch, wanted, at);
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
                        std::to_string(one->cols) + " is given twice");
  }
  return all;
}

std::string gigabytes(double bytes) {
  char text[32];
  double const count = bytes / 1e9;
  std::snprintf(text, sizeof(text), count < 1000 ? "%.3g GB" : "%.6g GB", count);
  return text;
}

/// Returns the bytes that the chosen methods hold at the same time. On a host they include the
/// input.
double bytes_of_methods(request const& wanted, std::vector<method_entry const*> const& chosen,
                        subject const& what, std::size_t element, bool on_host) {
  auto const least = static_cast<double>(std::min(what.rows, what.cols));
  double const matrix = static_cast<double>(what.rows) * static_cast<double>(what.cols);
  double const q = wanted.form_q ? static_cast<double>(what.rows) * least : 0;
  // The input itself.
  double elements = on_host ? matrix : 0;
  for (method_entry const* one : chosen) {
    bool const whole_on_host = one->host_code && !one->traits.how;
    if (on_host || !whole_on_host) elements += matrix + q;
  }
  return elements * static_cast<double>(what.batch) * static_cast<double>(element);
}

/// Refuses an input that could not run, before its data is made.
void require_fit(bench::program& app, request const& wanted,
                 std::vector<method_entry const*> const& chosen, subject const& what) {
  bool const only_float = wanted.precisions.size() == 1 && wanted.precisions[0] == "float";
  bool const on_host = app.machine().is_host();
  bool const is_file = !wanted.matrix_file.empty();
  // The host also holds the file's values in double.
  double const file_bytes =
      is_file ? 8 * static_cast<double>(what.rows) * static_cast<double>(what.cols) : 0;
  auto const require = [&](double bytes, device_properties const& machine) {
    double const most = 0.9 * static_cast<double>(machine.memory_bytes);
    if (bytes <= most) return;
    std::size_t const count = chosen.size();
    throw usage_error(
        (is_file ? "--matrix, --method: " : "--rows, --columns, --batch, --method: ") +
        (what.batch > 1 ? std::to_string(what.batch) + " of " : "") + std::to_string(what.rows) +
        " x " + std::to_string(what.cols) +
        (is_file || !wanted.cols.empty() ? "" : " (as many columns as rows without --columns)") +
        ": " + std::to_string(count) + (count == 1 ? " method needs " : " methods need ") +
        gigabytes(bytes) + "; expected at most " + gigabytes(most) +
        ", which is 0.9 of the memory of " + machine.name);
  };
  require(bytes_of_methods(wanted, chosen, what, only_float ? 4 : 8, on_host) +
              (on_host ? file_bytes : 0),
          app.machine().properties());
  if (!on_host && is_file)
    require(file_bytes * (only_float ? 1.5 : 2), bench::host_machine().properties());
  bool const has_tiles =
      wanted.dag || std::any_of(chosen.begin(), chosen.end(), [](method_entry const* one) {
        return one->traits.how.has_value();
      });
  if (!has_tiles) return;
  static_cast<void>(make_tiling(what.rows, what.cols, wanted.tile,
                                ", or a --method without tiles, such as blocked_panels"));
}

template <class T>
std::unique_ptr<scene> make_scene(bench::program& app, request const& wanted, subject const& what,
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
    // A number from a file or a scaled number may be too large for the precision.
    std::string const precision = sizeof(T) == sizeof(double) ? "double" : "float";
    std::string const source = "--precision " + precision + ": " + what.name;
    auto const too_large = [&](std::size_t at) {
      if (!file) return std::string("a larger one by --scale");
      return shown(file->values[at]);
    };
    made.largest.push_back(require_range(std::span<T const>(one), what.rows, source, too_large));
    require_room_for_r(std::span<T const>(one), what.rows, made.largest.back(), source);
  }
  return std::make_unique<scene>(app, wanted, what, std::move(made));
}

int body(int argc, char** argv) {
  request wanted;
  std::string weights = "2";
  bench::program app(
      "tiled-qr",
      "Computes QR factorisations by tasks on tiles of a matrix, and measures the time.",
      {.trace = true, .threads = true});
  bench::methods<row, traits> const methods(app, "method", "methods to run, see --list",
                                            all_methods(), {"fr1", "fr2", "fr3", "lapack"});
  add_options(app, wanted, weights);
  command_line& line = app.line();
  line.add_example("--rows 1024 --tile 64",
                   "the schedulers of the report, and LAPACK, on one matrix");
  line.add_example("--method fr3 --rows 512,1024,2048 --priority factorisations-first,fifo",
                   "three sizes with both priorities");
  line.add_example("--method gram_panels,lapack_all --rows 512 --batch 640 --precision float",
                   "640 matrices per run");
  line.add_example("--matrix a.mtx --method fr2", "a matrix from a file");
  line.set_list("methods\n" + methods.list() + "families\n" + bench::list_of<family>(families()));
  if (!app.parse(argc, argv)) return exit_done;
  wanted.weights = parse_weights(weights);
  auto const chosen = methods.entries();
  check_options(app, wanted, chosen);
  app.input("matrix", wanted.matrix_file);
  file_matrix file;
  if (!wanted.matrix_file.empty()) {
    file = read_dense(wanted.matrix_file, [&](std::int64_t rows, std::int64_t cols) {
      require_fit(app, wanted, chosen, {wanted.matrix_file, rows, cols});
    });
  }
  auto const matrices = subjects(wanted, file);
  for (subject const& what : matrices) require_fit(app, wanted, chosen, what);
  std::vector<result_table> beside;
  if (wanted.dag) beside = dag_tables(make_tiling(matrices[0].rows, matrices[0].cols, wanted.tile));
  if (wanted.operations)
    beside.push_back(operation_table(app.machine(), wanted.tile, app.shape(32).threads));
  app.meta().set("queue_slots", std::to_string(wanted.queue_slots));
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.expect_groups(matrices.size() * wanted.precisions.size());
  // The summary reads the problems of all rows, so the scenes are kept, without their values.
  std::vector<std::unique_ptr<scene>> scenes;
  for (subject const& what : matrices) {
    for (std::string const& precision : wanted.precisions) {
      scenes.push_back(precision == "float" ? make_scene<float>(app, wanted, what, file)
                                            : make_scene<double>(app, wanted, what, file));
      all.run(arms_of(methods, *scenes.back()));
      scenes.back()->drop_values();
    }
  }
  std::vector<result_table> tables{all.runs()};
  tables.insert(tables.end(), beside.begin(), beside.end());
  return app.finish(all, tables);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
