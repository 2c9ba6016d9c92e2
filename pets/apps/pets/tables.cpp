#include "tables.hpp"

namespace gridloom::pets {
namespace {

constexpr char const* of_graph = "file or specification of the task graph";
constexpr char const* of_seed = "seed of a generated graph";
constexpr char const* of_unit = "us or 1: of makespans, starts, finishes, costs and ranks";
constexpr char const* of_algorithm = "list scheduler and policy";

/// A column of runs that is the graph's.
template <class Member>
auto of(Member graph_row::*member) {
  return [member](run_row const& r) { return r.graph.*member; };
}

}  // namespace

bench::schema<run_row> run_columns() {
  using row = run_row;
  return {
      {"graph", "", of_graph, of(&graph_row::name)},
      {"graph_seed", "1", of_seed, of(&graph_row::seed)},
      {"algorithm", "", of_algorithm, &row::algorithm},
      {"implementation", "", "who takes the steps", &row::implementation},
      {"selection", "", "host or device: where processors are selected", &row::selection},
      {"tasks", "1", "tasks", of(&graph_row::tasks)},
      {"edges", "1", "edges", of(&graph_row::edges)},
      {"levels", "1", "tasks on the longest path", of(&graph_row::levels)},
      {"processors", "1", "processors", of(&graph_row::processors)},
      {"workers", "1", "as asked for; 0: the implementation's choice", &row::workers},
      {"threads", "1", "of a block, as asked for; 0: the implementation's choice", &row::threads},
      {"entries_ms", "ms", "entry discovery; NaN where not told apart",
       [](row const& r) { return r.steps.entries_ms; }},
      {"metrics_ms", "ms", "levels and ranks; NaN where not told apart",
       [](row const& r) { return r.steps.metrics_ms; }},
      {"sort_ms", "ms", "order; NaN where not told apart",
       [](row const& r) { return r.steps.sort_ms; }},
      {"selection_ms", "ms", "selection of processors; NaN where not told apart",
       [](row const& r) { return r.steps.selection_ms; }},
      {"metrics_bytes", "bytes",
       "what entry discovery and metrics must read and write in their layout; 0 on the host",
       &row::metrics_bytes},
      {"launches", "1", "kernels of these two steps", &row::launches},
      {"makespan", "1", "finish of the last task, in the column unit",
       [](row const& r) { return r.found.makespan; }},
      {"unit", "", of_unit, of(&graph_row::unit)},
      {"slr", "1", "makespan over the critical path with least costs",
       [](row const& r) { return r.found.slr; }},
      {"speedup", "1", "least time on one processor over the makespan",
       [](row const& r) { return r.found.speedup; }},
      {"efficiency", "1", "speedup over the processors",
       [](row const& r) { return r.found.efficiency; }},
  };
}

bench::schema<graph_row> graph_columns() {
  using row = graph_row;
  return {
      {"graph", "", of_graph, &row::name},
      {"graph_seed", "1", of_seed, &row::seed},
      {"processors", "1", "processors", &row::processors},
      {"unit", "", of_unit, &row::unit},
      {"platform", "", "of a file: what its processors are, and what data pass between them",
       &row::platform},
      {"sha256", "", "of a file", &row::sha256},
      {"kind", "", "random, gauss, fft, cholesky, topcuoglu or file",
       [](row const& r) { return r.parameters.kind; }},
      {"tasks", "1", "tasks", &row::tasks},
      {"edges", "1", "edges", &row::edges},
      {"levels", "1", "tasks on the longest path", &row::levels},
      {"widest", "1", "tasks of the level with the most", &row::widest},
      {"optimum", "1", "least makespan of all, of up to 8 tasks on 4 processors; else -1",
       &row::optimum},
      {"lower_bound", "1", "critical path with least costs, or least costs over the processors",
       &row::lower_bound},
      {"v", "1", "tasks asked for; -1: no parameter of this kind, as below",
       [](row const& r) { return r.parameters.v; }},
      {"alpha", "1", "shape", [](row const& r) { return r.parameters.alpha; }},
      {"beta", "1", "mean out-degree", [](row const& r) { return r.parameters.beta; }},
      {"ccr", "1", "communication to computation", [](row const& r) { return r.parameters.ccr; }},
      {"eta", "1", "range of a task's costs", [](row const& r) { return r.parameters.eta; }},
      {"jump", "1", "levels that an edge may span; 0: any",
       [](row const& r) { return r.parameters.jump; }},
  };
}

bench::schema<copy_row> copy_columns() {
  return {
      {"backend", "", "host or cuda", &copy_row::backend},
      {"repetition", "1", "number of the repetition", &copy_row::repetition},
      {"bytes", "bytes", "read and written by a copy within the machine's memory",
       &copy_row::bytes},
      {"elapsed_ms", "ms", "time of the copy", &copy_row::elapsed_ms},
  };
}

bench::schema<task_row> task_columns() {
  using row = task_row;
  return {
      {"graph", "", of_graph, [](row const& r) { return r.graph->name; }},
      {"graph_seed", "1", of_seed, [](row const& r) { return r.graph->seed; }},
      {"algorithm", "", of_algorithm, &row::algorithm},
      {"processors", "1", "processors there are", [](row const& r) { return r.graph->processors; }},
      {"task", "1", "number of the task", &row::task},
      {"name", "", "name of the task", &row::name},
      {"level", "1", "edges of the longest path from an entry", &row::level},
      {"rank", "1", "rank by PETS: ACC + DTC + RPT", &row::rank},
      {"place", "1", "of the task in the order in which the algorithm took tasks", &row::place},
      {"processor", "1", "where it runs", [](row const& r) { return r.at.processor; }},
      {"start", "1", "when it starts, in the column unit", [](row const& r) { return r.at.start; }},
      {"finish", "1", "when it is done, in the column unit",
       [](row const& r) { return r.at.finish; }},
      {"unit", "", of_unit, [](row const& r) { return r.graph->unit; }},
  };
}

}  // namespace gridloom::pets
