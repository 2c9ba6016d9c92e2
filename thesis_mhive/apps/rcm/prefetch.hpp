#pragma once
// A queue of vertices tells which rows come next: asking for them early hides part of the memory
// latency when vertices that are neighbours in the graph are not neighbours in memory.

#include <cstdint>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

/// Asks for the rows of the vertices some places behind `at` in a queue of `size` vertices.
inline void prefetch_rows(graph_ref graph, std::uint32_t const* queue, std::uint32_t at,
                          std::uint32_t size) {
  constexpr std::uint32_t offsets_ahead = 16;
  constexpr std::uint32_t columns_ahead = 8;
  if (at + offsets_ahead < size) {
    __builtin_prefetch(graph.row_offsets + queue[at + offsets_ahead]);
    __builtin_prefetch(graph.columns + graph.row_begin(queue[at + columns_ahead]));
  }
}

}  // namespace gridloom::mhive::rcm
