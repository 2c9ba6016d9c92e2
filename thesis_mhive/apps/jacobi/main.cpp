// mhive-jacobi: the Jacobi method (thesis, 7.4) in all its versions.

#include <algorithm>
#include <cstdio>
#include <span>

#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "mhive/require_workers.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::jacobi;

std::span<version_info const> versions() { return all_versions(); }

/// The program's own options; they write to `wanted`.
void add_options(bench::program& app, request& wanted) {
  app.options()("rhs", text_option(wanted.source.right_side, "FILE"),
                "right side, a number a line; else A times random numbers of the seed")(
      "precision", choice_option("precision", wanted.precision, {"float", "double"}),
      "of all numbers but sums of residuals")(
      "method", choice_list_option("method", wanted.methods, bench::names_of(versions())),
      "versions, see --list; default: all that the machine has")(
      "scheduler", choice_list_option("scheduler", wanted.schedulers, all_schedulers()),
      "schedulers of the versions that run under one; default: all")(
      "max-iterations", int_option("max-iterations", wanted.max_iterations, 1, 100000000),
      "iterations at most")("tolerance", real_option("tolerance", wanted.tolerance, 0),
                            "ends when the 1-norm of x's change is smaller")(
      "check-every", int_option("check-every", wanted.check_every, 1, 1 << 20),
      "iterations between checkpoints, between looks of the host at streams and graphs, and of a "
      "pass of graph_while's loop")(
      "entries-per-task",
      int_option("entries-per-task", wanted.entries_per_task, 1, task_limits::most_entries_ever),
      "threshold of Algorithm 7.4; longer rows are several tasks");
}

void write_solution(std::string const& file, std::vector<double> const& x) {
  std::string text;
  char number[40];
  for (double const value : x) {
    std::snprintf(number, sizeof(number), "%.17g\n", value);
    text += number;
  }
  replace_file(file, std::as_bytes(std::span{text}));
}

/// Refuses what no version that was asked for takes.
void check_options(command_line const& line, request const& wanted) {
  auto const scheduled = [](std::string const& name) {
    return bench::named(versions(), name, "--method").scheduled;
  };
  if (line.given("scheduler") && line.given("method") &&
      std::none_of(wanted.methods.begin(), wanted.methods.end(), scheduled))
    throw usage_error("--scheduler: goes with a --method that runs under one, such as checkpoints");
}

int body(int argc, char** argv) {
  request wanted;
  bench::matrix_input matrix;
  std::string solution;
  bench::program app("mhive-jacobi", "Solves linear systems by the Jacobi method.");
  matrix.add_to(app);
  add_options(app, wanted);
  app.options()("solution", text_option(solution, "FILE"), "writes x, a number a line");
  app.line().add_example("--generate A3 --tolerance 1e-10", "a dominant system in the size of A3");
  app.line().add_example("--matrix Trefethen_2000.mtx.gz --precision float --solution x.txt",
                         "a matrix from a file");
  app.line().set_list(bench::list_of(versions()));
  if (!app.parse(argc, argv)) return exit_done;
  matrix.check(app);
  check_options(app.line(), wanted);
  app.input("rhs", wanted.source.right_side);
  app.output("solution", solution);
  wanted.source.file = matrix.file;
  wanted.source.spec = matrix.spec;
  wanted.source.seed = app.common().seed;
  any_system const of = read_system(wanted.source, wanted.precision);
  mhive::require_workers(app.machine(), app.common().workers);

  return std::visit(
      [&]<typename Value>(mhive::jacobi::system<Value> const& one) {
        system_scene<Value> scene(app, one, wanted);
        auto const arms = scene.arms();
        bench::harness<row> all(app, runs_columns());
        show_figures(all);
        all.run(arms);
        if (!solution.empty() && !scene.x().empty()) write_solution(solution, scene.x());
        return app.finish(all, {all.runs()});
      },
      of);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
