#include "tables.hpp"

namespace gridloom::pets {

using enum column_type;

result_table runs_table() {
  return {"runs",
          {{"graph", text, "", "file or specification of the task graph"},
           {"graph_seed", integer, "1", "seed of a generated graph"},
           {"algorithm", text, "", "list scheduler and policy"},
           {"backend", text, "", "host or cuda"},
           {"implementation", text, "", "who takes the steps"},
           {"selection", text, "", "host or device: where processors are selected"},
           {"tasks", integer, "1", "tasks"},
           {"edges", integer, "1", "edges"},
           {"levels", integer, "1", "tasks on the longest path"},
           {"processors", integer, "1", "processors"},
           {"repetition", integer, "1", "number of the repetition"},
           {"workers", integer, "1", "as asked for; 0: the implementation's choice"},
           {"threads", integer, "1", "of a block, as asked for; 0: the implementation's choice"},
           {"elapsed_ms", real, "ms", "all steps, to the schedule where it was made"},
           {"entries_ms", real, "ms", "entry discovery; -1 where not told apart"},
           {"metrics_ms", real, "ms", "levels and ranks; -1 where not told apart"},
           {"sort_ms", real, "ms", "order; -1 where not told apart"},
           {"selection_ms", real, "ms", "selection of processors; -1 where not told apart"},
           {"setup_ms", real, "ms", "memory taken, layout made and copied, once; 0 on the host"},
           {"fetch_ms", real, "ms", "a schedule made on a device copied to the host"},
           {"metrics_bytes", integer, "bytes",
            "what entry discovery and metrics must read and write in their layout; 0 on the host"},
           {"launches", integer, "1", "kernels of these two steps"},
           {"makespan", integer, "1", "finish of the last task, in units of the graph"},
           {"slr", real, "1", "makespan over the critical path with least costs"},
           {"speedup", real, "1", "least time on one processor over the makespan"},
           {"efficiency", real, "1", "speedup over the processors"},
           {"verified", integer, "1", "1: the schedule was checked"},
           {"status", text, "",
            "ok, wrong, differs: from the host's numbers or another run's, or timeout"}}};
}

result_table graphs_table() {
  return {"graphs",
          {{"graph", text, "", "file or specification of the task graph"},
           {"graph_seed", integer, "1", "seed of a generated graph"},
           {"processors", integer, "1", "processors"},
           {"kind", text, "", "random, gauss, fft, cholesky, topcuoglu or file"},
           {"tasks", integer, "1", "tasks"},
           {"edges", integer, "1", "edges"},
           {"levels", integer, "1", "tasks on the longest path"},
           {"widest", integer, "1", "tasks of the level with the most"},
           {"optimum", integer, "1",
            "least makespan of all, of up to 8 tasks on 4 processors; else -1"},
           {"v", real, "1", "tasks asked for; -1: no parameter of this kind, as below"},
           {"alpha", real, "1", "shape"},
           {"beta", real, "1", "mean out-degree"},
           {"ccr", real, "1", "communication to computation"},
           {"eta", real, "1", "range of a task's costs"},
           {"jump", real, "1", "levels that an edge may span; 0: any"}}};
}

result_table memory_table() {
  return {"memory",
          {{"backend", text, "", "host or cuda"},
           {"repetition", integer, "1", "number of the repetition"},
           {"bytes", integer, "bytes", "read and written by a copy within the machine's memory"},
           {"elapsed_ms", real, "ms", "time of the copy"}}};
}

result_table schedules_table() {
  return {"schedules",
          {{"graph", text, "", "file or specification of the task graph"},
           {"graph_seed", integer, "1", "seed of a generated graph"},
           {"algorithm", text, "", "list scheduler and policy"},
           {"processors", integer, "1", "processors there are"},
           {"task", integer, "1", "number of the task"},
           {"name", text, "", "name of the task"},
           {"level", integer, "1", "edges of the longest path from an entry"},
           {"rank", integer, "1", "rank by PETS: ACC + DTC + RPT"},
           {"place", integer, "1", "of the task in the order in which the algorithm took tasks"},
           {"processor", integer, "1", "where it runs"},
           {"start", integer, "1", "when it starts, in units of the graph"},
           {"finish", integer, "1", "when it is done, in units of the graph"}}};
}

}  // namespace gridloom::pets
