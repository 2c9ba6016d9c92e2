#include "traces.hpp"

#include "gridloom/bench/measured.hpp"

namespace gridloom::mhive::generic {
namespace {

struct task_row {
  std::string arm;
  traced_task task;
  std::string name;
};
struct node_row {
  std::size_t node;
  task_definition task;
};

}  // namespace

std::vector<result_table> trace_tables(execution_tree const& tree,
                                       std::span<bench::arm_trace const> traces) {
  bench::table<task_row> tasks(
      "trace", {{"arm", "", "scheduler and dependencies", &task_row::arm},
                {"worker", "1", "warp or host worker that executed the task",
                 [](task_row const& r) { return r.task.worker; }},
                {"node", "1", "number of the task type in the table tree",
                 [](task_row const& r) { return r.task.event.type; }},
                {"name", "", "name of the task type", &task_row::name},
                {"begin_ns", "ns", "begin of the task, counted from the arm's first begin",
                 [](task_row const& r) { return r.task.event.begin_ns; }},
                {"end_ns", "ns", "end of the task, counted from the arm's first begin",
                 [](task_row const& r) { return r.task.event.end_ns; }}});
  for (bench::arm_trace const& traced : traces) {
    for (traced_task const& task : traced.tasks) {
      tasks.add({traced.arm, task, tree.tasks().at(task.event.type).name});
    }
  }
  bench::table<node_row> nodes(
      "tree",
      {{"node", "1", "number of the task type, in topological order", &node_row::node},
       {"name", "", "name of the task type", [](node_row const& r) { return r.task.name; }},
       {"phase", "1", "phase, from 0", [](node_row const& r) { return r.task.phase; }},
       {"worker", "1", "threads per task", [](node_row const& r) { return r.task.worker_size; }},
       {"flops", "1", "floating-point operations per task",
        [](node_row const& r) { return r.task.flops; }}});
  for (std::size_t node = 0; node < tree.tasks().size(); ++node) {
    nodes.add({node, tree.tasks()[node]});
  }
  bench::table<transition> edges(
      "edges", {{"from", "1", "number of the task type that comes first", &transition::from},
                {"to", "1", "number of the task type that depends on it", &transition::to},
                {"probability", "1", "probability that an instance takes the transition",
                 &transition::probability}});
  for (transition const& edge : tree.transitions()) edges.add(edge);
  return {tasks.contents(), nodes.contents(), edges.contents()};
}

}  // namespace gridloom::mhive::generic
