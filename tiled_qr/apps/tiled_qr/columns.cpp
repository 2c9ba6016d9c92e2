#include "columns.hpp"

#include <algorithm>

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

namespace {

double gflops(row const& r, double ms) {
  auto const m = static_cast<double>(r.rows);
  auto const n = static_cast<double>(std::min(r.rows, r.cols));
  double const q = r.q == "formed" ? 2 * m * n * n - 2 * n * n * n / 3 : 0;
  return static_cast<double>(r.batch) * (flops_of(r.rows, r.cols) + q) / ms * 1e-6;
}

}  // namespace

bench::schema<row> runs_columns() {
  return {
      {"method", "", "method, as --method names it", &row::method},
      {"input", "", "family of the matrix, or the name of its file", &row::input},
      {"condition", "1", "condition number of a matrix of the family conditioned", &row::condition},
      {"precision", "", "float or double", &row::precision},
      {"rows", "1", "rows of the matrix", &row::rows},
      {"cols", "1", "columns of the matrix", &row::cols},
      {"batch", "1", "matrices of this size that a run factorises", &row::batch},
      {"q", "", "formed: explicit Q is part of the run; implicit: it is left as reflectors",
       &row::q},
      {"former", "",
       "how panels formed Q: steps, in the run itself; tall, in two passes over the rows of "
       "reflectors; groups, some panels at a time",
       &row::former},
      {"tile", "1", "rows and columns of a tile; 0 without tiles", &row::tile},
      {"tasks", "1", "tasks of the grids of the batch; 0 without tasks", &row::tasks},
      {"blocks", "1",
       "workers that execute tasks: thread blocks or host threads; missing where each task has a "
       "block of its own",
       &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"priority", "", "which ready task goes next", &row::priority},
      {"weight", "1", "single tasks that one on two tiles counts as", &row::weight},
      {"single_us", "us", "mean time of a task on one tile, where the weight was measured",
       &row::single_us},
      {"double_us", "us", "the same of a task on two", &row::double_us},
      {"blas_core", "", "the processor that OpenBLAS has products for, where it is a rival",
       &row::blas_core},
      {"omp_wait", "",
       "OMP_WAIT_POLICY where OpenMP's threads run the tasks; default: it was not set, and threads "
       "sleep after some milliseconds without work",
       &row::omp_wait},
      {"finished", "1", "tasks executed, by the scheduler's own count", &row::finished},
      {"matrix_bytes", "bytes", "the matrices of the batch", &row::matrix_bytes},
      {"extra_bytes", "bytes", "factors tau, grid, queues and workspace beside them",
       &row::extra_bytes},
      {"formed_bytes", "bytes", "explicit Q, or R, where they do not stand in place of the matrix",
       &row::formed_bytes},
      {"members", "1", "blocks that share a panel", &row::members},
      {"chains", "1", "sums over the rows that all panels of 32 columns took together",
       &row::chains},
      {"steps", "1",
       "of CholeskyQR, each with a sum over the rows; of a batch the most. With chains besides, "
       "these "
       "did what the steps left",
       &row::steps},
      {"registers", "1", "of a thread of the kernel that executes tasks", &row::registers},
      {"shared_bytes", "bytes", "shared memory of a block of it", &row::shared_bytes},
      {"blocks_per_multiprocessor", "1", "blocks of it that a multiprocessor holds",
       &row::blocks_per_multiprocessor},
      {"factors_residual", "1", "|A - QR| / (|A| max(m, n) eps) of the verified run",
       &row::factors_residual},
      {"orthogonality", "1", "|I - Q'Q| / (n eps) of the verified run", &row::orthogonality},
      {"diagonal_residual", "1", "R's diagonal beside LAPACK's, of the verified run",
       &row::diagonal_residual},
      {"verification", "",
       "how residuals were found: full, by products of all of Q and R; sample, by random vectors, "
       "residuals are then those of the longest column; none",
       &row::verification},
      {"verification_vectors", "1", "vectors of a sample", &row::verification_vectors},
      {"verified_matrices", "1",
       "matrices of the batch that were verified; the residuals are the worst of them",
       &row::verified_matrices},
      {"scale_exponent", "1",
       "matrices were multiplied by 2 to the power of this and R divided by it, within the run; of "
       "a batch the one furthest from 0",
       &row::scale_exponent},
      {"broke_down", "1",
       "Cholesky's factorisations without a positive pivot in the verified run, of the batch",
       &row::broke_down},
      {"gflops", "Gflop/s",
       "operations of the QRs, and of forming Q where it is, as LAPACK counts them, over "
       "elapsed_ms",
       [](row const& r, bench::measured const& times) { return gflops(r, times.elapsed_ms); }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("matrix", [](row const& r, double) {
    std::string const count = r.batch > 1 ? std::to_string(r.batch) + " of " : "";
    std::string const scaled = r.scale_exponent != 0 && r.scale_exponent != bench::missing_integer
                                   ? " scaled by 2^" + std::to_string(r.scale_exponent)
                                   : "";
    return count + std::to_string(r.rows) + " x " + std::to_string(r.cols) + " " + r.precision +
           scaled;
  });
  all.show("blocks", [](row const& r, double) {
    std::string const count =
        r.blocks == bench::missing_integer ? "a task" : std::to_string(r.blocks);
    return count + " x " + std::to_string(r.threads);
  });
  all.show("Gflop/s", gflops);
  all.show("residual", [](row const& r, double) { return r.factors_residual; });
  all.show("verification", [](row const& r, double) { return r.verification; });
}

}  // namespace gridloom::tiled_qr
