#pragma once
// A graph in device memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph.hpp"
#include "gridloom/device.hpp"

namespace gridloom::mhive::rcm {

/// Owns the memory of one graph. Used by one thread.
class device_graph {
 public:
  /// Allocates memory for a graph of the size of `graph`, without copying it.
  device_graph(device& machine, graph_ref graph)
      : machine_{&machine},
        source_{graph},
        row_offsets_{machine.allocate<std::uint64_t>(std::size_t{graph.num_rows} + 1)},
        columns_{machine.allocate<std::uint32_t>(graph.num_entries())} {}

  /// Copies the graph, 8 bytes per vertex and 4 per entry.
  void upload() {
    machine_->copy_to_device(row_offsets_, std::span{source_.row_offsets, row_offsets_.size()});
    machine_->copy_to_device(columns_, std::span{source_.columns, columns_.size()});
  }

  [[nodiscard]] graph_ref ref() const {
    return {source_.num_rows, source_.num_cols, row_offsets_.data(), columns_.data(), nullptr};
  }
  [[nodiscard]] graph_ref host_ref() const { return source_; }
  [[nodiscard]] std::size_t bytes() const { return row_offsets_.bytes() + columns_.bytes(); }

 private:
  device* machine_;
  graph_ref source_;
  buffer<std::uint64_t> row_offsets_;
  buffer<std::uint32_t> columns_;
};

}  // namespace gridloom::mhive::rcm
