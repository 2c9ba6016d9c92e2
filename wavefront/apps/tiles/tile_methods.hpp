#pragma once
// The methods of programs whose tasks are tiles, registered once.

#include <string_view>
#include <vector>

#include "gridloom/bench/methods.hpp"
#include "tile_way.hpp"

namespace gridloom::wavefront::tiles {

struct tile_method {
  std::string_view name, what;
  bench::origin by;
  tile_way how;
  bool on_host = true, stops = true;
};
inline constexpr tile_method all_tile_methods[] = {
    {"scanning", "all blocks scan for ready tiles", bench::origin::published, tile_way::scanning},
    {"single_queue", "one queue of ready tiles for all blocks", bench::origin::published,
     tile_way::single_queue},
    {"multi_queue", "one queue of ready tiles per block, tiles spread by hash a",
     bench::origin::published, tile_way::multi_queue},
    {"in_order", "tiles in topological order, dealt to blocks in turn", bench::origin::ours,
     tile_way::in_order},
    {"in_order_ticket",
     "tiles in topological order; a block takes the next one with an atomic addition",
     bench::origin::ours, tile_way::in_order_ticket},
    {"waves_stream", "one kernel launch per level of tiles", bench::origin::rival,
     tile_way::launches, false, false},
    {"waves_graph", "the kernels of waves_stream as one CUDA graph", bench::origin::rival,
     tile_way::graph, false, false},
    {"waves_graph_pdl", "the CUDA graph with programmatic dependent launch", bench::origin::rival,
     tile_way::graph_pdl, false, false},
    {"waves_barrier", "one kernel with one grid barrier per level of tiles", bench::origin::rival,
     tile_way::barrier},
    {"free", "all tiles at once without dependences; the result is wrong", bench::origin::floor,
     tile_way::free, true, false}};

struct tile_traits {
  tile_way how{};
};

/// The methods of a program: `first`, then one method per way to run tiles, made by `Work`. `takes`
/// names the program's options for tiles.
template <class Work, class Row>
[[nodiscard]] std::vector<bench::method<Row, tile_traits>> with_tiles(
    std::vector<bench::method<Row, tile_traits>> first, std::string_view takes) {
  for (tile_method const& one : all_tile_methods) {
    first.push_back({.name = one.name,
                     .what = one.what,
                     .by = one.by,
                     .takes = takes,
                     .on_host = one.on_host,
                     .as_it_is = one.by == bench::origin::floor,
                     .stops = one.stops,
                     .traits = {one.how},
                     .make = bench::makes<Work>});
  }
  return first;
}

}  // namespace gridloom::wavefront::tiles
