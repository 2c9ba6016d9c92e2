#include "columns.hpp"

namespace gridloom::mhive::jacobi {
namespace {

std::string converged(row const& r) { return r.run.verdict == outcome::converged ? "yes" : "no"; }

double per_iteration_us(row const& r, double elapsed_ms) {
  return r.run.iterations == 0 ? bench::missing_real : elapsed_ms * 1e3 / r.run.iterations;
}

}  // namespace

bench::schema<row> runs_columns() {
  return {
      {"version", "", "version of the method", &row::version},
      {"scheduler", "", "scheduler of MHive, or none", &row::scheduler},
      {"matrix", "", "file or generator", &row::matrix},
      {"rows", "1", "rows and columns", &row::rows},
      {"entries", "1", "stored entries, the diagonal included", &row::entries},
      {"precision", "", "float or double", &row::precision},
      {"workers", "1", "thread blocks or host threads asked for; 0: all that fit", &row::workers},
      {"tasks", "1", "tasks of an iteration", &row::tasks},
      {"split_rows", "1", "rows that are several tasks", &row::split_rows},
      {"max_iterations", "1", "iterations at most", &row::max_iterations},
      {"tolerance", "1", "the residual below which x has converged", &row::tolerance},
      {"check_every", "1", "iterations between checkpoints or looks of the host",
       &row::check_every},
      {"iterations", "1", "iterations of the x that was returned",
       [](row const& r) { return r.run.iterations; }},
      {"per_iteration_us", "us", "elapsed_ms over the iterations",
       [](row const& r, bench::measured const& m) { return per_iteration_us(r, m.elapsed_ms); }},
      {"preprocess_ms", "ms", "sharing the rows among tasks, on the host", &row::preprocess_ms},
      {"residual", "1", "1-norm of the last change of x that was checked",
       [](row const& r) { return r.run.residual; }},
      {"serial_difference", "1", "1-norm of x less the serial reference's; NaN: off",
       &row::serial_difference},
      {"known_difference", "1",
       "1-norm of x less the x that the right side was made from; NaN: none",
       &row::known_difference},
      {"device_bytes", "bytes", "memory of the device that the version holds", &row::device_bytes},
      {"thesis_bytes", "bytes", "peak memory by Eq. 8.3",
       [](row const& r) { return thesis_bytes(r.rows, r.entries); }},
      {"floor_bytes", "bytes", "values, columns, offsets, right side and x, once",
       &row::floor_bytes},
      {"launches", "1", "kernels launched; 0: not counted",
       [](row const& r) { return r.run.launches; }},
      {"rounds", "1", "rounds of the controller; 0 where there is none",
       [](row const& r) { return r.run.rounds; }},
      {"phase_changes", "1", "changes of phase", [](row const& r) { return r.run.phase_changes; }},
      {"registers", "1", "registers a thread of the largest kernel; host: 0",
       [](row const& r) { return r.run.largest.registers; }},
      {"blocks_per_multiprocessor", "1", "blocks of it at once; host: 0",
       [](row const& r) { return r.run.largest.blocks_per_multiprocessor; }},
      {"converged", "", "yes, or no: ended at max_iterations or without a result", converged},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("iterations", [](row const& r, double) { return r.run.iterations; });
  all.show("converged", [](row const& r, double) { return converged(r); });
  all.show("us/iteration", per_iteration_us);
  all.show("residual", [](row const& r, double) { return r.run.residual; });
}

}  // namespace gridloom::mhive::jacobi
