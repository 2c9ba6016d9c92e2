#include "columns.hpp"

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

namespace {

double gflops(row const& r, double ms) { return flops_of(r.rows, r.cols) / ms * 1e-6; }

}  // namespace

bench::schema<row> runs_columns() {
  return {
      {"method", "", "method, as --method names it", &row::method},
      {"input", "", "family of the matrix, or the name of its file", &row::input},
      {"precision", "", "float or double", &row::precision},
      {"rows", "1", "rows of the matrix", &row::rows},
      {"cols", "1", "columns of the matrix", &row::cols},
      {"tile", "1", "rows and columns of a tile; 0 without tiles", &row::tile},
      {"tasks", "1", "tasks of the grid; 0 without tasks", &row::tasks},
      {"blocks", "1", "workers that execute tasks: thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"priority", "", "which ready task goes next", &row::priority},
      {"weight", "1", "single tasks that one on two tiles counts as", &row::weight},
      {"single_us", "us", "mean time of a task on one tile, where the weight was measured",
       &row::single_us},
      {"double_us", "us", "the same of a task on two", &row::double_us},
      {"finished", "1", "tasks executed, by the scheduler's own count", &row::finished},
      {"matrix_bytes", "bytes", "the matrix", &row::matrix_bytes},
      {"extra_bytes", "bytes", "factors tau, grid and queues beside it", &row::extra_bytes},
      {"members", "1", "blocks that share a panel", &row::members},
      {"chains", "1", "sums over the rows that all panels of 32 columns took together",
       &row::chains},
      {"registers", "1", "of a thread of the kernel that executes tasks", &row::registers},
      {"shared_bytes", "bytes", "shared memory of a block of it", &row::shared_bytes},
      {"blocks_per_multiprocessor", "1", "blocks of it that a multiprocessor holds",
       &row::blocks_per_multiprocessor},
      {"factors_residual", "1", "|A - QR| / (|A| max(m, n) eps) of the verified run",
       &row::factors_residual},
      {"orthogonality", "1", "|I - Q'Q| / (n eps) of the verified run", &row::orthogonality},
      {"diagonal_residual", "1", "R's diagonal beside LAPACK's, of the verified run",
       &row::diagonal_residual},
      {"gflops", "Gflop/s",
       "operations of a QR of this size, as LAPACK counts them, over elapsed_ms",
       [](row const& r, bench::measured const& times) { return gflops(r, times.elapsed_ms); }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("matrix", [](row const& r, double) {
    return std::to_string(r.rows) + " x " + std::to_string(r.cols) + " " + r.precision;
  });
  all.show("blocks", [](row const& r, double) {
    return std::to_string(r.blocks) + " x " + std::to_string(r.threads);
  });
  all.show("Gflop/s", gflops);
  all.show("residual", [](row const& r, double) { return r.factors_residual; });
}

}  // namespace gridloom::tiled_qr
