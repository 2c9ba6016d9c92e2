#pragma once
// Bitonic merge sort of keys with values by groups of threads (Batcher 1968; Pichler's thesis,
// appendix A). One group sorts a block of 1,024 pairs. Longer arrays take several steps.
//
// Departures from the appendix: Pairs are compared by key, then by value. A sorting network is not
// stable, so the result would not be unique otherwise. Every run is sorted upwards, and the first
// step of a merge compares mirrored places. So pairs beyond the end would never move, and arrays of
// any length need no padding.

#include <concepts>
#include <cstdint>
#include <limits>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom {

/// Number of pairs that one group sorts.
inline constexpr int bitonic_block_size = 1024;
/// Number of pairs that a thread keeps in registers.
inline constexpr int bitonic_pairs_per_thread = 4;

/// Shared memory of one group.
template <std::unsigned_integral Key, std::unsigned_integral Value>
struct bitonic_scratch {
  Key keys[bitonic_block_size];
  Value values[bitonic_block_size];
};

enum class bitonic_kind : std::uint32_t { sort_blocks, exchange, merge_blocks, done };

/// One step of sorting a long array. It sorts or merges within blocks, or exchanges the places i
/// and i ^ mask, which lie at least a block apart. All groups must synchronise between two steps.
struct bitonic_step {
  bitonic_kind kind = bitonic_kind::sort_blocks;
  /// Length of the sorted runs that this step contributes to.
  std::uint64_t run = bitonic_block_size;
  std::uint64_t mask = 0;

  /// The step after this one for `n` pairs.
  [[nodiscard]] GRIDLOOM_FN bitonic_step next(std::uint64_t n) const {
    if (kind != bitonic_kind::exchange) {
      if (run >= n) return {bitonic_kind::done, run, 0};
      return {bitonic_kind::exchange, 2 * run, 2 * run - 1};
    }
    std::uint64_t const stride = distance() / 2;
    if (stride >= bitonic_block_size) return {kind, run, stride};
    return {bitonic_kind::merge_blocks, run, 0};
  }
  /// Number of parts of the step. One group runs a part by run_bitonic_step.
  [[nodiscard]] GRIDLOOM_FN std::uint64_t num_parts(std::uint64_t n) const {
    if (kind != bitonic_kind::exchange) return (n + bitonic_block_size - 1) / bitonic_block_size;
    std::uint64_t const span = 2 * distance();
    return (n + span - 1) / span * (span / bitonic_block_size);
  }
  /// The highest bit of an exchange's mask.
  [[nodiscard]] GRIDLOOM_FN std::uint64_t distance() const {
    return mask == run - 1 ? run / 2 : mask;
  }
};

namespace detail {

// The sorting network. `Block` holds up to bitonic_block_size pairs, in one of the two ways below.
// exchange(mask, distance) compares the pairs at places i and i ^ mask, whose highest bit is
// `distance`, and puts the smaller one to the lower place.

template <class Block>
GRIDLOOM_FN void sort_loaded(Block& block) {
  for (int run = 2; run / 2 < block.n; run *= 2) {
    // The exchange is mirrored, because both runs ascend.
    block.exchange(run - 1, run / 2);
    for (int stride = run / 4; stride > 0; stride /= 2) block.exchange(stride, stride);
  }
}
template <class Block>
GRIDLOOM_FN void merge_loaded(Block& block) {
  for (int stride = bitonic_block_size / 2; stride > 0; stride /= 2) block.exchange(stride, stride);
}

template <class Key, class Value>
GRIDLOOM_FN bool comes_before(Key key, Value value, Key other_key, Value other_value) {
  return key < other_key || (key == other_key && value < other_value);
}

/// Exchanges the two pairs if the later one is smaller.
template <class Key, class Value>
GRIDLOOM_FN void arrange(Key& key, Value& value, Key& later_key, Value& later_value) {
  Key const a = key;
  Key const b = later_key;
  Value const value_a = value;
  Value const value_b = later_value;
  if (!comes_before(b, value_b, a, value_a)) return;
  key = b;
  value = value_b;
  later_key = a;
  later_value = value_a;
}

/// Among the places whose bit `distance`, a power of two, is 0: the one with number `pair`.
template <class Index>
GRIDLOOM_FN Index lower_place(Index pair, Index distance) {
  Index const within = pair & (distance - 1);
  return 2 * (pair - within) + within;
}

/// A block in shared memory, for groups of any size.
template <class Group, class Key, class Value>
struct bitonic_in_scratch {
  Group const& group;
  bitonic_scratch<Key, Value>& scratch;
  int n;

  GRIDLOOM_FN void load(Key const* keys, Value const* values) {
    for (int i = group.thread_rank(); i < n; i += group.num_threads()) {
      scratch.keys[i] = keys[i];
      scratch.values[i] = values[i];
    }
    group.sync();
  }
  GRIDLOOM_FN void store(Key* keys, Value* values) const {
    for (int i = group.thread_rank(); i < n; i += group.num_threads()) {
      keys[i] = scratch.keys[i];
      values[i] = scratch.values[i];
    }
  }
  GRIDLOOM_FN void exchange(int mask, int distance) {
    int const pairs = (n + 2 * distance - 1) / (2 * distance) * distance;
    for (int p = group.thread_rank(); p < pairs; p += group.num_threads()) {
      int const i = lower_place(p, distance);
      int const j = i ^ mask;
      if (j >= n) continue;
      arrange(scratch.keys[i], scratch.values[i], scratch.keys[j], scratch.values[j]);
    }
    group.sync();
  }
};

/// A block with 4 pairs per thread in registers. Exchanges between warps use shared memory.
template <class Group, class Key, class Value>
struct bitonic_in_registers {
  static constexpr int size = bitonic_pairs_per_thread;
  static constexpr int threads = bitonic_block_size / size;
  static constexpr int lanes = 32;
  static constexpr Key last_key = std::numeric_limits<Key>::max();
  static constexpr Value last_value = std::numeric_limits<Value>::max();

  Group const& group;
  bitonic_scratch<Key, Value>& scratch;
  int n;
  Key key[size] = {};
  Value value[size] = {};

  GRIDLOOM_FN void load(Key const* keys, Value const* values) {
    GRIDLOOM_UNROLL
    for (int a = 0; a < size; ++a) {
      int const i = group.thread_rank() * size + a;
      key[a] = i < n ? keys[i] : Key{last_key};
      value[a] = i < n ? values[i] : Value{last_value};
    }
  }
  GRIDLOOM_FN void store(Key* keys, Value* values) const {
    GRIDLOOM_UNROLL
    for (int a = 0; a < size; ++a) {
      int const i = group.thread_rank() * size + a;
      if (i >= n) continue;
      keys[i] = key[a];
      values[i] = value[a];
    }
  }
  GRIDLOOM_FN void exchange(int mask, int distance) {
    // Distance of the partner in threads.
    int const between = mask / size;
    if (mask == 1) {
      within<1>();
    } else if (mask == 2) {
      within<2>();
    } else if (mask == 3) {
      within<3>();
    } else if (between < lanes) {
      across(mask, distance,
             [&](Key const(&own)[size], Value const(&own_values)[size], int a, Key& k, Value& v) {
               auto const warp = group.warp();
               int const from = warp.thread_rank() ^ between;
               k = warp.shuffle(own[a], from);
               v = warp.shuffle(own_values[a], from);
             });
    } else {
      GRIDLOOM_UNROLL
      for (int a = 0; a < size; ++a) {
        scratch.keys[place(group.thread_rank(), a)] = key[a];
        scratch.values[place(group.thread_rank(), a)] = value[a];
      }
      group.sync();
      // `get` reads the pairs in the order of the partner's thread. If the exchange is mirrored,
      // `across` reverses them.
      bool const mirrored = (mask & (size - 1)) != 0;
      across(mask, distance,
             [&](Key const(&)[size], Value const(&)[size], int a, Key& k, Value& v) {
               int const there = place(group.thread_rank() ^ between, mirrored ? size - 1 - a : a);
               k = scratch.keys[there];
               v = scratch.values[there];
             });
      group.sync();
    }
  }

 private:
  // Neighbouring threads use neighbouring banks.
  GRIDLOOM_FN static int place(int thread, int a) { return a * threads + thread; }

  template <int Mask>
  GRIDLOOM_FN void within() {
    GRIDLOOM_UNROLL
    for (int a = 0; a < size; ++a) {
      int const b = a ^ Mask;
      if (a < b) arrange(key[a], value[a], key[b], value[b]);
    }
  }

  // `get` fetches the partner's pair for place `a` from the arrays that the partner passes.
  template <class Get>
  GRIDLOOM_FN void across(int mask, int distance, Get const& get) {
    bool const mirrored = (mask & (size - 1)) != 0;
    bool const keeps_smaller = (group.thread_rank() & (distance / size)) == 0;
    Key passed[size];
    Value passed_values[size];
    GRIDLOOM_UNROLL
    for (int a = 0; a < size; ++a) {
      passed[a] = mirrored ? key[size - 1 - a] : key[a];
      passed_values[a] = mirrored ? value[size - 1 - a] : value[a];
    }
    GRIDLOOM_UNROLL
    for (int a = 0; a < size; ++a) {
      Key other;
      Value other_value;
      get(passed, passed_values, a, other, other_value);
      if (comes_before(other, other_value, key[a], value[a]) != keeps_smaller) continue;
      key[a] = other;
      value[a] = other_value;
    }
  }
};

/// Loads the pairs into the kind of block that suits the group, calls `work`, and stores them.
template <class Group, class Key, class Value, class Work>
GRIDLOOM_FN void with_loaded(Group const& group, Key* keys, Value* values, int n,
                             bitonic_scratch<Key, Value>& scratch, Work const& work) {
  auto const run = [&](auto&& block) {
    block.load(keys, values);
    work(block);
    block.store(keys, values);
  };
  using in_registers = bitonic_in_registers<Group, Key, Value>;
  if (group.num_threads() == in_registers::threads) {
    run(in_registers{group, scratch, n});
  } else {
    run(bitonic_in_scratch<Group, Key, Value>{group, scratch, n});
  }
}

}  // namespace detail

/// Sorts at most bitonic_block_size pairs in memory. Called by all threads of the group with the
/// same arguments. The threads must synchronise before they read each other's results. The scratch
/// may be reused at once. Cost for n pairs: (log2 n + 1) · log2 n / 2 exchanges.
template <thread_group Group, std::unsigned_integral Key, std::unsigned_integral Value>
GRIDLOOM_FN void bitonic_sort_block(Group const& group, Key* keys, Value* values, int n,
                                    bitonic_scratch<Key, Value>& scratch) {
  detail::with_loaded(group, keys, values, n, scratch,
                      [](auto& block) { detail::sort_loaded(block); });
}

/// The last steps of a merge, over at most bitonic_block_size pairs. Same contract as
/// bitonic_sort_block. Cost: 10 exchanges.
template <thread_group Group, std::unsigned_integral Key, std::unsigned_integral Value>
GRIDLOOM_FN void bitonic_merge_block(Group const& group, Key* keys, Value* values, int n,
                                     bitonic_scratch<Key, Value>& scratch) {
  detail::with_loaded(group, keys, values, n, scratch,
                      [](auto& block) { detail::merge_loaded(block); });
}

/// Runs one part of an exchange over `n` pairs. A part has 1,024 places, and parts do not overlap.
/// Called by all threads of the group.
template <thread_group Group, std::unsigned_integral Key, std::unsigned_integral Value>
GRIDLOOM_FN void bitonic_exchange(Group const& group, bitonic_step const& step, Key* keys,
                                  Value* values, std::uint64_t n, std::uint64_t part) {
  constexpr int pairs = bitonic_block_size / 2;
  std::uint64_t const distance = step.distance();
  for (int p = group.thread_rank(); p < pairs; p += group.num_threads()) {
    std::uint64_t const i =
        detail::lower_place(part * pairs + static_cast<std::uint64_t>(p), distance);
    std::uint64_t const j = i ^ step.mask;
    if (j < n) detail::arrange(keys[i], values[i], keys[j], values[j]);
  }
}

/// Runs one part of any step except `done`. Same contract as bitonic_sort_block.
template <thread_group Group, std::unsigned_integral Key, std::unsigned_integral Value>
GRIDLOOM_FN void run_bitonic_step(Group const& group, bitonic_step const& step, Key* keys,
                                  Value* values, std::uint64_t n, std::uint64_t part,
                                  bitonic_scratch<Key, Value>& scratch) {
  if (step.kind == bitonic_kind::exchange) {
    bitonic_exchange(group, step, keys, values, n, part);
    return;
  }
  std::uint64_t const begin = part * bitonic_block_size;
  std::uint64_t const left = n - begin;
  int const here = left < bitonic_block_size ? static_cast<int>(left) : bitonic_block_size;
  if (step.kind == bitonic_kind::sort_blocks) {
    bitonic_sort_block(group, keys + begin, values + begin, here, scratch);
  } else {
    bitonic_merge_block(group, keys + begin, values + begin, here, scratch);
  }
}

}  // namespace gridloom
