#pragma once
// Edges of small graphs as text.

#include <string>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::test {

/// The edges by ascending task: "0-2 0-3 1-3".
inline std::string edges_of(csr_graph const& graph) {
  std::string text;
  for (std::uint64_t from = 0; from < graph.tasks(); ++from) {
    for (std::uint32_t const to : graph.of(from)) {
      if (!text.empty()) text += ' ';
      text += std::to_string(from) + '-' + std::to_string(to);
    }
  }
  return text;
}

}  // namespace gridloom::test
