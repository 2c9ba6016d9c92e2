#pragma once

namespace gridloom::wavefront::tiles {

/// The ways to run tiles. The table in tile_methods.hpp has their names.
enum class tile_way {
  scanning,
  single_queue,
  multi_queue,
  in_order,
  in_order_ticket,
  launches,
  graph,
  graph_pdl,
  barrier,
  free
};

}  // namespace gridloom::wavefront::tiles
