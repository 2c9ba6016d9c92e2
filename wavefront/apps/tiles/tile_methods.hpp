#pragma once
// The ways to run tiles, by name: for options and for --list.

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::wavefront::tiles {

struct tile_method {
  std::string_view name, what;
  bool on_host;
};
inline constexpr tile_method all_tile_methods[] = {
    {"scanning", "published: blocks look for ready tiles", true},
    {"single_queue", "published: one queue of ready tiles", true},
    {"multi_queue", "published: a queue a block, hash a", true},
    {"in_order", "ours: tiles in order, dealt to blocks by turns", true},
    {"in_order_ticket", "ours: tiles in order, drawn by one atomic addition", true},
    {"waves_stream", "rival: a kernel a wave of tiles", false},
    {"waves_graph", "rival: the same in a CUDA graph", false},
    {"waves_graph_pdl", "rival: the same with programmatic dependent launch", false},
    {"waves_barrier", "rival: one kernel, a barrier a wave of tiles", true},
    {"free", "floor: all tiles at once, in no order; its result is wrong", true}};

/// Those of `all` that were asked for, in that order; where none was, all that the machine has. Throws
/// unsupported for one that it has not.
[[nodiscard]] inline std::vector<tile_method const*> chosen(std::span<tile_method const> all,
                                                            std::vector<std::string> const& names,
                                                            device const& machine) {
  std::vector<tile_method const*> found;
  for (std::string const& name : names) {
    tile_method const& one = bench::named(all, name, "--method");
    if (machine.is_host() && !one.on_host)
      throw unsupported("--method " + name + ": expected a CUDA device, got the host");
    found.push_back(&one);
  }
  if (!names.empty()) return found;
  for (tile_method const& one : all) {
    if (one.on_host || !machine.is_host()) found.push_back(&one);
  }
  return found;
}

/// Refuses an option of tiles where no method that was asked for has any. Throws usage_error.
inline void require_tiled(std::vector<std::string> const& names, std::string const& option) {
  auto const has_tiles = [](std::string const& name) {
    return std::any_of(std::begin(all_tile_methods), std::end(all_tile_methods),
                       [&](tile_method const& one) { return one.name == name; });
  };
  if (!names.empty() && std::none_of(names.begin(), names.end(), has_tiles))
    throw usage_error(option + ": goes with a --method that has tiles, such as in_order");
}

}  // namespace gridloom::wavefront::tiles
