#include "published/mhive_ordering.hpp"

#include <algorithm>

#include "gridloom/error.hpp"
#include "published/key_split.hpp"

namespace gridloom::mhive::rcm {

std::unique_ptr<mhive_ordering> make_mhive_ordering(device& machine, graph_ref graph,
                                                    std::string_view scheduler,
                                                    ordering_options const& options) {
  // Row lengths are an upper bound of the valencies, because rows may have their diagonal entry.
  // Each run counts the valencies.
  std::uint64_t longest = 0;
  for (std::uint32_t v = 0; v < graph.num_rows; ++v) {
    longest = std::max(longest, graph.row_end(v) - graph.row_begin(v));
  }
  bool const is_enough =
      fits<std::uint32_t>(graph.num_rows, valency_bits(static_cast<std::uint32_t>(longest)));
  int const bits = options.key_bits != 0 ? options.key_bits : is_enough ? 32 : 64;
  return bits == 32 ? detail::make_ordering_32(machine, graph, scheduler, options)
                    : detail::make_ordering_64(machine, graph, scheduler, options);
}

}  // namespace gridloom::mhive::rcm
