#pragma once
// A compiled graph in the memory of a device, and the words of its runs.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "tiled_qr/general/dispatch.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace gridloom::tiled_qr::general {

/// The types and payloads of a graph's tasks in device memory.
class task_memory {
 public:
  task_memory(device& machine, compiled_graph const& graph);

  /// Returns the graph without dependencies and uses.
  [[nodiscard]] graph_ref graph() const { return graph_; }
  [[nodiscard]] std::size_t bytes() const { return types_.bytes() + payloads_.bytes(); }

 private:
  buffer<std::uint32_t> types_;
  buffer<std::byte> payloads_;
  graph_ref graph_{};
};

/// A graph, its ready queues and the words of its tasks. Used by one thread, one run after another.
class graph_store {
 public:
  /// Throws usage_error if a task has too many predecessors to count, or if there are 2^32
  /// dependencies or uses in all.
  graph_store(device& machine, compiled_graph const& graph);

  [[nodiscard]] graph_ref graph() const { return graph_; }
  /// Sets all words to their state at the start of a run. Queued in the device's stream.
  void reset();
  [[nodiscard]] dispatch_ref dispatch() const { return dispatch_; }
  [[nodiscard]] dispatch_words words();
  [[nodiscard]] std::size_t bytes() const;

 private:
  device* machine_;
  task_memory tasks_;
  buffer<std::uint32_t> successors_, uses_, queue_offsets_;
  buffer<std::uint32_t> successor_offsets_, use_offsets_;
  /// What reset() restores: the first word of each task, and the tasks that are ready at the start,
  /// class after class.
  buffer<std::uint32_t> first_open_, ready_offsets_, ready_;
  buffer<dispatch_words> words_;
  buffer<mpmc_ring_words> queue_words_;
  buffer<mpmc_ring_ref::slot> slots_;
  buffer<std::uint32_t> open_, locks_, order_;
  graph_ref graph_{};
  dispatch_ref dispatch_{};
};

}  // namespace gridloom::tiled_qr::general
