#include "columns.hpp"

#include <algorithm>

#include "graph_shape.hpp"

namespace gridloom::juggler {

namespace {

double gflops(row const& r, double ms) {
  return r.flops == 0 ? bench::missing_real : r.flops / ms * 1e-6;
}
/// Elements or bytes per second.
double per_second(double count, double ms) {
  return count == 0 ? bench::missing_real : count / ms * 1e3;
}
double tasks_per_ms(row const& r, double ms) {
  return r.finished <= 0 ? bench::missing_real : static_cast<double>(r.finished) / ms;
}

/// The set-up before a run.
double overhead_ms(row const& r) {
  return r.init_app_context_h_ms + r.inspection_ms + r.build_csr_ms + r.init_app_context_d_ms +
         r.init_rt_context_d_ms;
}

/// A lower bound of every schedule: the longest path, or all tasks divided by the workers.
double least_ms(row const& r) {
  if (r.work_ns <= 0 || r.workers < 1) return bench::missing_real;
  double const path = static_cast<double>(r.longest_path);
  double const share = static_cast<double>(r.tasks) / r.workers;
  return std::max(path, share) * static_cast<double>(r.work_ns) * 1e-6;
}

std::string load_text(row const& r) {
  if (r.max_task_load < 0) return "";
  return std::to_string(r.min_task_load) + " to " + std::to_string(r.max_task_load);
}

}  // namespace

bench::schema<row> runs_columns() {
  return {
      {"experiment", "", "the value of --experiment; figures select by it", &row::experiment},
      {"app", "", "the application, as --app names it", &row::app},
      {"method", "", "the method, as --method names it", &row::method},
      {"kernels", "", "the tile kernels, as --kernels names them", &row::kernels},
      {"input", "", "names of the input's files; empty for a random input", &row::input},
      {"rows", "1", "rows of the matrix or image", &row::rows},
      {"cols", "1", "columns of the matrix or image", &row::cols},
      {"tile", "1", "rows and columns of a tile", &row::tile},
      {"bins", "1", "int_hist: bins of the histogram", &row::bins},
      {"steps", "1", "heat, jacobi: time steps", &row::steps},
      {"work_ns", "ns", "graph: how long a task keeps its worker busy", &row::work_ns},
      {"tasks", "1", "tasks of the graph", &row::tasks},
      {"edges", "1", "edges of the graph", &row::edges},
      {"longest_path", "1", "tasks on the longest path", &row::longest_path},
      {"widest_wave", "1", "largest number of tasks of one depth", &row::widest_wave},
      {"workers", "1", "thread blocks or host threads", &row::workers},
      {"threads", "1", "threads per block", &row::threads},
      {"placing", "", "how workers are numbered, as --placing names it; empty: no resident workers",
       &row::placing},
      {"queue_length", "1", "entries per queue", &row::queue_length},
      {"init_app_context_h_ms", "ms", "initAppContext_H: room on the host for tasks and edges",
       &row::init_app_context_h_ms},
      {"inspection_ms", "ms", "the inspection loop: tasks and what they depend on",
       &row::inspection_ms},
      {"build_csr_ms", "ms", "buildCSR: the graph", &row::build_csr_ms},
      {"init_app_context_d_ms", "ms", "initAppContext_D: tasks and graph to the device",
       &row::init_app_context_d_ms},
      {"init_rt_context_d_ms", "ms", "initRtContext_D: queues and words of a run",
       &row::init_rt_context_d_ms},
      {"overhead_ms", "ms", "the sum of the five times above",
       [](row const& r) { return overhead_ms(r); }},
      {"with_overhead_ms", "ms", "elapsed_ms + overhead_ms: the time that the paper reports",
       [](row const& r, bench::measured const& times) {
         return times.elapsed_ms + overhead_ms(r);
       }},
      {"launches", "1", "launches per run", &row::launches},
      {"finished", "1",
       "tasks executed, by the scheduler's own count; look_back, carries, temporal: tiles",
       &row::finished},
      {"max_task_load", "1", "tasks of the busiest worker", &row::max_task_load},
      {"min_task_load", "1", "tasks of the idlest worker", &row::min_task_load},
      {"data_bytes", "bytes", "the application's data", &row::data_bytes},
      {"graph_bytes", "bytes", "graph, queues and words of a run", &row::graph_bytes},
      {"registers", "1", "registers per thread of the kernel that executes tasks", &row::registers},
      {"shared_bytes", "bytes", "shared memory per block of that kernel", &row::shared_bytes},
      {"blocks_per_multiprocessor", "1", "blocks of that kernel per multiprocessor",
       &row::blocks_per_multiprocessor},
      {"residual", "1", "lud: |A - LU| / (n |A| eps) of the verified run", &row::residual},
      {"least_ms", "ms", "graph: lower bound of any schedule of these tasks on these workers",
       [](row const& r) { return least_ms(r); }},
      {"tasks_per_ms", "1/ms", "finished over elapsed_ms; missing if nothing is counted",
       [](row const& r, bench::measured const& times) {
         return tasks_per_ms(r, times.elapsed_ms);
       }},
      {"gflops", "Gflop/s",
       "lud: operations as LAPACK counts them, over elapsed_ms; updates, dgemm, dgemm_update: of "
       "their products",
       [](row const& r, bench::measured const& times) { return gflops(r, times.elapsed_ms); }},
      {"score", "1", "sw: the highest score", &row::score},
      {"end_row", "1", "sw: its row from 1 on, of several the smallest; 0: no score is above 0",
       &row::end_row},
      {"end_col", "1", "sw: its column from 1 on, of several in that row the smallest",
       &row::end_col},
      {"distance", "1", "dtw: the cost of the whole match", &row::distance},
      {"elements_per_s", "1/s", "elements or pixels of the result, in each step, over elapsed_ms",
       [](row const& r, bench::measured const& times) {
         return per_second(r.elements, times.elapsed_ms);
       }},
      {"bytes_per_s", "bytes/s",
       "inputs and results, each moved once a step, over elapsed_ms; to be held against "
       "floor_copy_gbs",
       [](row const& r, bench::measured const& times) {
         return per_second(r.least_bytes, times.elapsed_ms);
       }},
      {"floor_elements_per_s", "1/s",
       "floor: its elements over elapsed_ms; for elements_per_s to be held against",
       [](row const& r, bench::measured const& times) {
         return per_second(r.floor_elements, times.elapsed_ms);
       }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("app", [](row const& r, double) {
    return r.rows > 0 ? r.app + " " + std::to_string(r.rows) + "/" + std::to_string(r.tile) : r.app;
  });
  all.show("tasks", [](row const& r, double) { return std::to_string(r.tasks); });
  all.show("at once",
           [](row const& r, double) { return at_once_text(r.narrowest_wave, r.widest_wave); });
  all.show("workers", [](row const& r, double) {
    if (r.workers < 0) return std::string();
    return std::to_string(r.workers) + " x " + std::to_string(r.threads);
  });
  all.show("load", [](row const& r, double) { return load_text(r); });
  all.show_median("overhead ms", overhead_ms);
  all.show("tasks/ms", tasks_per_ms);
  all.show("Gflop/s", gflops);
  all.show("Gelement/s", [](row const& r, double ms) {
    return per_second(r.method == "floor" ? r.floor_elements : r.elements, ms) * 1e-9;
  });
  all.show("GB/s", [](row const& r, double ms) { return per_second(r.least_bytes, ms) * 1e-9; });
  all.show("least ms", [](row const& r, double) { return least_ms(r); });
}

}  // namespace gridloom::juggler
