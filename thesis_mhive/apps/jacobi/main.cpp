// mhive-jacobi: the Jacobi method (thesis, 7.4) in all its versions.

#include <cstdio>
#include <span>

#include "gridloom/file/atomic_file.hpp"
#include "experiment.hpp"
#include "gridloom/bench/experiment.hpp"
#include "gridloom/bench/run_meta.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::jacobi;
namespace po = boost::program_options;

std::vector<std::string> version_names() {
  std::vector<std::string> names;
  for (version_info const& version : all_versions()) names.emplace_back(version.name);
  return names;
}

po::options_description own_options(request& wanted) {
  po::options_description group("Experiment");
  group.add_options()("matrix", text_option(wanted.source.file, "FILE"),
                      "matrix with values: Matrix Market, HDF5, METIS or edge list")(
      "generate", text_option(wanted.source.spec, "SPEC"),
      "matrix of a generator, see gridloom-matrix")(
      "rhs", text_option(wanted.source.right_side, "FILE"),
      "right side, a number a line; else A times random numbers of the seed")(
      "precision", choice_option("precision", wanted.precision, {"float", "double"}),
      "of all numbers but sums of residuals")(
      "method", choice_list_option("method", wanted.methods, version_names()),
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
      "threshold of Algorithm 7.4; longer rows are several tasks")(
      "solution", text_option(wanted.solution, "FILE"), "writes x, a number a line");
  return group;
}

void check_options(command_line const& line, request const& wanted) {
  if (line.given("solution")) require_writable(wanted.solution, "--solution");
  if (wanted.source.file.empty() == wanted.source.spec.empty()) {
    throw usage_error("--matrix, --generate: expected one of them");
  }
  if (line.given("rhs") && wanted.source.right_side.empty()) {
    throw usage_error("--rhs: expected a file name, got an empty one");
  }
  require_different_files({{"--matrix", wanted.source.file},
                           {"--rhs", wanted.source.right_side},
                           {"--output", line.common().output},
                           {"--solution", wanted.solution}});
  for (auto const* option : {"trace", "threads"}) {
    if (line.given(option)) {
      throw usage_error(std::string("--") + option + ": expected none, this program has no use");
    }
  }
}

void require_workers(device const& machine, int workers) {
  int const most = host_backend::max_workers - 1;  // a controller is one more
  if (!machine.is_host() || workers <= most) return;
  throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                    std::to_string(workers));
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

std::string list_text() {
  std::string text;
  for (version_info const& version : all_versions()) {
    text += std::string(version.name) + ": " + std::string(version.what) + "\n";
  }
  return text;
}

int body(int argc, char** argv) {
  request wanted;
  command_line line("mhive-jacobi", "Solves linear systems by the Jacobi method.");
  line.add_group(own_options(wanted));
  line.add_example("--generate A3 --tolerance 1e-10", "a dominant system in the size of A3");
  line.add_example("--matrix Trefethen_2000.mtx.gz --precision float --solution x.txt",
                   "a matrix from a file");
  line.set_list(list_text());
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  check_options(line, wanted);
  wanted.source.seed = common.seed;
  any_system const of = read_system(wanted.source, wanted.precision);
  device machine(common.backend, common.device);
  auto const& properties = machine.properties();
  require_workers(machine, common.workers);
  auto const arms = arms_of(wanted, machine);

  run_meta meta = collect_meta("mhive-jacobi", argc, argv, properties, common);
  if (!common.output.empty() && common.append) {
    require_appendable(common.output, meta, std::vector<result_table>{runs_table()});
  }
  auto const done = run_arms(machine, of, arms, wanted, common);
  print_summary(done.runs, common.seed);
  if (!wanted.solution.empty() && !done.x.empty()) write_solution(wanted.solution, done.x);
  if (!common.output.empty()) {
    write_results(common.output, meta, std::vector<result_table>{done.runs},
                  common.append ? write_mode::append : write_mode::replace);
  }
  return done.failed ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, body); }
