#include "columns.hpp"

namespace gridloom::wavefront {

bench::schema<row> runs_columns() {
  return {
      {"experiment", "", "experiment the row belongs to", &row::experiment},
      {"algorithm", "", "algorithm, as --algorithm names it", &row::algorithm},
      {"graph", "", "lattice or dag", &row::graph},
      {"input", "", "name of the graph's file, without its folder; empty: a lattice of indices",
       &row::input},
      {"rows", "1", "rows of the lattice; 1 for a dag", &row::rows},
      {"cols", "1", "columns of the lattice; tasks of a dag", &row::cols},
      {"depth", "1", "depth of the lattice; 1 for a dag", &row::depth},
      {"tasks", "1", "tasks of the graph", &row::tasks},
      {"edges", "1", "dependences of the graph", &row::edges},
      {"critical_path", "1", "tasks on the longest path", &row::critical_path},
      {"blocks", "1", "workers: thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"queues", "1", "locked queues; 0 where there are none", &row::queues},
      {"hash", "", "hash2 of multi_queue", &row::hash},
      {"numbering", "", "in_order: whose numbers tasks are taken by: auto, own or levels",
       &row::numbering},
      {"tile", "1", "omp_tiles: cells of a tile's side, or tasks of a dag's tile; 0: no tiles",
       &row::tile},
      {"body", "", "what a task does: noop, work or recurrence", &row::body},
      {"work_ns", "ns", "nominal length of a task's synthetic work, the mean of those drawn",
       &row::work_ns},
      {"durations", "",
       "how the lengths are drawn: constant, uniform, exponential or rare-long; empty: no work",
       &row::durations},
      {"work_total_ms", "ms", "lengths drawn, all tasks together", &row::work_total_ms},
      {"work_path_ms", "ms", "lengths drawn, the most along one path", &row::work_path_ms},
      {"width", "", "who executes a task: a lane (thread) or a block", &row::width},
      {"counters", "1", "1: counting build, without times", &row::counters},
      {"executed", "1", "tasks executed, by the scheduler's own count", &row::executed},
      {"cas", "1", "compare-and-swap operations of the scheduler (counting build)",
       [](row const& r) { return r.counts.compare_exchanges; }},
      {"atomics", "1", "other atomic operations of the scheduler (counting build)",
       [](row const& r) { return r.counts.atomics; }},
      {"loads", "1", "loads of shared words by the scheduler (counting build)",
       [](row const& r) { return r.counts.loads; }},
      {"stores", "1", "stores to shared words by the scheduler (counting build)",
       [](row const& r) { return r.counts.stores; }},
      {"scheduler_bytes", "bytes", "memory beside the graph and the tasks' results",
       &row::scheduler_bytes},
      {"units", "1", "tasks that can be executed at the same time", &row::units},
      {"waves_ms", "ms", "computing the waves on the host and copying them; not in setup_ms",
       &row::waves_ms},
      {"record_ms", "ms", "recording the CUDA graph and making it ready; not in setup_ms",
       &row::record_ms},
  };
}

bench::schema<named_row> worker_columns() {
  return {
      {"arm", "", "name of the arm", &named_row::arm},
      {"algorithm", "", "algorithm", [](named_row const& of) { return of.facts.algorithm; }},
      {"tasks", "1", "tasks of the graph", [](named_row const& of) { return of.facts.tasks; }},
      {"blocks", "1", "workers: thread blocks or host threads",
       [](named_row const& of) { return of.facts.blocks; }},
      {"threads", "1", "threads of a block", [](named_row const& of) { return of.facts.threads; }},
      {"width", "", "who executes a task: a lane, and each is a worker of the trace, or a block",
       [](named_row const& of) { return of.facts.width; }},
      {"queues", "1", "locked queues; worker w takes its tasks from queue w mod queues",
       [](named_row const& of) { return of.facts.queues; }},
  };
}

void show_figures(bench::harness<row>& all) {
  auto const times = [](auto a, auto b) { return std::to_string(a) + " x " + std::to_string(b); };
  all.show("graph", [=](row const& r, double) {
    return times(r.rows, r.cols) + (r.depth > 1 ? " x " + std::to_string(r.depth) : "");
  });
  all.show("blocks", [=](row const& r, double) { return times(r.blocks, r.threads); });
  all.show("work ns", [](row const& r, double) { return r.work_ns; });
  all.show("tasks/s", [](row const& r, double ms) { return r.tasks / ms * 1e3; });
  all.show("ns/hop", [](row const& r, double ms) { return ms * 1e6 / r.critical_path; });
  all.show("B/task",
           [](row const& r, double) { return static_cast<double>(r.scheduler_bytes) / r.tasks; });
}

}  // namespace gridloom::wavefront
