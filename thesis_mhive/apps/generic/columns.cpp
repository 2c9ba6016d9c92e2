#include "columns.hpp"

namespace gridloom::mhive::generic {

kernel_facts row::largest() const {
  kernel_facts found;
  for (kernel_report const& kernel : run.kernels) {
    if (kernel.facts.registers > found.registers) found = kernel.facts;
  }
  return found;
}

bench::schema<row> runs_columns() {
  return {
      {"experiment", "", "preset, or custom for a tree from a file", &row::experiment},
      {"scheduler", "", "scheduler, as --scheduler names it", &row::scheduler},
      {"dependencies", "", "phases, individual, or launches for the graph", &row::dependencies},
      {"tree", "", "preset or file of the execution tree", &row::tree},
      {"instances", "1", "instances of the tree", &row::instances},
      {"seed", "1", "which transitions are taken follows from it", &row::seed},
      {"tasks", "1", "tasks of all instances", &row::tasks},
      {"workers", "1", "thread blocks or host threads asked for; 0: all that fit", &row::workers},
      {"phase_changes", "1", "changes of the current phase",
       [](row const& r) { return r.run.phase_changes; }},
      {"rounds", "1", "rounds of the controller; 0 where there is none",
       [](row const& r) { return r.run.rounds; }},
      {"launches", "1", "kernels launched by a controller or the graph",
       [](row const& r) { return r.run.launches; }},
      {"registers", "1", "registers a thread of the largest kernel",
       [](row const& r) { return r.largest().registers; }},
      {"local_bytes", "bytes", "local memory a thread of that kernel",
       [](row const& r) { return r.largest().local_bytes; }},
      {"blocks_per_multiprocessor", "1", "blocks of that kernel that run at once",
       [](row const& r) { return r.largest().blocks_per_multiprocessor; }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("tasks/s",
           [](row const& r, double ms) { return static_cast<double>(r.tasks) / ms * 1e3; });
}

}  // namespace gridloom::mhive::generic
