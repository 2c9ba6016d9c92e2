#pragma once
// Host side of ordering a graph that was searched by levels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "level_order.hpp"
#include "level_search.hpp"

namespace gridloom::mhive::rcm::levels {

/// Memory and launches of the ordering of one graph. Used by one thread at a time.
class level_ordering {
 public:
  /// Only the size of `graph` matters. The search outlives this object.
  level_ordering(device& machine, graph_ref graph, level_search& search, int workers);

  /// Computes the Cuthill-McKee order from the start nodes of all components, in the given order.
  /// The result is that of rcm::order_from, entry by entry.
  void order_from(std::span<std::uint32_t const> starts);
  /// Computes the order from the start node that the search has found.
  void order_found();

  [[nodiscard]] buffer<std::uint32_t> const& order() const { return order_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void order_levels(search_ref const& search);
  void rank_narrow(level_graph_ref const& graph, std::uint32_t first, std::uint32_t last);
  void rank_wide(level_graph_ref const& graph, std::uint32_t upper, std::uint32_t begin,
                 std::uint32_t end);
  void allocate_sort();
  void separate_components();

  device* machine_;
  level_search* search_;
  int workers_;
  int degree_bits_;
  buffer<parents_record> parents_;
  buffer<std::uint64_t> keys_;
  buffer<std::uint32_t> more_;
  buffer<std::uint32_t> ranks_;
  buffer<std::uint32_t> order_;
  // Memory for sorts, allocated when needed.
  buffer<std::uint64_t> sort_keys_[2];
  buffer<std::uint32_t> sort_values_[2];
};

}  // namespace gridloom::mhive::rcm::levels
