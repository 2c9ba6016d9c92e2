#include "gridloom/bench/trace_log.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gridloom/bench/measured.hpp"

namespace gridloom::bench {

trace_ref trace_log::arm(device& machine, int workers, std::uint32_t capacity, traced_graph graph) {
  if (!room_ || room_->workers != workers || room_->capacity != capacity) {
    // Frees the old memory before the new one is allocated.
    release();
    room_.emplace(room{workers, capacity, trace_buffer(machine, workers, capacity)});
  }
  is_armed_ = true;
  bool const is_known = graph != traced_graph{};
  if (is_known && (graphs_.empty() || graphs_.back() != graph)) graphs_.push_back(std::move(graph));
  armed_graph_ = is_known ? std::ssize(graphs_) - 1 : -1;
  return room_->events.arm();
}

arm_trace const* trace_log::keep(std::string name) {
  if (!std::exchange(is_armed_, false)) return nullptr;
  arm_trace& kept = kept_.emplace_back(std::move(name), room_->events.events(),
                                       room_->events.dropped(), armed_graph_);
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (traced_task const& task : kept.tasks) first = std::min(first, task.event.begin_ns);
  for (traced_task& task : kept.tasks) {
    task.event.begin_ns -= first;
    task.event.end_ns -= first;
  }
  return &kept;
}

void trace_log::release() {
  is_armed_ = false;
  room_.reset();
}

result_table trace_log::tasks() const {
  struct row {
    std::string const& arm;
    traced_task const& task;
  };
  table<row> rows(
      "trace",
      {{"arm", "", "name of the traced arm", [](row const& event) { return event.arm; }},
       {"worker", "1", "number of the worker that executed the task",
        [](row const& event) { return event.task.worker; }},
       {"task", "1", "number of the task", [](row const& event) { return event.task.event.task; }},
       {"type", "1", "number of the task type",
        [](row const& event) { return event.task.event.type; }},
       {"begin_ns", "ns", "begin of the task, counted from the arm's first begin",
        [](row const& event) { return event.task.event.begin_ns; }},
       {"end_ns", "ns", "end of the task, counted from the arm's first begin",
        [](row const& event) { return event.task.event.end_ns; }}});
  for (arm_trace const& one : kept_) {
    for (traced_task const& task : one.tasks) rows.add({one.arm, task});
  }
  return rows.contents();
}

result_table trace_log::arms() const {
  table<arm_trace> rows(
      "traced", {{"arm", "", "name of the traced arm", &arm_trace::arm},
                 {"events", "1", "number of recorded tasks",
                  [](arm_trace const& trace) { return trace.tasks.size(); }},
                 {"dropped", "1", "number of tasks that did not fit into the trace's memory",
                  &arm_trace::dropped},
                 {"graph", "1", "number of the graph in dependences and task_types; -1: unknown",
                  &arm_trace::graph}});
  for (arm_trace const& one : kept_) rows.add(one);
  return rows.contents();
}

std::vector<result_table> trace_log::graphs() const {
  struct edge {
    std::size_t graph;
    std::uint64_t from;
    std::uint32_t to;
  };
  struct type {
    std::size_t graph, number;
    std::string name;
  };
  table<edge> edges("dependences",
                    {{"graph", "1", "number of the graph", &edge::graph},
                     {"from", "1", "number of the task that must finish first", &edge::from},
                     {"to", "1", "number of the task that waits for it", &edge::to}});
  table<type> types("task_types", {{"graph", "1", "number of the graph", &type::graph},
                                   {"type", "1", "number of the task type", &type::number},
                                   {"name", "", "name of the task type", &type::name}});
  for (std::size_t graph = 0; graph < graphs_.size(); ++graph) {
    auto const& [successors, names] = graphs_[graph];
    for (std::uint64_t task = 0; task < successors.tasks(); ++task) {
      for (std::uint32_t const to : successors.of(task)) edges.add({graph, task, to});
    }
    for (std::size_t number = 0; number < names.size(); ++number)
      types.add({graph, number, names[number]});
  }
  std::vector<result_table> found;
  for (result_table const* one : {&edges.contents(), &types.contents()}) {
    if (one->rows() != 0) found.push_back(*one);
  }
  return found;
}

}  // namespace gridloom::bench
