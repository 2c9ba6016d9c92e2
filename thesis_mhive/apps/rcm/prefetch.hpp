#pragma once
// Prefetches rows, because the queue of a search shows which rows come next. This hides part of the
// memory latency if neighbours in the graph are far apart in memory.

#include <cstdint>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

/// Prefetches the rows of the vertices some places after `at` in a queue of `size` vertices.
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
