// The program juggler: the paper's applications as task graphs, under Juggler's runtime and its
// rivals.

#include <cstdio>

#include "arms.hpp"
#include "graph_shape.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "juggler/graph_export.hpp"
#include "method_table.hpp"
#include "plan.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::juggler;

/// Workers that wait for each other need one thread each.
void require_threads(bench::program& app) {
  constexpr int most = host_backend::max_workers;
  if (app.machine().is_host() && app.common().workers > most)
    throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                      std::to_string(app.common().workers));
}

std::string list_of_experiments() {
  std::string text = "experiments: custom";
  for (experiment const& one : experiments()) text += ", " + std::string(one.name);
  return text + "\n";
}

/// Writes the task graph of one subject and runs nothing. Works on the host, whatever the machine
/// is.
void write_dag(bench::program& app, request const& wanted, inputs const& given,
               std::vector<subject> const& subjects) {
  for (char const* const option : {"output", "trace"}) {
    if (app.line().given(option))
      throw usage_error("--" + std::string(option) +
                        ": does not go with --dag, which runs nothing");
  }
  if (subjects.size() != 1)
    throw usage_error("--dag: expected one application of one size, got " +
                      std::to_string(subjects.size()));
  subject what = subjects.front();
  given.make(what, app.common().seed);
  device host("host", 0);
  auto const made = make_problem(host, what, app.common().seed);
  write_graph_file(wanted.dag_file, made->dag(), type_names(what.app));
  graph_shape const shape = shape_of(made->dag());
  std::printf("%u tasks, %s at once, %zu edges: %s\n", made->dag().tasks(),
              at_once_text(shape.narrowest_wave, shape.widest_wave).c_str(),
              static_cast<std::size_t>(made->dag().children.edges()), wanted.dag_file.c_str());
}

void add_examples(command_line& line) {
  line.add_example("-n 960 -b 64", "LU decomposition of 15 × 15 tiles under all policies");
  line.add_example("--app dtw,sw -n 4608 -b 64", "72 × 72 tiles of time warping and of alignment");
  line.add_example("--app sw --fasta a.fasta --matrix BLOSUM62 -b 64",
                   "the first two proteins of a file");
  line.add_example("--app sat -n 11520 -b 128", "90 × 90 tiles of a summed area table");
  line.add_example("--rows 1024 --tile 32,64 --method lrr,lts", "two sizes of tiles");
  line.add_example("--experiment paper --output results/paper.h5",
                   "all applications under all methods, as the paper's script exp");
  line.add_example("--app heat -n 512 -b 32 --dag heat.dag.h5", "the graph of its tasks as a file");
  line.add_example("--graph dag.h5 --work-ns 0,1000,10000", "any graph, three lengths of tasks");
}

int body(int argc, char** argv) {
  request wanted;
  inputs given;
  bench::program app("juggler",
                     "Runs applications as graphs of tasks inside one kernel, and times it.",
                     {.trace = true, .threads = true});
  wanted.add_options(app);
  given.add_options(app);
  add_examples(app.line());
  app.line().set_list("methods\n" + bench::list_of(methods()) + list_of_experiments());
  if (!app.parse(argc, argv)) return exit_done;
  wanted.check(app, given);
  require_threads(app);
  std::vector<subject> const all_subjects = wanted.subjects(given, app.machine().properties());
  for (subject const& what : all_subjects) require_fit(app.machine(), what);
  if (!wanted.dag_file.empty()) {
    write_dag(app, wanted, given, all_subjects);
    app.put_in_place();
    return exit_done;
  }
  for (subject const& what : all_subjects)
    require_room(app.machine(), what, count_arms(app, wanted, what));
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(all_subjects.size());
  // The data of one subject is freed before the next.
  for (subject what : all_subjects) {
    given.make(what, app.common().seed);
    all.run(arms_of(app, wanted, what));
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
