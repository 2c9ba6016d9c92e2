#include "columns.hpp"

#include "published/published_arms.hpp"

namespace gridloom::mhive::rcm {

bench::schema<row> runs_columns() {
  return {
      {"matrix", "", "file or generator", &row::matrix},
      {"rows", "1", "rows and columns", &row::rows},
      {"entries", "1", "stored entries, the diagonal included", &row::entries},
      {"components", "1", "connected components", &row::components},
      {"levels", "1", "levels of all components together, from the serial starts", &row::levels},
      {"start", "", "how start nodes were chosen", &row::start},
      {"candidates", "1", "vertices of a last level that the search tries", &row::candidates},
      {"workers", "1", "thread blocks or host threads; 0: all that fit", &row::workers},
      {"searches", "1", "breadth-first searches for the start nodes",
       [](row const& r) { return r.run.searches; }},
      {"start_ms", "ms", "search for the start nodes; NaN: not told apart",
       [](row const& r) { return r.run.start_ms; }},
      {"order_ms", "ms", "ordering from given start nodes; NaN: not told apart",
       [](row const& r) { return r.run.order_ms; }},
      {"both_ms", "ms", "search and ordering: elapsed_ms",
       [](row const&, bench::measured const& m) { return m.elapsed_ms; }},
      {"bandwidth_before", "1", "max - min + 1 of row - column (thesis, Eq. 8.1)",
       &row::bandwidth_before},
      {"bandwidth", "1", "the same after ordering", &row::bandwidth},
      {"half_bandwidth", "1", "largest |row - column| after ordering", &row::half_bandwidth},
      {"bytes", "bytes", "memory of the device that the arm holds", &row::bytes},
      {"equation_bytes", "bytes", "peak memory after the thesis, Eq. 8.2",
       [](row const& r) { return bytes_by_equation_8_2(r.rows, r.entries); }},
      {"same", "", "the order is the serial arm's: yes, no, off", &row::same},
  };
}

bench::schema<part_row> parts_columns() {
  return {
      {"arm", "", "version of the ordering", &part_row::arm},
      {"matrix", "", "file or generator", &part_row::matrix},
      {"place", "1", "place of the part in the order of phases", &part_row::place},
      {"part", "", "task type or step", [](part_row const& r) { return r.of.part; }},
      {"tasks", "1", "tasks of the type", [](part_row const& r) { return r.of.tasks; }},
      {"busy_ms", "ms", "time of all its tasks together",
       [](part_row const& r) { return r.of.busy_ms; }},
      {"elapsed_ms", "ms", "time during which at least one of them ran",
       [](part_row const& r) { return r.of.elapsed_ms; }},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show_median("start ms", [](row const& r) { return r.run.start_ms; });
  all.show_median("order ms", [](row const& r) { return r.run.order_ms; });
  all.show("bandwidth", [](row const& r, double) { return r.bandwidth; });
}

}  // namespace gridloom::mhive::rcm
