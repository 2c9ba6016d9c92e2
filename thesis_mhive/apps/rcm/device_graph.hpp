#pragma once
// A graph in the memory of a device.

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph.hpp"
#include "gridloom/device.hpp"

namespace gridloom::mhive::rcm {

/// Room for one graph. Belongs to one thread.
class device_graph {
 public:
  /// Room for a graph of the size of `graph`, which is not copied yet.
  device_graph(device& machine, graph_ref graph)
      : machine_{&machine},
        source_{graph},
        row_offsets_{machine.allocate<std::uint64_t>(std::size_t{graph.num_rows} + 1)},
        columns_{machine.allocate<std::uint32_t>(graph.num_entries())} {}

  /// Copies the graph, 8 bytes a vertex and 4 an entry.
  void upload() {
    machine_->copy_to_device(row_offsets_, std::span{source_.row_offsets, row_offsets_.size()});
    machine_->copy_to_device(columns_, std::span{source_.columns, columns_.size()});
  }

  /// The graph as kernels see it.
  [[nodiscard]] graph_ref ref() const {
    return {source_.num_rows, source_.num_cols, row_offsets_.data(), columns_.data(), nullptr};
  }
  /// The same graph in the host's memory.
  [[nodiscard]] graph_ref host_ref() const { return source_; }
  [[nodiscard]] std::size_t bytes() const { return row_offsets_.bytes() + columns_.bytes(); }

 private:
  device* machine_;
  graph_ref source_;
  buffer<std::uint64_t> row_offsets_;
  buffer<std::uint32_t> columns_;
};

}  // namespace gridloom::mhive::rcm
