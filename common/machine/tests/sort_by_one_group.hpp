#pragma once
// The bitonic sort of an array of any length by one group, step by step.

#include "gridloom/sort/bitonic.hpp"

namespace gridloom::test {

/// Called by all threads of the group. Orders their accesses like `sync()`.
template <thread_group Group, class Key, class Value>
GRIDLOOM_FN void sort_by_one_group(Group const& group, Key* keys, Value* values, std::uint64_t n,
                                   bitonic_scratch<Key, Value>& scratch) {
  group.sync();
  for (bitonic_step step; step.kind != bitonic_kind::done; step = step.next(n)) {
    for (std::uint64_t part = 0; part < step.num_parts(n); ++part) {
      run_bitonic_step(group, step, keys, values, n, part, scratch);
    }
    group.sync();
  }
}

}  // namespace gridloom::test
