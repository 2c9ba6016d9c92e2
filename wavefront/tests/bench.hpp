#pragma once
// A graph on a machine, ready for any algorithm, and the configurations that tests run.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "test_support.hpp"
#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront::test {

struct grid {
  int blocks;
  int threads;
};

inline device_graph make_store(device& machine, test_graph const& graph) {
  if (graph.size) return {machine, *graph.size};
  return {machine, graph.rows};
}

/// A time limit that only a hang exceeds, however slow the machine is.
inline constexpr double long_limit_s = 300;

/// Results of one run.
struct run_result {
  std::uint64_t executed = 0;
  bool stopped = false;
  /// The watchdog's notes.
  std::vector<std::string> waits;
  /// Results of the recurrence.
  std::vector<std::uint32_t> values;
  /// Results of a run with a wide body.
  std::vector<wide_value> wide_values;
};

/// Owns everything that schedulers on one graph share, for grids up to `most`.
class bench {
 public:
  bench(device& on, test_graph const& what, grid most)
      : machine(on),
        graph(make_store(on, what)),
        observers(most.blocks * most.threads),
        dog(on, observers, long_limit_s) {
    memory.dependencies = on.allocate<std::uint32_t>(graph.tasks());
    memory.values = on.allocate<std::uint32_t>(graph.tasks());
    memory.words = on.allocate<scheduler_words>(1);
  }

  std::unique_ptr<body_executor> make(configuration const& config, bool observe = false) {
    return make_scheduler({machine, graph, memory, dog, config, observe});
  }

  /// Sets the time limit of later runs. Called before a scheduler's reset, which arms the watchdog.
  void limit(double seconds) { dog = watchdog(machine, observers, seconds); }

  recurrence_body body_with_results() const { return {memory.values.data()}; }

  /// The wide body, for configurations with wide results.
  wide_body body_with_wide_results() {
    if (memory.wide_values.size() == 0)
      memory.wide_values = machine.allocate<wide_value>(graph.tasks());
    return {memory.wide_values.data()};
  }

  /// Runs the scheduler. Values that are never written stay 0xa5a5a5a5.
  run_result run(body_executor& algorithm, any_body const& body, probe_ref const& observer = {}) {
    machine.fill_bytes(memory.values, 0xa5);
    bool const wide = std::holds_alternative<wide_body>(body);
    if (wide) machine.fill_bytes(memory.wide_values, 0xa5);
    algorithm.prepare(body, observer);
    algorithm.run();
    machine.synchronize();
    run_result result{
        algorithm.finished(), dog.fired(), {}, machine.copy_to_host(memory.values), {}};
    if (wide) result.wide_values = machine.copy_to_host(memory.wide_values);
    if (result.stopped) result.waits = dog.lines();
    return result;
  }
  run_result run(body_executor& algorithm, probe_ref const& observer = {}) {
    return run(algorithm, body_with_results(), observer);
  }

  device& machine;
  device_graph graph;
  workspace memory;
  int observers;
  watchdog dog;
};

/// ThreadSanitizer does not see the synchronisation inside libgomp, which is not instrumented.
inline bool can_run(std::string_view algorithm) {
  return !gridloom::test::under_thread_sanitizer || !algorithm.starts_with("omp_");
}

/// Every algorithm that runs on this machine and graph, with all parameters that affect it.
inline std::vector<configuration> configurations(device const& machine, device_graph const& graph,
                                                 grid shape) {
  std::vector<configuration> all;
  for (auto const& info : algorithms()) {
    if (!why_not_on(machine.properties(), info).empty() || !can_run(info.name)) continue;
    if (info.lattice_only && !graph.is_lattice()) continue;
    for (auto const width : {task_width::lane, task_width::block}) {
      if (!(width == task_width::lane ? info.lanes : info.blocks)) continue;
      configuration c;
      c.algorithm = &info;
      c.blocks = info.name == "serial" ? 1 : shape.blocks;
      c.threads = shape.threads;
      c.width = width;
      if (info.one_cluster)
        c.blocks = std::min(c.blocks, most_cluster_blocks_of(machine.properties()));
      if (info.name == "multi_queue") {
        int const half = (shape.blocks + 1) / 2;
        for (auto const& [hash, queues] :
             {std::pair{task_hash::a, shape.blocks}, std::pair{task_hash::b, half},
              std::pair{task_hash::mix, shape.blocks}, std::pair{task_hash::row, half}}) {
          c.hash = hash;
          c.queues = queues;
          all.push_back(c);
        }
      } else if (info.in_order) {
        for (auto const numbering :
             {task_numbering::automatic, task_numbering::own, task_numbering::levels}) {
          c.numbering = numbering;
          if (numbering == task_numbering::own && graph.edge_against_numbers()) continue;
          all.push_back(c);
        }
        c.looks_ahead = false;
        if (info.name == "in_order") all.push_back(c);
      } else if (info.name == "ticket_queue") {
        for (bool const packs : {true, false}) {
          c.packs_successors = packs;
          if (packs || !graph.is_lattice()) all.push_back(c);
        }
      } else if (info.name == "omp_tiles") {
        for (std::uint32_t const tile : {1U, 3U, 64U}) {
          c.tile = tile;
          all.push_back(c);
        }
      } else if (info.name == "stripes") {
        for (std::uint32_t const every : {1U, 4U, 16U}) {
          c.publish_every = every;
          all.push_back(c);
        }
      } else {
        all.push_back(c);
      }
    }
  }
  return all;
}

inline std::vector<configuration> tiny_ring_configurations(grid shape) {
  std::vector<configuration> all;
  for (auto const width : {task_width::lane, task_width::block}) {
    for (std::uint32_t const slots : {2U, 4U, 16U}) {
      configuration c;
      c.algorithm = &find_algorithm("ticket_queue");
      c.blocks = shape.blocks;
      c.threads = shape.threads;
      c.width = width;
      c.ring_slots = slots;
      c.packs_successors = slots != 4;
      all.push_back(c);
    }
  }
  return all;
}

inline std::string name_of(configuration const& c) {
  std::string const name(c.algorithm->name);
  std::string text = name + (c.width == task_width::lane ? ", lane, " : ", block, ") +
                     std::to_string(c.blocks) + " x " + std::to_string(c.threads);
  if (name == "multi_queue") {
    text += ", hash " + std::string(task_hash_names[static_cast<std::size_t>(c.hash)]) + ", " +
            std::to_string(c.queues) + " queues";
  }
  if (name == "stripes") text += ", signal every " + std::to_string(c.publish_every);
  if (c.algorithm->in_order)
    text +=
        std::string(", numbering ") + task_numbering_names[static_cast<std::size_t>(c.numbering)];
  if (name == "omp_tiles") text += ", tiles of " + std::to_string(c.tile);
  if (c.wide_results) text += ", wide results";
  if (!c.packs_successors) text += ", successors in rows";
  if (c.ring_slots != 0) text += ", ring of " + std::to_string(c.ring_slots);
  return text;
}

}  // namespace gridloom::wavefront::test
