// Compares the bitonic sort by one group, and by a whole launch in steps, with std::sort.
#include <algorithm>
#include <utility>
#include <vector>

#include "sort_by_one_group.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;

namespace {

template <class Key>
using pair_list = std::vector<std::pair<Key, std::uint32_t>>;

/// Each group sorts its own arrays, which are stored one after the other.
template <class Key>
struct sort_kernel {
  using scratch = bitonic_scratch<Key, std::uint32_t>;
  static constexpr bool persistent = false;
  Key* keys;
  std::uint32_t* values;
  std::uint32_t const* offsets;
  int arrays;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    for (int a = block.index(); a < arrays; a += block.count()) {
      std::uint32_t const begin = offsets[a];
      sort_by_one_group(block, keys + begin, values + begin, offsets[a + 1] - begin, shared);
    }
  }
};

/// One step over one array.
template <class Key>
struct step_kernel {
  using scratch = bitonic_scratch<Key, std::uint32_t>;
  static constexpr bool persistent = false;
  Key* keys;
  std::uint32_t* values;
  std::uint64_t n;
  bitonic_step step;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const stride = static_cast<std::uint64_t>(block.count());
    for (auto part = static_cast<std::uint64_t>(block.index()); part < step.num_parts(n);
         part += stride) {
      run_bitonic_step(block, step, keys, values, n, part, shared);
    }
  }
};

// Patterns of keys. The values are distinct and unordered.
enum pattern {
  random_keys,
  few_keys,
  equal_keys,
  upwards,
  downwards,
  largest,
  organ_pipe,
  num_patterns
};

template <class Key>
pair_list<Key> make(int which, std::uint32_t n, std::uint64_t seed) {
  constexpr Key most = std::numeric_limits<Key>::max();
  pair_list<Key> result;
  for (std::uint32_t i = 0; i < n; ++i) {
    auto const noise = static_cast<Key>((seed + i + 1) * 0x9e3779b97f4a7c15U >> 13U);
    Key const keys[num_patterns] = {noise,
                                    static_cast<Key>(noise % 3),
                                    Key{7},
                                    static_cast<Key>(i),
                                    static_cast<Key>(n - i),
                                    static_cast<Key>(most - noise % 2),
                                    static_cast<Key>(i < n / 2 ? i : n - i)};
    result.emplace_back(keys[which], i * 2654435761U);
  }
  return result;
}

template <class Key>
struct on_machine {
  on_machine(device& machine, pair_list<Key> const& pairs) : machine_{machine} {
    std::vector<Key> first;
    std::vector<std::uint32_t> second;
    for (auto const& [key, value] : pairs) {
      first.push_back(key);
      second.push_back(value);
    }
    keys = machine.allocate_copy(first);
    values = machine.allocate_copy(second);
  }
  pair_list<Key> read() {
    machine_.synchronize();
    auto const first = machine_.copy_to_host(keys);
    auto const second = machine_.copy_to_host(values);
    pair_list<Key> result;
    for (std::size_t i = 0; i < first.size(); ++i) result.emplace_back(first[i], second[i]);
    return result;
  }
  device& machine_;
  buffer<Key> keys;
  buffer<std::uint32_t> values;
};

template <class Key>
void check_arrays(test_machine const& on, device& machine, int which,
                  std::vector<std::uint32_t> const& sizes) {
  pair_list<Key> all;
  std::vector<std::uint32_t> offsets{0};
  for (std::uint32_t const n : sizes) {
    auto const one = make<Key>(which, n, n);
    all.insert(all.end(), one.begin(), one.end());
    offsets.push_back(static_cast<std::uint32_t>(all.size()));
  }
  on_machine<Key> held{machine, all};
  auto const ends = machine.allocate_copy(offsets);
  machine.launch(on.shape, sort_kernel<Key>{held.keys.data(), held.values.data(), ends.data(),
                                            static_cast<int>(sizes.size())});
  auto const seen = held.read();
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    std::sort(all.begin() + offsets[a], all.begin() + offsets[a + 1]);
    bool const right = std::equal(all.begin() + offsets[a], all.begin() + offsets[a + 1],
                                  seen.begin() + offsets[a]);
    BOOST_TEST(right, "pattern " << which << ", " << sizes[a] << " pairs");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bitonic_test)

BOOST_AUTO_TEST_CASE(a_group_sorts_any_length) {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t n = 0; n <= 5000; n += n < 140 ? 1 : 47) sizes.push_back(n);
  for (std::uint32_t const n : {1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097}) sizes.push_back(n);
  on_each_machine([&](test_machine const& on, device& machine) {
    check_arrays<std::uint32_t>(on, machine, random_keys, sizes);
    check_arrays<std::uint64_t>(on, machine, few_keys, sizes);
  });
}

BOOST_AUTO_TEST_CASE(patterns_and_equal_keys_by_value) {
  std::vector<std::uint32_t> const sizes{1,   2,   3,   4,    5,    31,   127,
                                         128, 129, 600, 1024, 1500, 3072, 5000};
  on_each_machine([&](test_machine const& on, device& machine) {
    for (int which = 0; which < num_patterns; ++which) {
      check_arrays<std::uint32_t>(on, machine, which, sizes);
      check_arrays<std::uint64_t>(on, machine, which, sizes);
    }
  });
}

BOOST_AUTO_TEST_CASE(groups_sort_one_array_together) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::uint32_t const n : {1U, 1024U, 1025U, 4095U, 10'000U, 70'001U}) {
      auto pairs = make<std::uint32_t>(n % 2 == 0 ? random_keys : few_keys, n, 5);
      on_machine<std::uint32_t> held{machine, pairs};
      for (bitonic_step step; step.kind != bitonic_kind::done; step = step.next(n)) {
        machine.launch(on.shape,
                       step_kernel<std::uint32_t>{held.keys.data(), held.values.data(), n, step});
      }
      auto const seen = held.read();
      std::sort(pairs.begin(), pairs.end());
      BOOST_TEST((seen == pairs), n << " pairs");
    }
  });
}

BOOST_AUTO_TEST_CASE(steps_are_those_of_the_network) {
  // Steps for 3,000 pairs: within blocks, then runs of 2,048, then runs of 4,096.
  bitonic_step step;
  BOOST_TEST(step.num_parts(3000) == 3U);
  step = step.next(3000);
  BOOST_TEST((step.kind == bitonic_kind::exchange && step.mask == 2047));
  BOOST_TEST(step.num_parts(3000) == 4U);
  step = step.next(3000);
  BOOST_TEST((step.kind == bitonic_kind::merge_blocks));
  step = step.next(3000);
  BOOST_TEST((step.kind == bitonic_kind::exchange && step.mask == 4095));
  step = step.next(3000);
  BOOST_TEST((step.kind == bitonic_kind::exchange && step.mask == 1024));
  step = step.next(3000);
  BOOST_TEST((step.kind == bitonic_kind::merge_blocks));
  BOOST_TEST((step.next(3000).kind == bitonic_kind::done));
  BOOST_TEST((bitonic_step{}.next(1024).kind == bitonic_kind::done));
  BOOST_TEST((bitonic_step{}.next(0).kind == bitonic_kind::done));
}

BOOST_AUTO_TEST_SUITE_END()
