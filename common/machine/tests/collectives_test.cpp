#include "gridloom/collectives.hpp"

#include <barrier>
#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

#include "affine_map.hpp"

BOOST_AUTO_TEST_SUITE(collectives_test)

// Tests the code that uses the scratch, on real threads. Host workers are groups of one thread and
// skip that code.

using namespace gridloom;
using namespace gridloom::test;

namespace {

/// Host threads that can only synchronise.
class thread_team {
 public:
  thread_team(int rank, int size, std::barrier<>* meeting)
      : rank_(rank), size_(size), meeting_(meeting) {}
  int thread_rank() const { return rank_; }
  int num_threads() const { return size_; }
  int index() const { return 0; }
  int count() const { return 1; }
  void sync() const { meeting_->arrive_and_wait(); }
  void pause(unsigned) const {}

 private:
  int rank_;
  int size_;
  std::barrier<>* meeting_;
};

static_assert(thread_group<thread_team> && !warp_group<thread_team>);

struct results {
  std::uint32_t smallest;
  affine_map all;
  bool any;
  bool none;
  bool operator==(results const&) const = default;
};

std::uint32_t number_of(int rank) { return static_cast<std::uint32_t>(rank + 3) * 2654435761U; }
affine_map map_of(int rank) { return {number_of(rank) | 1U, number_of(rank + 100)}; }

std::vector<results> run_team(int size) {
  collective_scratch<std::uint32_t> numbers;
  collective_scratch<affine_map, 64> maps;
  std::vector<results> out(static_cast<std::size_t>(size));
  std::barrier<> meeting(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      thread_team const team(rank, size, &meeting);
      results& r = out[static_cast<std::size_t>(rank)];
      r.smallest = reduce(team, numbers, number_of(rank), minimum_of{});
      r.all = reduce(team, maps, map_of(rank), compose_maps{});
      r.any = any(team, maps, rank == size - 1);
      r.none = any(team, maps, false);
    });
  }
  threads.clear();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_of_any_size_agree_with_a_serial_reference) {
  for (int const size : {1, 2, 3, 5, 8, 13, 33}) {
    BOOST_TEST_CONTEXT("size " << size) {
      auto const out = run_team(size);
      std::uint32_t smallest = ~0U;
      affine_map all{1, 0};
      for (int rank = 0; rank < size; ++rank) {
        smallest = std::min(smallest, number_of(rank));
        all = compose_maps{}(all, map_of(rank));
      }
      results const expected{smallest, all, true, false};
      for (results const& found : out) BOOST_TEST((found == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_collective_of_one_host_worker_returns_its_value) {
  thread_of_one const worker(2, 4);
  collective_scratch<double, 1> scratch;
  BOOST_TEST(reduce(worker, scratch, 1.5, sum_of{}) == 1.5);
  BOOST_TEST(any(worker, scratch, true));
  BOOST_TEST(!any(worker, scratch, false));
}

BOOST_AUTO_TEST_SUITE_END()
