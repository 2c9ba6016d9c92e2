// The bitonic sort by 256 threads, which exchange pairs in registers and by shuffles.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "modelled_threads.hpp"
#include "sort_by_one_group.hpp"

namespace gridloom::test {

BOOST_AUTO_TEST_SUITE(bitonic_threads_test)
namespace {

template <class Key>
void check(modelled_threads& threads, std::uint32_t n, Key below) {
  std::vector<std::pair<Key, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t const noise = (i + 1 + n) * 0x9e3779b97f4a7c15U;
    pairs.emplace_back(static_cast<Key>((noise >> 7U) % below), static_cast<std::uint32_t>(noise));
  }
  std::vector<Key> keys;
  std::vector<std::uint32_t> values;
  for (auto const& [key, value] : pairs) {
    keys.push_back(key);
    values.push_back(value);
  }
  auto const scratch = std::make_unique<bitonic_scratch<Key, std::uint32_t>>();
  std::memset(scratch.get(), 0xa5, sizeof(*scratch));
  threads.run([&](int thread) {
    sort_by_one_group(modelled_group{threads, thread}, keys.data(), values.data(), n, *scratch);
  });
  std::sort(pairs.begin(), pairs.end());
  bool right = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    right = right && pairs[i] == std::pair{keys[i], values[i]};
  }
  BOOST_TEST(right, n << " pairs, " << threads.threads() << " threads");
}

BOOST_AUTO_TEST_CASE(pairs_in_registers_and_in_scratch) {
  for (bool const falling : {false, true}) {
    for (int const size : {256, 96}) {
      modelled_threads threads{size, falling};
      for (std::uint32_t const n :
           {0U, 1U, 2U, 3U, 5U, 8U, 30U, 128U, 129U, 1023U, 1024U, 1025U, 2500U}) {
        check<std::uint32_t>(threads, n, ~0U);
        check<std::uint64_t>(threads, n, 5);
      }
    }
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::test
