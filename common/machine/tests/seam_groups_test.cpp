// Tests of ranks, sizes, synchronisation and votes of the groups on every machine.
#include <cstdint>

#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(seam_groups_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

struct place {
  int rank;
  int size;
  int index;
  int count;
  bool operator==(place const&) const = default;
};

template <thread_group Group>
GRIDLOOM_FN place place_in(Group const& group) {
  return {group.thread_rank(), group.num_threads(), group.index(), group.count()};
}

struct places {
  place block;
  place warp;
  place leader;
  place thread;
};

struct places_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  places* out;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    out[block.thread().index()] = {place_in(block), place_in(block.warp()),
                                   place_in(block.leader()), place_in(block.thread())};
  }
};

constexpr int max_threads = 256;
constexpr int rounds = 50;

struct words {
  std::uint32_t values[max_threads];
};

/// Each thread writes its word and reads its neighbour's word. Returns the number of wrong values,
/// which mean that the group did not synchronise.
template <thread_group Group>
GRIDLOOM_FN int missed_meetings(Group const& group, std::uint32_t* word) {
  int const rank = group.thread_rank();
  int const n = group.num_threads();
  int errors = 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    word[rank] = round * 1000 + static_cast<std::uint32_t>(rank);
    group.sync();
    int const neighbour = (rank + 1) % n;
    errors += word[neighbour] != round * 1000 + static_cast<std::uint32_t>(neighbour);
    group.sync();
  }
  return errors;
}

struct votes_kernel {
  using scratch = words;
  static constexpr bool persistent = false;
  /// Array of one count of errors per thread.
  int* errors;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& word) const {
    auto const warp = block.warp();
    int const rank = warp.thread_rank();
    int const n = warp.num_threads();
    int wrong = missed_meetings(block, word.values);
    block.sync();
    wrong += missed_meetings(warp, word.values + (block.thread_rank() - rank));
    std::uint32_t expected = 0;
    for (int r = 0; r < n; r += 3) expected |= 1U << r;
    wrong += warp.ballot(rank % 3 == 0) != expected;
    wrong += !warp.any(rank == n - 1);
    wrong += warp.any(false);
    wrong += warp.shuffle(static_cast<std::uint32_t>(rank * 7), (rank + 1) % n) !=
             static_cast<std::uint32_t>((rank + 1) % n * 7);
    wrong += warp.shuffle(std::uint64_t{1} << (rank + 20), n - 1) != std::uint64_t{1} << (n + 19);
    errors[block.thread().index()] = wrong;
  }
};

template <int Warps>
struct tile_kernel {
  using scratch = words;
  static constexpr bool persistent = false;
  place* out;
  int* errors;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& word) const {
    auto const tile = block.template tile<Warps>();
    int const thread = block.thread().index();
    out[thread] = place_in(tile);
    // Tiles synchronise independently of each other: odd tiles synchronise twice as often.
    std::uint32_t* const own = word.values + (block.thread_rank() - tile.thread_rank());
    errors[thread] = missed_meetings(tile, own);
    if (tile.index() % 2 == 1) errors[thread] += missed_meetings(tile, own);
  }
};

int total(std::vector<int> const& counts) {
  int sum = 0;
  for (int const count : counts) sum += count;
  return sum;
}

template <int Warps>
void check_tiles(test_machine const& on, device& machine) {
  int const size = machine.is_host() ? 1 : 32 * Warps;
  if (on.shape.threads % size != 0) return;
  auto out = machine.allocate<place>(static_cast<std::size_t>(on.threads()));
  auto errors = machine.allocate<int>(static_cast<std::size_t>(on.threads()));
  machine.launch(on.shape, tile_kernel<Warps>{out.data(), errors.data()});
  machine.synchronize();
  auto const seen = machine.copy_to_host(out);
  for (int g = 0; g < on.threads(); ++g) {
    place const expected{g % size, size, g / size, on.threads() / size};
    BOOST_REQUIRE(seen[static_cast<std::size_t>(g)] == expected);
  }
  BOOST_TEST(total(machine.copy_to_host(errors)) == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_thread_knows_its_place_in_block_warp_and_grid) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto out = machine.allocate<places>(static_cast<std::size_t>(on.threads()));
    machine.launch(on.shape, places_kernel{out.data()});
    machine.synchronize();
    auto const seen = machine.copy_to_host(out);
    int const threads = on.shape.threads;
    int const blocks = on.shape.blocks;
    int const lanes = machine.is_host() ? 1 : 32;
    int const warps = (threads + lanes - 1) / lanes;
    for (int g = 0; g < on.threads(); ++g) {
      int const rank = g % threads;
      int const block = g / threads;
      int const warp = rank / lanes;
      places const& at = seen[static_cast<std::size_t>(g)];
      BOOST_REQUIRE((at.block == place{rank, threads, block, blocks}));
      BOOST_REQUIRE((at.warp == place{rank % lanes, std::min(lanes, threads - warp * lanes),
                                      block * warps + warp, blocks * warps}));
      BOOST_REQUIRE((at.leader == place{0, 1, block, blocks}));
      BOOST_REQUIRE((at.thread == place{0, 1, g, on.threads()}));
    }
  });
}

BOOST_AUTO_TEST_CASE(blocks_and_warps_meet_vote_and_shuffle) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto errors = machine.allocate<int>(static_cast<std::size_t>(on.threads()));
    machine.launch(on.shape, votes_kernel{errors.data()});
    machine.synchronize();
    BOOST_TEST(total(machine.copy_to_host(errors)) == 0);
  });
}

BOOST_AUTO_TEST_CASE(tiles_of_warps_meet_by_themselves) {
  on_each_machine([](test_machine const& on, device& machine) {
    check_tiles<1>(on, machine);
    check_tiles<2>(on, machine);
    check_tiles<3>(on, machine);
  });
}

BOOST_AUTO_TEST_SUITE_END()
