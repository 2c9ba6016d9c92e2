#pragma once
// The ways to run tiles, registered once for the programs whose tasks are tiles.

#include <string_view>
#include <vector>

#include "gridloom/bench/methods.hpp"

namespace gridloom::wavefront::tiles {

struct tile_method {
  std::string_view name, what;
  bench::origin by;
  bool on_host = true;
};
inline constexpr tile_method all_tile_methods[] = {
    {"scanning", "blocks look for ready tiles", bench::origin::published},
    {"single_queue", "one queue of ready tiles", bench::origin::published},
    {"multi_queue", "one queue per block, hash a", bench::origin::published},
    {"in_order", "tiles in order, dealt to blocks in turns", bench::origin::ours},
    {"in_order_ticket", "tiles in order, drawn by one atomic addition", bench::origin::ours},
    {"waves_stream", "one kernel launch per level of tiles", bench::origin::rival, false},
    {"waves_graph", "the same launches as one CUDA graph", bench::origin::rival, false},
    {"waves_graph_pdl", "the same with programmatic dependent launch", bench::origin::rival, false},
    {"waves_barrier", "one kernel, a barrier per level of tiles", bench::origin::rival},
    {"free", "all tiles at once, in no order; its result is wrong", bench::origin::floor}};

/// The methods of a program: `first`, then one for each way to run tiles, made by Work. `takes`: the
/// program's options of tiles.
template <class Work, class Row>
[[nodiscard]] std::vector<bench::method<Row>> with_tiles(std::vector<bench::method<Row>> first,
                                                         std::string_view takes) {
  for (tile_method const& one : all_tile_methods) {
    first.push_back({.name = one.name,
                     .what = one.what,
                     .by = one.by,
                     .takes = takes,
                     .on_host = one.on_host,
                     .as_it_is = one.by == bench::origin::floor,
                     .make = bench::makes<Work>});
  }
  return first;
}

}  // namespace gridloom::wavefront::tiles
