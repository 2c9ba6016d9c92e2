#pragma once
// A compiled graph in the memory of a device, and the words of its runs.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "tiled_qr/general/dispatch.hpp"
#include "tiled_qr/general/executor.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace gridloom::tiled_qr::general {

/// Tasks of which none depends on another nor conflicts with it, by waves: wave w is
/// tasks[offsets[w]] to tasks[offsets[w + 1] - 1].
struct wave_list {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> tasks;
};

/// A task comes after the waves of all that it depends on, and after those of all earlier tasks that
/// use what it uses. Cost: linear.
[[nodiscard]] wave_list waves_of(compiled_graph const& graph);

/// Owner. Used by one thread, by one run at a time.
class graph_store {
 public:
  /// What an execution needs: a scheduler dependencies, uses, queues and the words of tasks; one worker
  /// the order. Throws usage_error where a scheduler is to count too many predecessors of a task, or all
  /// tasks together have 2^32 dependencies or uses.
  graph_store(device& machine, compiled_graph const& graph, execution how);

  [[nodiscard]] graph_ref graph() const { return graph_; }
  /// All tasks in an order that keeps the dependences; for execution::in_order.
  [[nodiscard]] std::uint32_t const* order() const { return order_.data(); }
  /// The words of a run, as at its start. Queued in the device's stream.
  void reset();
  [[nodiscard]] dispatch_ref dispatch() const { return dispatch_; }
  /// Of the last run.
  [[nodiscard]] dispatch_words words();
  [[nodiscard]] std::size_t bytes() const;

 private:
  void add_scheduler(compiled_graph const& graph);

  device* machine_;
  buffer<std::uint32_t> types_, successors_, uses_, order_, queue_offsets_;
  buffer<std::byte> payloads_;
  buffer<std::uint32_t> successor_offsets_, use_offsets_;
  /// What a reset makes the words of: the word of each task, and the tasks that are ready at the start,
  /// class after class.
  buffer<std::uint32_t> first_open_, ready_offsets_, ready_;
  buffer<dispatch_words> words_;
  buffer<mpmc_ring_words> queue_words_;
  buffer<mpmc_ring_ref::slot> slots_;
  buffer<std::uint32_t> open_, locks_;
  graph_ref graph_{};
  dispatch_ref dispatch_{};
};

}  // namespace gridloom::tiled_qr::general
