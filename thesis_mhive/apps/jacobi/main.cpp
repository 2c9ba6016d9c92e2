// mhive-jacobi: the Jacobi method (thesis, 7.4) in all its versions.

#include <cstdio>
#include <span>

#include "arms.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "mhive/require_workers.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::jacobi;

struct request {
  bench::matrix_input matrix;
  std::string right_side, solution, precision = "double";
  std::vector<std::string> schedulers = all_schedulers();
  limits most;
};

void add_options(bench::program& app, request& wanted) {
  wanted.matrix.add_to(app);
  app.options()("rhs", text_option(wanted.right_side, "FILE"),
                "file with the right side, one number per line; default: A times random numbers")(
      "precision", choice_option("precision", wanted.precision, {"float", "double"}),
      "precision of the computation; residuals are summed in double")(
      "scheduler", choice_list_option("scheduler", wanted.schedulers, all_schedulers()),
      "schedulers for the versions that use MHive; default: all")(
      "max-iterations", int_option("max-iterations", wanted.most.max_iterations, 1, 100000000),
      "largest number of iterations")("tolerance",
                                      real_option("tolerance", wanted.most.tolerance, 0),
                                      "stop when the 1-norm of the change of x is smaller")(
      "check-every", int_option("check-every", wanted.most.check_every, 1, 1 << 20),
      "iterations between two checks of the residual")(
      "entries-per-task",
      int_option("entries-per-task", wanted.most.entries_per_task, 1,
                 task_limits::most_entries_ever),
      "largest number of entries per task (Algorithm 7.4); longer rows are split")(
      "solution", text_option(wanted.solution, "FILE"),
      "write x to this file, one number per line");
  app.line().add_example("--generate A3 --tolerance 1e-10",
                         "a diagonally dominant system with the size of A3");
  app.line().add_example("--matrix Trefethen_2000.mtx.gz --precision float --solution x.txt",
                         "a matrix from a file");
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

int body(int argc, char** argv) {
  request wanted;
  bench::program app("mhive-jacobi", "Solves linear systems by the Jacobi method.");
  bench::methods<row, traits> const ways(
      app, "method", "versions to run, see --list; default: all that the machine supports",
      all_methods());
  add_options(app, wanted);
  if (!app.parse(argc, argv)) return exit_done;
  wanted.matrix.check(app);
  app.input("rhs", wanted.right_side);
  app.output("solution", wanted.solution);
  // Refuses wrong options before the matrix is read.
  (void)ways.entries();
  mhive::require_workers(app.machine(), app.common().workers);
  problem_source const source{wanted.matrix.file, wanted.matrix.spec, wanted.right_side,
                              app.common().seed};
  scene of(app, read_system(source, wanted.precision), wanted.precision, wanted.most);
  bench::sweep<settings> over;
  over.over("scheduler", wanted.schedulers, &settings::scheduler);
  auto arms = ways.arms(
      of,
      [](method const& one) {
        return settings{one.traits.version, "none"};
      },
      over);
  for (auto& one : arms) one.name = std::string(one.row.method) + ", " + one.row.scheduler;
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.run(arms);
  if (!wanted.solution.empty() && !of.x.empty()) write_solution(wanted.solution, of.x);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
