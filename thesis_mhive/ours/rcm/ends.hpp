#pragma once
// The kernel that ends a round of searches for start nodes (thesis, Algorithm 7.2; start_node.hpp
// lists the differences). It finds the eccentricity of each component's candidates, and decides
// whether one of them is a better start. Then it chooses the next candidates. A round treats all
// components at once: its search k begins at candidate k of every component.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/device.hpp"
#include "search.hpp"

namespace gridloom::mhive::rcm::levels {

inline constexpr std::uint64_t no_candidate = ~std::uint64_t{0};

struct component_state {
  /// The best start node so far. Before the first round, this is the vertex at which the search
  /// begins.
  std::uint32_t node = 0;
  std::uint32_t eccentricity = 0;
  /// The last candidate that was tried.
  std::uint32_t end = 0;
  std::uint32_t num_searches = 0;
  /// 1 if the component takes part in the next round.
  std::uint32_t is_active = 0;
  /// Where the last level of the round's winner begins.
  std::uint32_t last_begin = 0;
  /// The search of the round that found a larger eccentricity; -1 if none did.
  std::int32_t winner = -1;
};

/// The result of a round, for the host.
struct round_words {
  std::uint32_t num_active = 0;
  /// The winner of component 0.
  std::int32_t winner = -1;
};
struct shared_words {
  search_words searches[most_searches];
  round_words round;
};

/// View of the components. `component_of` is null if there is only one.
struct components_ref {
  /// Array of num_rows words: the component of each vertex.
  std::uint32_t const* component_of = nullptr;
  std::uint32_t num_components = 1;
  component_state* states = nullptr;
  /// Array of num_components x most_candidates words, each of which holds degree and vertex.
  std::uint64_t* candidates = nullptr;
  /// Array of num_components x most_candidates words: where the component's vertices end in the
  /// queue of the candidate's search.
  std::uint32_t* last_places = nullptr;

  [[nodiscard]] GRIDLOOM_FN std::uint32_t of(std::uint32_t vertex) const {
    return component_of == nullptr ? 0 : component_of[vertex];
  }
};

/// These functions lower or raise a word that many threads update. Most threads only read it.
template <class T>
GRIDLOOM_FN void lower(T* word, T value) {
  direct_memory memory;
  if (memory.load_relaxed(word) > value) static_cast<void>(memory.fetch_min_relaxed(word, value));
}
template <class T>
GRIDLOOM_FN void raise(T* word, T value) {
  direct_memory memory;
  if (memory.load_relaxed(word) < value) static_cast<void>(memory.fetch_max_relaxed(word, value));
}

/// Returns the level of a place in the queue of a search.
GRIDLOOM_FN inline std::uint32_t level_of(std::uint32_t const* level_begin,
                                          std::uint32_t num_levels, std::uint32_t place) {
  std::uint32_t low = 0;
  std::uint32_t high = num_levels;
  while (high - low > 1) {
    std::uint32_t const middle = low + (high - low) / 2;
    if (level_begin[middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Judges a round, if all its searches are done. One block judges a single component.
template <int Words>
struct judge_kernel {
  struct scratch {
    collective_scratch<std::uint64_t> least;
  };
  static constexpr bool persistent = true;

  rows_ref rows;
  components_ref components;
  search_ref searches[most_searches];
  std::int32_t num_searches = 1;
  std::int32_t most_candidates = 1;
  /// Whether this is the first round. Its search begins at one vertex per component, instead of at
  /// candidates.
  bool is_first = false;
  round_words* result;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch& shared) const {
    auto const thread = block.thread();
    bool const alone = components.component_of == nullptr;
    for (std::int32_t s = 0; s < num_searches; ++s) {
      if (searches[s].words->begin != searches[s].words->end) return;
    }
    if (!alone) {
      find_last_places(thread);
      block.grid_sync();
    }
    if (thread.index() == 0) *result = {};
    block.grid_sync();
    for (auto c = static_cast<std::uint32_t>(thread.index()); c < components.num_components;
         c += static_cast<std::uint32_t>(thread.count())) {
      if (components.states[c].is_active != 0) judge(c, alone);
    }
    for (std::int32_t m = 0; m < most_candidates; ++m) {
      block.grid_sync();
      alone ? least_of_one(block, shared, m) : least_of_all(thread, m);
    }
  }

 private:
  [[nodiscard]] GRIDLOOM_FN std::uint64_t* candidates_of(std::uint32_t component) const {
    return components.candidates + std::size_t{component} * most_candidates;
  }
  [[nodiscard]] GRIDLOOM_FN std::uint32_t* last_places_of(std::uint32_t component) const {
    return components.last_places + std::size_t{component} * most_candidates;
  }
  [[nodiscard]] GRIDLOOM_FN std::uint64_t key_of(std::uint32_t vertex) const {
    return std::uint64_t{rows.records[std::size_t{vertex} * Words]} << 32U | vertex;
  }

  template <class Thread>
  GRIDLOOM_FN void find_last_places(Thread const& thread) const {
    for (std::int32_t s = 0; s < num_searches; ++s) {
      std::uint32_t const end = searches[s].words->end;
      for (auto i = static_cast<std::uint32_t>(thread.index()); i < end;
           i += static_cast<std::uint32_t>(thread.count())) {
        raise(last_places_of(components.of(searches[s].queue[i])) + s, i + 1);
      }
    }
  }

  GRIDLOOM_FN void judge(std::uint32_t component, bool alone) const {
    component_state& state = components.states[component];
    std::uint64_t* const candidates = candidates_of(component);
    state.winner = -1;
    for (std::int32_t s = 0; s < num_searches; ++s) {
      if (!is_first && candidates[s] == no_candidate) break;
      search_ref const& search = searches[s];
      std::uint32_t const behind = alone ? search.words->end : last_places_of(component)[s];
      std::uint32_t const far = level_of(search.level_begin, search.words->num_levels, behind - 1);
      ++state.num_searches;
      if (state.winner >= 0) continue;
      if (!is_first) state.end = static_cast<std::uint32_t>(candidates[s]);
      if (is_first || far > state.eccentricity) {
        state.winner = s;
        if (!is_first) state.node = static_cast<std::uint32_t>(candidates[s]);
        state.eccentricity = far;
        state.last_begin = search.level_begin[far];
      }
    }
    state.is_active = state.winner >= 0 ? 1 : 0;
    for (std::int32_t m = 0; m < most_candidates; ++m) {
      candidates[m] = no_candidate;
      last_places_of(component)[m] = 0;
    }
    direct_memory memory;
    memory.fetch_add_relaxed(&result->num_active, state.is_active);
    if (component == 0) result->winner = state.winner;
  }

  // Finds candidate m. It is the next vertex after candidate m - 1 in the winner's last level, by
  // degree and number.
  template <class Block>
  GRIDLOOM_FN void least_of_one(Block const& block, scratch& shared, std::int32_t m) const {
    component_state const state = components.states[0];
    if (block.index() != 0 || state.is_active == 0) return;
    search_ref const& search = searches[state.winner];
    std::uint64_t* const candidates = candidates_of(0);
    std::uint64_t least = no_candidate;
    for (std::uint32_t i = state.last_begin + static_cast<std::uint32_t>(block.thread_rank());
         i < search.words->end; i += static_cast<std::uint32_t>(block.num_threads())) {
      std::uint64_t const key = key_of(search.queue[i]);
      if ((m == 0 || key > candidates[m - 1]) && key < least) least = key;
    }
    least = reduce(block, shared.least, least, minimum_of{});
    if (block.thread_rank() == 0) candidates[m] = least;
  }
  template <class Thread>
  GRIDLOOM_FN void least_of_all(Thread const& thread, std::int32_t m) const {
    direct_memory memory;
    for (std::int32_t s = 0; s < num_searches; ++s) {
      std::uint32_t const end = searches[s].words->end;
      for (auto i = static_cast<std::uint32_t>(thread.index()); i < end;
           i += static_cast<std::uint32_t>(thread.count())) {
        std::uint32_t const vertex = searches[s].queue[i];
        std::uint32_t const component = components.of(vertex);
        component_state const& state = components.states[component];
        if (state.is_active == 0 || state.winner != s || i < state.last_begin) continue;
        std::uint64_t* const candidates = candidates_of(component);
        std::uint64_t const key = key_of(vertex);
        if (m == 0 || key > memory.load_relaxed(candidates + m - 1)) lower(candidates + m, key);
      }
    }
  }
};

/// Begins a search at sources in device memory.
struct enqueue_sources {
  std::uint32_t const* sources;
  std::uint32_t num_sources;
  search_ref search;

  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    search.queue[i] = sources[i];
    if (i == 0) *search.words = {0, num_sources};
  }
};

/// Finds the vertex of least degree of every component. Among equal degrees it is the smallest
/// vertex.
template <int Words>
struct find_least_degree {
  rows_ref rows;
  components_ref components;
  GRIDLOOM_FN void operator()(std::uint32_t vertex) const {
    std::uint64_t const key =
        std::uint64_t{rows.records[std::size_t{vertex} * Words]} << 32U | vertex;
    lower(components.candidates + components.of(vertex), key);
  }
};

/// Puts the first vertex of every active component into the queue of a search. Deactivates isolated
/// vertices, which need no search.
template <int Words>
struct enqueue_firsts {
  rows_ref rows;
  components_ref components;
  search_ref search;
  GRIDLOOM_FN void operator()(std::uint32_t component) const {
    component_state& state = components.states[component];
    if (rows.records[std::size_t{state.node} * Words] == 0) state.is_active = 0;
    if (state.is_active == 0) return;
    search.queue[direct_memory{}.fetch_add_relaxed(&search.words->end, 1U)] = state.node;
  }
};

/// Puts candidate m of every active component into the queue of search m. If there is only one
/// component, also resets the searches.
struct enqueue_candidates {
  components_ref components;
  search_ref searches[most_searches];
  std::int32_t most_candidates = 1;

  GRIDLOOM_FN void operator()(std::uint32_t component) const {
    if (components.states[component].is_active == 0) return;
    direct_memory memory;
    for (std::int32_t m = 0; m < most_candidates; ++m) {
      if (components.component_of == nullptr) *searches[m].words = {};
      std::uint64_t const candidate =
          components.candidates[std::size_t{component} * most_candidates + m];
      if (candidate == no_candidate) continue;
      searches[m].queue[memory.fetch_add_relaxed(&searches[m].words->end, 1U)] =
          static_cast<std::uint32_t>(candidate);
    }
  }
};
struct reset_searches : enqueue_candidates {
  GRIDLOOM_FN void operator()(std::uint32_t m) const { *searches[m].words = {}; }
};

}  // namespace gridloom::mhive::rcm::levels
