#pragma once
// Searches whose levels a single block expands, see search.hpp.
//
// Rules of order, cited where they apply:
// NS.R1. A barrier of the block separates levels, so accesses within a level are relaxed.
// NS.R2. A vertex is found once: only one of the threads that meet it sets its bit.
// NS.R3. Counts rotate through four words: one is read, one grows, one is reset. A barrier
//     separates these uses.

#include <cstdint>

#include "gridloom/block_memory.hpp"
#include "search.hpp"

namespace gridloom::mhive::rcm::levels {

/// Runs up to `most_searches` searches at once, with one block per search.
template <int Words>
struct narrow_search_kernel {
  struct scratch {
    std::uint32_t bits[words_of_bits(most_bits)];
    std::uint32_t frontier[2][most_narrow];
    /// Number of vertices found in a level. The levels use the words in turn (NS.R3).
    std::uint32_t counts[4];
    std::uint32_t num_long[4];
    std::uint32_t long_rows[most_long];
  };
  static constexpr bool persistent = false;
  // These limits count the entries of a row beyond its record. With more than medium_row per thread
  // of the row's part, the whole warp may expand them. With more than long_row in all, the whole
  // block does.
  static constexpr std::uint32_t medium_row = 8;
  static constexpr std::uint32_t long_row = 2048;

  rows_ref rows;
  search_limits limits;
  search_ref searches[most_searches];

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch& shared) const {
    search_ref const search = searches[block.index()];
    // There are two calls, so that the compiler knows where the bits are.
    if (rows.graph.num_rows <= most_bits) {
      run(block, shared, search, shared.bits);
    } else {
      run(block, shared, search, search.bits);
    }
  }

 private:
  struct level {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t index;
    /// Width of the widest level so far.
    std::uint32_t width;
  };

  template <class Block>
  GRIDLOOM_FN void run(Block const& block, scratch& shared, search_ref const& search,
                       std::uint32_t* bits) const {
    std::uint32_t const wide = limits.wide < most_narrow ? limits.wide : most_narrow;
    level now{search.words->begin, search.words->end, search.words->num_levels,
              search.words->width};
    if (now.begin == now.end || now.end - now.begin > wide) return;
    prepare(block, shared, search, bits, now);
    std::uint32_t const last = now.index + limits.most_levels;
    while (now.begin < now.end && now.end - now.begin <= wide && now.index < last) {
      if (block.thread_rank() == 0) search.level_begin[now.index] = now.begin;
      expand(block, shared, search, bits, now);
      block.sync();  // NS.R1
      if (shared.num_long[now.index % 4] != 0) {
        expand_long_rows(block, shared, search, bits, now);
        block.sync();
      }
      std::uint32_t const found = shared.counts[now.index % 4];
      // NS.R3: all threads have read these words before the barrier, and none adds to them before
      // the next one.
      if (block.thread_rank() == 0) {
        shared.counts[(now.index + 2) % 4] = 0;
        shared.num_long[(now.index + 2) % 4] = 0;
      }
      now.width = now.end - now.begin > now.width ? now.end - now.begin : now.width;
      now.begin = now.end;
      now.end += found;
      ++now.index;
    }
    // Writes the level for the launch that will expand it.
    std::uint32_t const left =
        now.end - now.begin < most_narrow ? now.end - now.begin : most_narrow;
    for (auto i = static_cast<std::uint32_t>(block.thread_rank()); i < left;
         i += static_cast<std::uint32_t>(block.num_threads())) {
      enqueue(search, now.begin + i, shared.frontier[now.index % 2][i]);
    }
    block.sync();
    if (block.thread_rank() == 0) {
      search.level_begin[now.index] = now.begin;
      search.words->begin = now.begin;
      search.words->end = now.end;
      search.words->num_levels = now.index;
      search.words->width = now.width;
    }
  }

  // Sets the bits of all vertices that the search has found, and loads the next level.
  template <class Block>
  GRIDLOOM_FN void prepare(Block const& block, scratch& shared, search_ref const& search,
                           std::uint32_t* bits, level const& now) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const threads = static_cast<std::uint32_t>(block.num_threads());
    std::uint32_t const num_words = words_of_bits(rows.graph.num_rows);
    for (std::uint32_t i = rank; i < num_words; i += threads) bits[i] = 0;
    for (std::uint32_t i = rank; i < 4; i += threads) {
      shared.counts[i] = 0;
      shared.num_long[i] = 0;
    }
    block.sync();
    for (std::uint32_t i = rank; i < now.end; i += threads) {
      static_cast<void>(is_new(bits, search.queue[i]));
    }
    for (std::uint32_t i = now.begin + rank; i < now.end; i += threads) {
      shared.frontier[now.index % 2][i - now.begin] = search.queue[i];
    }
    block.sync();
  }

  GRIDLOOM_FN static bool is_new(std::uint32_t* bits, std::uint32_t vertex) {
    block_memory memory;
    std::uint32_t const bit = 1U << (vertex % 32U);
    return (memory.fetch_or_relaxed(bits + vertex / 32U, bit) & bit) == 0;  // NS.R2
  }

  // Reserves places for the vertices that the warp's threads found; each `count` is below 2^Bits.
  // One vote per bit replaces a scan. Called by all threads of the warp.
  template <int Bits, class Warp>
  GRIDLOOM_FN static std::uint32_t reserve(Warp const& warp, scratch& shared, level const& now,
                                           std::uint32_t count) {
    std::uint32_t const below = lanes_below(warp.thread_rank());
    std::uint32_t before = 0;
    std::uint32_t all = 0;
    GRIDLOOM_UNROLL
    for (int bit = 0; bit < Bits; ++bit) {
      std::uint32_t const set = warp.ballot((count >> bit & 1U) != 0);
      before += static_cast<std::uint32_t>(count_lanes(set & below)) << bit;
      all += static_cast<std::uint32_t>(count_lanes(set)) << bit;
    }
    if (all == 0) return 0;
    std::uint32_t first = 0;
    if (warp.thread_rank() == 0) {
      first = block_memory{}.fetch_add_relaxed(&shared.counts[now.index % 4], all);
    }
    return warp.shuffle(first, 0) + before;
  }

  // Vertices that fit the scratch are written to the queue later, in order, when their level is
  // expanded.
  GRIDLOOM_FN static void put(scratch& shared, search_ref const& search, level const& now,
                              std::uint32_t at, std::uint32_t vertex) {
    if (at < most_narrow) {
      shared.frontier[(now.index + 1) % 2][at] = vertex;
    } else {
      enqueue(search, now.end + at, vertex);
    }
  }

  GRIDLOOM_FN static void enqueue(search_ref const& search, std::uint32_t at,
                                  std::uint32_t vertex) {
    search.queue[at] = vertex;
    search.place[vertex] = at;
  }

  // Handles one neighbour for each thread whose `has` is true. Called by all threads of the warp.
  template <class Warp>
  GRIDLOOM_FN static void offer(Warp const& warp, scratch& shared, search_ref const& search,
                                std::uint32_t* bits, level const& now, bool has,
                                std::uint32_t vertex) {
    bool const found = has && is_new(bits, vertex);
    std::uint32_t const at = reserve<1>(warp, shared, now, found ? 1 : 0);
    if (found) put(shared, search, now, at, vertex);
  }

  // Expands a level. On a device, each thread loads four words of a record. On the host, one thread
  // loads all of them, four at a time.
  template <class Block>
  GRIDLOOM_FN void expand(Block const& block, scratch& shared, search_ref const& search,
                          std::uint32_t* bits, level const& now) const {
    auto const warp = block.warp();
    auto const part = warp.template part<Words / words_of_thread>();
    auto const lanes = static_cast<std::uint32_t>(part.num_threads());
    std::uint32_t const parts = static_cast<std::uint32_t>(block.num_threads()) / lanes;
    std::uint32_t const own = static_cast<std::uint32_t>(block.thread_rank()) / lanes;
    // All threads of a warp take as many turns as the warp's first part. `leader` is the first
    // thread of the part.
    std::uint32_t const first =
        static_cast<std::uint32_t>(block.thread_rank() - warp.thread_rank()) / lanes;
    int const leader = warp.thread_rank() - part.thread_rank();
    std::uint32_t const width = now.end - now.begin;
    std::uint32_t const* const frontier = shared.frontier[now.index % 2];
    std::uint32_t const own_words =
        static_cast<std::uint32_t>(part.thread_rank()) * words_of_thread;
    std::uint32_t vertex = own < width ? frontier[own] : unplaced;
    record_words head = load_record(vertex, own_words);
    for (std::uint32_t base = 0; base + first < width; base += parts) {
      // The next turn's words are loaded during this one.
      std::uint32_t const i = base + own;
      std::uint32_t const next = i + parts < width ? frontier[i + parts] : unplaced;
      record_words const next_head = load_record(next, own_words);
      std::uint32_t const degree = warp.shuffle(head.words[0], leader);
      expand_words(warp, shared, search, bits, now, head, own_words, degree);
      for (std::uint32_t k = own_words + lanes * words_of_thread; k < Words;
           k += lanes * words_of_thread) {
        expand_words(warp, shared, search, bits, now, load_record(vertex, k), k, degree);
      }
      // The vertex is stored after the loads, so that the loads do not wait.
      if (vertex != unplaced && part.thread_rank() == 0) enqueue(search, now.begin + i, vertex);
      if (warp.any(degree > room_of_record<Words>)) {
        expand_rest(warp, part, shared, search, bits, now, vertex, degree);
      }
      vertex = next;
      head = next_head;
    }
  }

  /// Number of words that one access loads.
  static constexpr std::uint32_t words_of_thread = 4;
  struct alignas(16) record_words {
    std::uint32_t words[words_of_thread];
  };
  [[nodiscard]] GRIDLOOM_FN record_words load_record(std::uint32_t vertex, std::uint32_t k) const {
    if (vertex == unplaced) return {};
    return *reinterpret_cast<record_words const*>(rows.records + std::size_t{vertex} * Words + k);
  }

  // Expands the words of a record from word k on.
  template <class Warp>
  GRIDLOOM_FN static void expand_words(Warp const& warp, scratch& shared, search_ref const& search,
                                       std::uint32_t* bits, level const& now,
                                       record_words const& head, std::uint32_t k,
                                       std::uint32_t degree) {
    std::uint32_t found = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t w = 0; w < words_of_thread; ++w) {
      bool const has = k + w > 0 && k + w <= degree;
      found |= has && is_new(bits, head.words[w]) ? 1U << w : 0U;
    }
    std::uint32_t at =
        reserve<3>(warp, shared, now, static_cast<std::uint32_t>(count_lanes(found)));
    GRIDLOOM_UNROLL
    for (std::uint32_t w = 0; w < words_of_thread; ++w) {
      if ((found >> w & 1U) != 0) put(shared, search, now, at++, head.words[w]);
    }
  }

  // Expands the entries of rows that lie beyond their records.
  template <class Warp, class Part>
  GRIDLOOM_FN void expand_rest(Warp const& warp, Part const& part, scratch& shared,
                               search_ref const& search, std::uint32_t* bits, level const& now,
                               std::uint32_t vertex, std::uint32_t degree) const {
    auto const lanes = static_cast<std::uint32_t>(part.num_threads());
    row_rest rest{};
    bool const is_longer = degree > room_of_record<Words>;
    if (is_longer) rest = rest_of_row<Words>(rows, vertex);
    bool const leads = part.thread_rank() == 0;
    if (rest.end - rest.begin > long_row && put_off(part, shared, now, vertex)) {
      rest.begin = rest.end;
    }
    // If few rows are long, the whole warp expands them one after the other. Otherwise each part
    // expands its own row.
    auto const rows_of_warp = static_cast<std::uint32_t>(warp.num_threads()) / lanes;
    std::uint32_t longs = warp.ballot(leads && rest.begin < rest.end);
    bool const are_few = 2 * static_cast<std::uint32_t>(count_lanes(longs)) <= rows_of_warp;
    if (!are_few || !warp.any(rest.end - rest.begin > medium_row * lanes)) {
      expand_stretch(warp, part, shared, search, bits, now, vertex, rest.begin, rest.end);
      return;
    }
    for (; longs != 0; longs &= longs - 1) {
      int const from = first_lane(longs);
      std::uint64_t const begin = warp.shuffle(rest.begin, from);
      std::uint64_t const end = warp.shuffle(rest.end, from);
      std::uint32_t const of = warp.shuffle(vertex, from);
      expand_stretch(warp, warp, shared, search, bits, now, of, begin, end);
    }
  }

  // Expands the entries from `begin` to `end` with all threads of a group, in whole warps.
  template <class Warp, class Group>
  GRIDLOOM_FN void expand_stretch(Warp const& warp, Group const& group, scratch& shared,
                                  search_ref const& search, std::uint32_t* bits, level const& now,
                                  std::uint32_t vertex, std::uint64_t begin,
                                  std::uint64_t end) const {
    for (std::uint64_t at = begin + static_cast<std::uint64_t>(group.thread_rank());
         warp.any(at < end); at += static_cast<std::uint64_t>(group.num_threads())) {
      bool const has = at < end;
      std::uint32_t const next = has ? rows.graph.columns[at] : vertex;
      offer(warp, shared, search, bits, now, has && next != vertex, next);
    }
  }

  // Puts a row on the block's list of long rows. Returns false if the list is full.
  template <class Part>
  GRIDLOOM_FN static bool put_off(Part const& part, scratch& shared, level const& now,
                                  std::uint32_t vertex) {
    block_memory memory;
    std::uint32_t at = 0;
    if (part.thread_rank() == 0) {
      at = memory.fetch_add_relaxed(&shared.num_long[now.index % 4], 1U);
      if (at < most_long) shared.long_rows[at] = vertex;
    }
    return part.shuffle(at, 0) < most_long;
  }

  template <class Block>
  GRIDLOOM_FN void expand_long_rows(Block const& block, scratch& shared, search_ref const& search,
                                    std::uint32_t* bits, level const& now) const {
    auto const warp = block.warp();
    std::uint32_t const wanted = shared.num_long[now.index % 4];
    std::uint32_t const n = wanted < most_long ? wanted : most_long;
    for (std::uint32_t k = 0; k < n; ++k) {
      std::uint32_t const vertex = shared.long_rows[k];
      row_rest const rest = rest_of_row<Words>(rows, vertex);
      expand_stretch(warp, block, shared, search, bits, now, vertex, rest.begin, rest.end);
    }
  }
};

}  // namespace gridloom::mhive::rcm::levels
