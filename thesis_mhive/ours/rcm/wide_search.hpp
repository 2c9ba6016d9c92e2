#pragma once
// A search whose levels are shared by all blocks, see search.hpp.
//
// Rules of order, cited where they apply:
// WI.R1. A barrier of the grid separates levels, so accesses within a level are relaxed.
// WI.R2. A vertex is found once: only one of the threads that meet it changes its place from
//     unplaced.
// WI.R3. Counts rotate through three words: one is read, one grows, one is reset. A barrier
//     separates these uses.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/block_memory.hpp"
#include "search.hpp"

namespace gridloom::mhive::rcm::levels {

/// Runs one search by all blocks together.
template <int Words>
struct wide_search_kernel {
  /// Vertices that a block collects before it writes them to the queue.
  static constexpr std::uint32_t most_found = 6144;
  struct scratch {
    std::uint32_t found[most_found];
    std::uint32_t num_found;
    std::uint32_t first;
  };
  static constexpr bool persistent = true;

  rows_ref rows;
  search_limits limits;
  search_ref search;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch& shared) const {
    direct_memory memory;
    std::uint32_t begin = search.words->begin;
    std::uint32_t end = search.words->end;
    std::uint32_t index = search.words->num_levels;
    std::uint32_t width = search.words->width;
    bool const leads = block.index() == 0 && block.thread_rank() == 0;
    // The host has set all places to unplaced. The queue holds the vertices that narrow levels have
    // found.
    for (auto i = static_cast<std::uint32_t>(block.thread().index()); i < end;
         i += static_cast<std::uint32_t>(block.thread().count())) {
      memory.store_relaxed(search.place + search.queue[i], i);
    }
    if (leads) {
      for (std::uint32_t& count : search.words->counts) memory.store_relaxed(&count, 0U);
    }
    if (block.thread_rank() == 0) shared.num_found = 0;
    block.grid_sync();
    std::uint32_t const last = index + limits.most_levels;
    while (begin < end && end - begin > limits.narrow && index < last) {
      std::uint32_t* const counts = search.words->counts;
      if (leads) {
        search.level_begin[index] = begin;
        // WI.R3: all blocks have read this word before the last barrier.
        memory.store_relaxed(counts + (index + 1) % 3, 0U);
      }
      expand(block, shared, begin, end, counts + index % 3);
      block.grid_sync();
      width = end - begin > width ? end - begin : width;
      begin = end;
      end += memory.load_relaxed(counts + index % 3);
      ++index;
    }
    // This barrier is not needed for the writes below: all blocks read these words before the first
    // barrier.
    block.grid_sync();
    if (leads) {
      search.level_begin[index] = begin;
      search.words->begin = begin;
      search.words->end = end;
      search.words->num_levels = index;
      search.words->width = width;
    }
  }

 private:
  // Expands a level. Blocks take stretches of vertices. These are so short that the vertices found
  // fit the scratch, except in long rows.
  template <class Block>
  GRIDLOOM_FN void expand(Block const& block, scratch& shared, std::uint32_t begin,
                          std::uint32_t end, std::uint32_t* count) const {
    auto const warp = block.warp();
    auto const part = warp.template part<Words>();
    auto const lanes = static_cast<std::uint32_t>(part.num_threads());
    std::uint32_t const parts = static_cast<std::uint32_t>(block.num_threads()) / lanes;
    std::uint32_t const own = static_cast<std::uint32_t>(block.thread_rank()) / lanes;
    std::uint32_t const stride = parts * static_cast<std::uint32_t>(block.count());
    std::uint32_t base = begin + static_cast<std::uint32_t>(block.index()) * parts;
    for (; base < end; base += stride) {
      std::uint32_t const i = base + own;
      expand_row(warp, part, shared, i < end ? search.queue[i] : unplaced, end, count);
      block.sync();
      if (shared.num_found > most_found / 2) flush(block, shared, end, count);
      block.sync();
    }
    flush(block, shared, end, count);
  }

  template <class Warp, class Part>
  GRIDLOOM_FN void expand_row(Warp const& warp, Part const& part, scratch& shared,
                              std::uint32_t vertex, std::uint32_t end, std::uint32_t* count) const {
    auto const lanes = static_cast<std::uint32_t>(part.num_threads());
    auto const lane = static_cast<std::uint32_t>(part.thread_rank());
    bool const is_one = vertex != unplaced;
    std::uint32_t const* const record = rows.records + std::size_t{is_one ? vertex : 0} * Words;
    std::uint32_t const degree = is_one ? record[0] : 0;
    for (std::uint32_t k = lane; k < Words; k += lanes) {
      bool const has = k > 0 && k <= degree;
      offer(warp, shared, has, has ? record[k] : 0, end, count);
    }
    bool const is_longer = degree > room_of_record<Words>;
    if (!warp.any(is_longer)) return;
    row_rest rest{};
    if (is_longer) rest = rest_of_row<Words>(rows, vertex);
    for (std::uint64_t at = rest.begin + lane; warp.any(at < rest.end); at += lanes) {
      bool const has = at < rest.end;
      std::uint32_t const next = has ? rows.graph.columns[at] : vertex;
      offer(warp, shared, has && next != vertex, next, end, count);
    }
  }

  template <class Warp>
  GRIDLOOM_FN void offer(Warp const& warp, scratch& shared, bool has, std::uint32_t vertex,
                         std::uint32_t end, std::uint32_t* count) const {
    direct_memory memory;
    // WI.R2. This marks the vertex as found; its place is written later.
    bool const found =
        has && memory.load_relaxed(search.place + vertex) == unplaced &&
        memory.exchange_if_in_batch(search.place + vertex, unplaced, unplaced - 1) == unplaced;
    std::uint32_t const finders = warp.ballot(found);
    if (finders == 0) return;
    std::uint32_t first = 0;
    if (warp.thread_rank() == 0) {
      first = block_memory{}.fetch_add_relaxed(&shared.num_found,
                                               static_cast<std::uint32_t>(count_lanes(finders)));
    }
    first = warp.shuffle(first, 0);
    std::uint32_t const before =
        static_cast<std::uint32_t>(count_lanes(finders & lanes_below(warp.thread_rank())));
    std::uint32_t const at = first + before;
    bool const has_room = at < most_found;
    if (found && has_room) shared.found[at] = vertex;
    // If the scratch is full, as in long rows, vertices go directly to the queue.
    std::uint32_t const others = warp.ballot(found && !has_room);
    if (others == 0) return;
    if (warp.thread_rank() == 0) {
      first = memory.fetch_add_relaxed(count, static_cast<std::uint32_t>(count_lanes(others)));
    }
    first = warp.shuffle(first, 0);
    if (found && !has_room) {
      put(vertex,
          end + first +
              static_cast<std::uint32_t>(count_lanes(others & lanes_below(warp.thread_rank()))));
    }
  }

  GRIDLOOM_FN void put(std::uint32_t vertex, std::uint32_t at) const {
    direct_memory memory;
    memory.store_relaxed(search.queue + at, vertex);
    memory.store_relaxed(search.place + vertex, at);
  }

  template <class Block>
  GRIDLOOM_FN void flush(Block const& block, scratch& shared, std::uint32_t end,
                         std::uint32_t* count) const {
    direct_memory memory;
    block.sync();
    std::uint32_t const n = shared.num_found < most_found ? shared.num_found : most_found;
    if (n == 0) return;
    if (block.thread_rank() == 0) shared.first = memory.fetch_add_relaxed(count, n);
    block.sync();
    for (auto i = static_cast<std::uint32_t>(block.thread_rank()); i < n;
         i += static_cast<std::uint32_t>(block.num_threads())) {
      put(shared.found[i], end + shared.first + i);
    }
    block.sync();
    if (block.thread_rank() == 0) shared.num_found = 0;
    block.sync();
  }
};

}  // namespace gridloom::mhive::rcm::levels
