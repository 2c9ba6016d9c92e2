// Compares every collective over blocks, warps and tiles with a serial reference.
#include <cstdint>

#include "affine_map.hpp"
#include "gridloom/collectives.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(seam_collectives_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

constexpr int max_threads = 256;
// Number of calls in a row with the same scratch.
constexpr int rounds = 3;

struct results {
  std::uint32_t sum;
  std::uint64_t largest;
  bool any_last;
  bool any_none;
  affine_map all;
  bool operator==(results const&) const = default;
};

GRIDLOOM_FN std::uint32_t number_of(int thread, int round) {
  return static_cast<std::uint32_t>(thread + 1) * 2654435761U +
         static_cast<std::uint32_t>(round) * 40503U;
}
GRIDLOOM_FN affine_map map_of(int thread, int round) {
  return {number_of(thread, round) | 1U, number_of(thread, round + 7)};
}

struct group_scratch {
  collective_scratch<std::uint32_t, max_threads> numbers;
  collective_scratch<std::uint64_t, max_threads> wide;
  collective_scratch<affine_map, max_threads> maps;
};

struct select_block {
  static constexpr int groups = 1;
  template <class Block>
  GRIDLOOM_FN auto operator()(Block const& block) const {
    return block;
  }
};
struct select_warp {
  static constexpr int groups = 4;
  template <class Block>
  GRIDLOOM_FN auto operator()(Block const& block) const {
    return block.warp();
  }
};
template <int Warps>
struct select_tile {
  static constexpr int groups = 4;
  template <class Block>
  GRIDLOOM_FN auto operator()(Block const& block) const {
    return block.template tile<Warps>();
  }
};

template <class Select>
struct collectives_kernel {
  struct scratch {
    group_scratch groups[Select::groups];
  };
  static constexpr bool persistent = false;
  results* out;
  /// Largest number of threads of a group.
  int lanes;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& all) const {
    auto const group = Select{}(block);
    int const thread = block.thread().index();
    int const slot = block.thread_rank() / lanes;
    // Whole groups may leave, because the block does not synchronise below.
    if (slot >= Select::groups) return;
    group_scratch& own = all.groups[slot];
    int const last = group.num_threads() - 1;
    for (int round = 0; round < rounds; ++round) {
      results& r = out[thread * rounds + round];
      std::uint32_t const number = number_of(thread, round);
      affine_map const map = map_of(thread, round);
      r.sum = reduce(group, own.numbers, number, sum_of{});
      r.largest = reduce(group, own.wide, std::uint64_t{number} << 8, maximum_of{});
      r.any_last = any(group, own.numbers, group.thread_rank() == last);
      r.any_none = any(group, own.maps, false);
      r.all = reduce(group, own.maps, map, compose{});
    }
  }

  using compose = gridloom::test::compose_maps;
};

/// The results of the group of `n` threads that begins at `first`.
results expected(int first, int n, int round) {
  results r{};
  for (int g = first; g < first + n; ++g) {
    affine_map const map = map_of(g, round);
    r.sum += number_of(g, round);
    r.largest = std::max(r.largest, std::uint64_t{number_of(g, round)} << 8);
    r.all = g == first ? map : gridloom::test::compose_maps{}(r.all, map);
  }
  r.any_last = true;
  return r;
}

/// Checks groups of `lanes` threads. The last group of a block may have fewer.
template <class Select>
void check(test_machine const& on, device& machine, int lanes) {
  auto out = machine.allocate<results>(static_cast<std::size_t>(on.threads() * rounds));
  machine.launch(on.shape, collectives_kernel<Select>{out.data(), lanes});
  machine.synchronize();
  auto const seen = machine.copy_to_host(out);
  int const threads = on.shape.threads;
  for (int g = 0; g < on.threads(); ++g) {
    int const slot = g % threads / lanes;
    if (slot >= Select::groups) continue;
    int const first = g / threads * threads + slot * lanes;
    int const n = std::min(lanes, threads - slot * lanes);
    for (int round = 0; round < rounds; ++round) {
      BOOST_REQUIRE(seen[static_cast<std::size_t>(g * rounds + round)] ==
                    expected(first, n, round));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(collectives_of_blocks_warps_and_tiles_agree_with_a_serial_reference) {
  on_each_machine([](test_machine const& on, device& machine) {
    int const lanes = machine.is_host() ? 1 : 32;
    check<select_block>(on, machine, on.shape.threads);
    // Some warps are partial.
    check<select_warp>(on, machine, lanes);
    auto const fits = [&](int warps) {
      return machine.is_host() || on.shape.threads % (32 * warps) == 0;
    };
    if (fits(1)) check<select_tile<1>>(on, machine, lanes);
    if (fits(2)) check<select_tile<2>>(on, machine, machine.is_host() ? 1 : 64);
    if (fits(3)) check<select_tile<3>>(on, machine, machine.is_host() ? 1 : 96);
  });
}

BOOST_AUTO_TEST_SUITE_END()
