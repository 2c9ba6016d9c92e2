#include "tables.hpp"

namespace gridloom::mhive::rcm {

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {{"arm", text, "", "version of the ordering"},
           {"matrix", text, "", "file or generator"},
           {"rows", integer, "1", "rows and columns"},
           {"entries", integer, "1", "stored entries, the diagonal included"},
           {"components", integer, "1", "connected components"},
           {"levels", integer, "1", "levels of all components together, from the serial starts"},
           {"start", text, "", "how start nodes were chosen"},
           {"candidates", integer, "1", "vertices of a last level that the search tries"},
           {"backend", text, "", "host or cuda"},
           {"workers", integer, "1", "thread blocks or host threads; 0: all that fit"},
           {"repetition", integer, "1", "number of the repetition"},
           {"place", integer, "1", "place among the arms of the repetition"},
           {"searches", integer, "1", "breadth-first searches for the start nodes"},
           {"start_ms", real, "ms", "search for the start nodes; -1: not told apart"},
           {"order_ms", real, "ms", "ordering from given start nodes; -1: not told apart"},
           {"both_ms", real, "ms", "search and ordering"},
           {"elapsed_ms", real, "ms", "both, with the copies to the device and back"},
           {"bandwidth_before", integer, "1", "max - min + 1 of row - column (thesis, Eq. 8.1)"},
           {"bandwidth", integer, "1", "the same after ordering"},
           {"half_bandwidth", integer, "1", "largest |row - column| after ordering"},
           {"bytes", integer, "bytes", "memory of the device that the arm holds"},
           {"equation_bytes", integer, "bytes", "peak memory after the thesis, Eq. 8.2"},
           {"same", text, "", "the order is the serial arm's: yes, no, off"},
           {"verified", text, "", "the order is one, as the graph alone tells: yes, no, off"},
           {"status", text, "", "ok, wrong, timeout or failed"}}};
}

result_table parts_table() {
  using enum column_type;
  return {"parts",
          {{"arm", text, "", "version of the ordering"},
           {"matrix", text, "", "file or generator"},
           {"place", integer, "1", "place of the part in the order of phases"},
           {"part", text, "", "task type or step"},
           {"tasks", integer, "1", "tasks of the type"},
           {"busy_ms", real, "ms", "time of all its tasks together"},
           {"elapsed_ms", real, "ms", "time during which at least one of them ran"}}};
}

}  // namespace gridloom::mhive::rcm
