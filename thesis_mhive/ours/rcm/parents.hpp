#pragma once
// Finds the parents of each vertex: its neighbours in the previous level, as places within that
// level. One kernel finds them for all levels at once. So the ordering, which goes level by level,
// does not wait for accesses to the graph.

#include <cstdint>

#include "ends.hpp"
#include "search.hpp"

namespace gridloom::mhive::rcm::levels {

inline constexpr std::uint32_t parents_in_record = 3;

/// The parents of a vertex: up to three places, or the place of a longer list.
struct alignas(16) parents_record {
  std::uint32_t count = 0;
  /// If more parents exist than fit, [0] and [1] are the low and high half of a place in `more`.
  std::uint32_t parents[parents_in_record] = {};

  [[nodiscard]] GRIDLOOM_FN std::uint64_t place_of_more() const {
    return std::uint64_t{parents[1]} << 32U | parents[0];
  }
};

/// View of a searched graph in the order of the queue.
struct level_graph_ref {
  std::uint32_t num_rows = 0;
  /// Array of num_rows words.
  std::uint32_t const* queue = nullptr;
  /// Array of num_levels + 1 words: where each level begins in the queue, and where the last one
  /// ends.
  std::uint32_t const* level_begin = nullptr;
  /// Array of num_rows records, in the order of the queue.
  parents_record* parents = nullptr;
  /// Array of num_rows words, each of which holds degree and vertex. They order vertices with the
  /// same first parent.
  std::uint64_t* keys = nullptr;
  /// Array of num_entries words: the parents of each vertex, read if they do not fit into its
  /// record.
  std::uint32_t* more = nullptr;

  /// Returns the smallest `rank` of a vertex's parents. `own` is the vertex's record.
  template <class Rank>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t first_parent(parents_record const& own,
                                                       Rank const& rank) const {
    std::uint32_t first = 0xffffffffU;
    if (own.count <= parents_in_record) {
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < parents_in_record; ++k) {
        std::uint32_t const seen = k < own.count ? rank(own.parents[k]) : first;
        first = seen < first ? seen : first;
      }
      return first;
    }
    std::uint32_t const* const list = more + own.place_of_more();
    for (std::uint32_t k = 0; k < own.count; ++k) {
      std::uint32_t const seen = rank(list[k]);
      first = seen < first ? seen : first;
    }
    return first;
  }
};

/// Fills parents and keys, with `Words` threads per vertex (on the host, one).
template <int Words>
struct find_parents_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  rows_ref rows;
  search_ref search;
  level_graph_ref to;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch&) const {
    auto const part = block.warp().template part<Words>();
    std::uint32_t const end = search.words->end;
    std::uint32_t const num_levels = search.words->num_levels;
    for (auto i = static_cast<std::uint32_t>(part.index()); i < end;
         i += static_cast<std::uint32_t>(part.count())) {
      std::uint32_t const level = level_of(search.level_begin, num_levels, i);
      std::uint32_t const upper_end = search.level_begin[level];
      std::uint32_t const upper = level == 0 ? 0 : search.level_begin[level - 1];
      find(part, i, upper, upper_end);
    }
  }

 private:
  // Finds the parents of the vertex at place i. The previous level has the places `upper` to
  // `upper_end`.
  template <class Part>
  GRIDLOOM_FN void find(Part const& part, std::uint32_t i, std::uint32_t upper,
                        std::uint32_t upper_end) const {
    auto const lanes = static_cast<std::uint32_t>(part.num_threads());
    auto const lane = static_cast<std::uint32_t>(part.thread_rank());
    std::uint32_t const vertex = search.queue[i];
    std::uint32_t const* const record = rows.records + std::size_t{vertex} * Words;
    std::uint32_t const degree = record[0];
    std::uint64_t const begin = rows.graph.row_begin(vertex);
    parents_record& own = to.parents[i];
    std::uint32_t count = 0;
    auto const offer = [&](bool has, std::uint32_t neighbour) {
      std::uint32_t const place = has ? search.place[neighbour] : upper_end;
      bool const is_parent = has && place >= upper && place < upper_end;
      std::uint32_t const found = part.ballot(is_parent);
      std::uint32_t const at =
          count + static_cast<std::uint32_t>(count_lanes(found & lanes_below(part.thread_rank())));
      if (is_parent) {
        to.more[begin + at] = place - upper;
        if (at < parents_in_record) own.parents[at] = place - upper;
      }
      count += static_cast<std::uint32_t>(count_lanes(found));
    };
    for (std::uint32_t k = lane; k < Words; k += lanes) {
      bool const has = k > 0 && k <= degree;
      offer(has, has ? record[k] : 0);
    }
    if (degree > room_of_record<Words>) {
      row_rest const rest = rest_of_row<Words>(rows, vertex);
      for (std::uint64_t at = rest.begin; at < rest.end; at += lanes) {
        bool const has = at + lane < rest.end && rows.graph.columns[at + lane] != vertex;
        offer(has, has ? rows.graph.columns[at + lane] : 0);
      }
    }
    // After this barrier, all threads have written their parents.
    part.sync();
    if (lane != 0) return;
    own.count = count;
    to.keys[i] = std::uint64_t{degree} << 32U | vertex;
    if (count <= parents_in_record) return;
    own.parents[0] = static_cast<std::uint32_t>(begin);
    own.parents[1] = static_cast<std::uint32_t>(begin >> 32U);
  }
};

}  // namespace gridloom::mhive::rcm::levels
