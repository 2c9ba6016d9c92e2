#pragma once
// A compiled graph in the memory of a device, and the words of its runs.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "tiled_qr/general/dispatch.hpp"
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
  /// Throws usage_error where a task has too many predecessors to count.
  graph_store(device& machine, compiled_graph const& graph);

  [[nodiscard]] graph_ref graph() const { return graph_; }
  [[nodiscard]] std::uint32_t const* order() const { return order_.data(); }
  /// The words of a run, as at its start.
  void reset();
  [[nodiscard]] dispatch_ref dispatch() const { return dispatch_; }
  /// Of the last run.
  [[nodiscard]] dispatch_words words();
  [[nodiscard]] std::size_t bytes() const;

 private:
  device* machine_;
  buffer<std::uint32_t> types_, successors_, uses_, order_, queue_offsets_;
  buffer<std::byte> payloads_;
  buffer<std::uint64_t> successor_offsets_, use_offsets_;
  // One stretch of memory for all words of a run: a reset is one copy.
  buffer<std::byte> first_state_, state_;
  graph_ref graph_{};
  dispatch_ref dispatch_{};
};

}  // namespace gridloom::tiled_qr::general
