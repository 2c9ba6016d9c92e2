#include <algorithm>

#include "apps/schedulers/arms.hpp"

namespace gridloom::schedulers {

namespace {

/// The critical path, or all work divided by the workers, whichever is larger.
double least_ms(row const& r) {
  if (r.workers == bench::missing_integer) return bench::missing_real;
  drawn_work const& work = r.problem->work;
  return std::max(work.path, work.total / static_cast<double>(r.workers)) *
         static_cast<double>(r.problem->work_ns) * 1e-6;
}

}  // namespace

bench::schema<row> shape_columns() {
  return {
      {"graph", "", "specification or file of the graph", &scene::name},
      {"scheduler", "", "scheduler, as --scheduler names it", &row::method},
      {"by", "", "origin of the scheduler: published, ours or rival",
       [](row const& r) { return text_of(scheduler_of(r).by); }},
      {"durations", "", "how the durations of tasks differ, as --durations names it",
       &scene::durations},
      {"seed", "1", "seed of the durations", &scene::seed},
      {"tasks", "1", "number of tasks",
       [](row const& r) { return static_cast<std::int64_t>(r.problem->graph.tasks()); }},
      {"edges", "1", "number of dependences",
       [](row const& r) { return static_cast<std::int64_t>(r.problem->graph.edges()); }},
      {"depth", "1", "tasks on the longest path",
       [](row const& r) { return r.problem->shape.depth; }},
      {"widest_level", "1", "tasks of the widest level",
       [](row const& r) { return r.problem->shape.widest_level; }},
      {"workers", "1", "tasks that can run at once, after --workers and what fits", &row::workers},
      {"workers_asked", "1", "value of --workers; 0: as many as fit", &row::workers_asked},
      {"level_blocks", "", "value of --level-blocks; empty where that has no effect",
       &row::level_blocks},
      {"threads", "1", "threads per task", &row::threads},
  };
}

bench::schema<row> columns() {
  bench::schema<row> made = shape_columns();
  for (bench::field<row> const &one : bench::schema<row>{
           {"work_ns", "ns", "mean time for which a task keeps its worker busy", &scene::work_ns},
           {"critical_path_ns", "ns", "time of the path of tasks that takes longest",
            [](row const&r) {
              return r.problem->work.path * static_cast<double>(r.problem->work_ns);
            }},
           {"launches", "1", "kernel launches per run", &row::launches},
           {"executed", "1", "number of executed tasks that the scheduler counted", &row::executed},
           {"bytes_per_task", "bytes", "device memory of the graph and the scheduler",
            &row::bytes_per_task},
           {"setup_graph_ms", "ms", "part of the set-up: copying the graph; missing if unknown",
            &row::set_up, &set_up_times::graph_ms},
           {"setup_state_ms", "ms",
            "part of the set-up: orders, levels, plans and recorded launches; missing if unknown",
            &row::set_up, &set_up_times::state_ms},
           {"predicted_ms", "ms", "time of the run that a plan predicts; missing without a plan",
            &row::predicted_ms},
           {"registers", "1", "registers per thread of the kernel",
            bench::kernel_fact(&kernel_facts::registers)},
           {"blocks_per_multiprocessor", "1", "blocks of the kernel on a multiprocessor at once",
            bench::kernel_fact(&kernel_facts::blocks_per_multiprocessor)},
           {"least_ms", "ms", "lower bound of the run: critical path, or work divided by workers",
            least_ms},
           {"efficiency", "1", "least_ms divided by elapsed_ms",
            [](row const&r, double ms) { return least_ms(r) / ms; }},
           {"tasks_per_ms", "1/ms", "number of tasks divided by elapsed_ms",
            [](row const&r, double ms) {
              return static_cast<double>(r.problem->graph.tasks()) / ms;
            }},
       })
    made.push_back(one);
  return made;
}

}  // namespace gridloom::schedulers
