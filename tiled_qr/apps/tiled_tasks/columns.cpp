#include "columns.hpp"

#include <algorithm>

namespace gridloom::tiled_qr::general {

namespace {

double gflops(row const& r, double ms) {
  return r.flops == 0 ? bench::missing_real : r.flops / ms * 1e-6;
}
double tasks_per_ms(row const& r, double ms) { return static_cast<double>(r.tasks) / ms; }

/// No schedule is shorter: the longest path, and all tasks over all workers.
double least_ms(row const& r) {
  if (r.work_ns <= 0) return bench::missing_real;
  double const path = static_cast<double>(r.longest_path);
  bool const counted = r.blocks != bench::missing_integer;
  double const share = counted ? static_cast<double>(r.tasks) / r.blocks : 0;
  return std::max(path, share) * static_cast<double>(r.work_ns) * 1e-6;
}

}  // namespace

bench::schema<row> runs_columns() {
  return {
      {"client", "", "whose tasks: qr, cholesky, example or graph", &row::client},
      {"method", "", "who runs them, as --method names it", &row::method},
      {"input", "", "the graph's file; empty for clients that make their input", &row::input},
      {"rows", "1", "rows and columns of the matrix, or chunks of the example", &row::rows},
      {"tile", "1", "rows and columns of a tile", &row::tile},
      {"updates", "", "cholesky: in-order by dependences, any-order by conflicts", &row::updates},
      {"work_ns", "ns", "graph: how long a task keeps its worker busy", &row::work_ns},
      {"tasks", "1", "tasks of the graph; 0 without tasks", &row::tasks},
      {"dependencies", "1", "its dependencies", &row::dependencies},
      {"uses", "1", "resources that its tasks use, together", &row::uses},
      {"longest_path", "1", "tasks on its longest path", &row::longest_path},
      {"priority", "", "which ready task goes next", &row::priority},
      {"classes", "1", "queues of ready tasks, one a class of priority", &row::classes},
      {"blocks", "1",
       "workers: thread blocks or host threads; missing where each task has a block of its own",
       &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"blas_core", "", "the processor that OpenBLAS has products for, where it is a rival",
       &row::blas_core},
      {"launches", "1", "launches of a run", &row::launches},
      {"finished", "1", "tasks executed, by the scheduler's own count", &row::finished},
      {"put_backs", "1", "times that a task was put back because of a conflict", &row::put_backs},
      {"data_bytes", "bytes", "what the tasks work on", &row::data_bytes},
      {"graph_bytes", "bytes", "graph, queues and words beside it", &row::graph_bytes},
      {"registers", "1", "of a thread of the kernel that executes tasks", &row::registers},
      {"shared_bytes", "bytes", "shared memory of a block of it", &row::shared_bytes},
      {"blocks_per_multiprocessor", "1", "blocks of it that a multiprocessor holds",
       &row::blocks_per_multiprocessor},
      {"residual", "1", "cholesky: |A - LL'| / (|A| n eps) of the verified run", &row::residual},
      {"least_ms", "ms", "graph: no schedule of these tasks on so many workers is shorter",
       [](row const& r) { return least_ms(r); }},
      {"tasks_per_ms", "1/ms", "tasks over elapsed_ms",
       [](row const& r, bench::measured const& times) {
         return tasks_per_ms(r, times.elapsed_ms);
       }},
      {"gflops", "Gflop/s", "operations as LAPACK counts them, over elapsed_ms",
       [](row const& r, bench::measured const& times) { return gflops(r, times.elapsed_ms); }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("client", [](row const& r, double) {
    return r.rows > 0 ? r.client + " " + std::to_string(r.rows) : r.client;
  });
  all.show("blocks", [](row const& r, double) {
    std::string const count =
        r.blocks == bench::missing_integer ? "a task" : std::to_string(r.blocks);
    return count + " x " + std::to_string(r.threads);
  });
  all.show("tasks/ms", tasks_per_ms);
  all.show("Gflop/s", gflops);
  all.show("least ms", [](row const& r, double) { return least_ms(r); });
}

}  // namespace gridloom::tiled_qr::general
