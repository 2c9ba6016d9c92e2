// Compares segments with a search tree, and dependences of many ranges with a model that handles
// each byte. There are enough ranges for marks and for a hash table, and both change.

#include "juggler/segment_list.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "dag_scene.hpp"
#include "gridloom/random.hpp"
#include "juggler/range_map.hpp"

BOOST_AUTO_TEST_SUITE(juggler_segment_list_test)

using namespace gridloom::juggler;
using gridloom::random_source;

namespace {

constexpr std::uint64_t seeds = 6;

/// A list, and the same segments in a search tree.
class both {
 public:
  explicit both(std::uintptr_t base) : base_(base) {}

  /// Finds a segment with random guesses, and compares it with the tree's.
  segment_id find(random_source& random, byte_range range) {
    std::array<segment_id, 2> guesses{};
    if (!made_.empty()) guesses = {any(random), any(random)};
    segment_id const found = list_.first_of(range, guesses, random.below(2));
    auto const at = behind(range.first);
    if (at == tree_.end()) {
      BOOST_TEST(found == 0U);
    } else {
      BOOST_TEST(list_.first(found) == at->first);
      BOOST_TEST(list_.last(found) == at->second.last);
      BOOST_TEST(list_.value(found) == at->second.value);
    }
    return found;
  }
  /// Inserts the range if it is free. Otherwise may split or erase the first segment in it.
  void change(random_source& random, std::uintptr_t first, std::uintptr_t last, int value) {
    byte_range const range{base_ + first, base_ + last};
    segment_id const at = find(random, range);
    auto const own = behind(range.first);
    if (own == tree_.end() || own->first >= range.last) {
      made_.push_back(list_.insert(at, range.first, range.last, value));
      tree_[range.first] = {range.last, value};
    } else if (own->first < range.first && random.below(2) == 0) {
      made_.push_back(list_.split(at, range.first));
      tree_[range.first] = own->second;
      own->second.last = range.first;
    } else if (random.below(3) == 0) {
      list_.erase(at);
      tree_.erase(own);
    }
  }
  void check_order() {
    std::array<segment_id, 1> const no_guess{};
    segment_id at = list_.first_of({0, 1}, no_guess, 0);
    for (auto const& [first, own] : tree_) {
      BOOST_TEST(list_.first(at) == first);
      BOOST_TEST(list_.last(at) == own.last);
      at = list_.next(at);
    }
    BOOST_TEST(at == 0U);
    BOOST_TEST(list_.size() == tree_.size());
  }
  [[nodiscard]] segment_list<int> const& list() const { return list_; }

 private:
  struct rest {
    std::uintptr_t last;
    int value;
  };

  segment_id any(random_source& random) { return made_[random.below(made_.size())]; }
  std::map<std::uintptr_t, rest>::iterator behind(std::uintptr_t address) {
    auto const next = tree_.upper_bound(address);
    if (next == tree_.begin() || std::prev(next)->second.last <= address) return next;
    return std::prev(next);
  }

  std::uintptr_t base_;
  segment_list<int> list_;
  std::map<std::uintptr_t, rest> tree_;
  /// Segments used as guesses in find(). Some are already erased.
  std::vector<segment_id> made_;
};

/// The last writer of each byte and its readers since then.
class storage {
 public:
  explicit storage(std::size_t bytes) : bytes_(bytes) {}

  std::set<std::uint32_t> access(byte_range range, std::uint32_t task, bool writes) {
    std::set<std::uint32_t> before;
    for (std::uintptr_t at = range.first; at < range.last; ++at) {
      auto& [writer, readers] = bytes_[at];
      if (writer != no_writer) before.insert(writer);
      if (writes) {
        before.insert(readers.begin(), readers.end());
        writer = task;
        readers.clear();
      } else {
        readers.insert(task);
      }
    }
    return before;
  }

 private:
  struct byte {
    std::uint32_t writer = no_writer;
    std::set<std::uint32_t> readers;
  };
  std::vector<byte> bytes_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(segments_are_found_as_in_a_search_tree_whatever_is_guessed) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    random_source random(seed);
    // The span begins at the lowest address, or ends at the highest one.
    std::uintptr_t const span = 1U << 16U;
    both same(seed % 2 == 0 ? 0 : std::numeric_limits<std::uintptr_t>::max() - span);
    std::uint64_t const longest = seed < 4 ? 8 : 64;
    for (int step = 0; step < 12000; ++step) {
      std::uint64_t const length = 1 + random.below(longest);
      std::uint64_t const first = random.below(span - length + 1);
      same.change(random, first, first + length, step);
    }
    same.check_order();
    BOOST_TEST(same.list().size() > 500U);
    BOOST_TEST(same.list().marks() > 0U);
    BOOST_TEST(same.list().marks() <= same.list().size());
  }
  BOOST_TEST_MESSAGE("seeds 1 to " << seeds);
}

BOOST_AUTO_TEST_CASE(many_ranges_agree_with_a_reference_that_tracks_bytes) {
  constexpr std::uint64_t span = 4096;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    random_source random(seed);
    range_map map;
    storage bytes(span);
    std::vector<std::uint32_t> before;
    std::uint64_t const tile = seed % 2 == 0 ? 4 : 1;
    for (std::uint32_t task = 0; task < 4000; ++task) {
      // A set, because the map may name a reader once or several times.
      std::set<std::uint32_t> expected;
      before.clear();
      for (std::uint64_t left = 1 + random.below(4); left > 0; --left) {
        // Usually one or two tiles, in ascending or random order; sometimes many.
        bool const many = random.below(64) == 0;
        std::uint64_t const length = many ? 1 + random.below(200) : tile * (1 + random.below(2));
        std::uint64_t const place = random.below(2) == 0 ? task * tile * 2 : random.below(span);
        std::uint64_t const first = place % (span - length + 1) / tile * tile;
        byte_range const range{first, first + length};
        bool const writes = random.below(3) == 0;
        if (writes) map.write(range, task, before);
        if (!writes) map.read(range, task, before);
        expected.merge(bytes.access(range, task, writes));
      }
      BOOST_TEST((std::set<std::uint32_t>(before.begin(), before.end()) == expected),
                 "seed " << seed << ", task " << task);
    }
    BOOST_TEST(map.segments() > 500U);
  }
  BOOST_TEST_MESSAGE("seeds 1 to " << seeds);
}

BOOST_AUTO_TEST_CASE(segments_with_gaps_between_them_are_found_in_any_order) {
  for (bool const rising : {true, false}) {
    segment_list<int> list;
    std::array<segment_id, 1> const no_guess{};
    constexpr std::uintptr_t all = 20000;
    // Segments of the second half lie between those of the first.
    for (std::uintptr_t k = 0; k < all; ++k) {
      std::uintptr_t const n = 2 * k % all + (2 * k >= all ? 1 : 0);
      std::uintptr_t const first = 10 * (rising ? n : all - n) + 3;
      list.insert(list.first_of({first, first + 4}, no_guess, 0), first, first + 4, 0);
    }
    BOOST_TEST(list.size() == all);
    std::uintptr_t last = 0;
    std::size_t counted = 0;
    for (segment_id at = list.first_of({0, 1}, no_guess, 0); at != 0;
         at = list.next(at), ++counted) {
      BOOST_TEST(list.first(at) > last);
      last = list.last(at);
    }
    BOOST_TEST(counted == all);
    // Walks leave one mark per `stride` steps.
    BOOST_TEST(list.marks() < all / 8);
  }
}

BOOST_AUTO_TEST_SUITE_END()
