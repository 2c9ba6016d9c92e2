// The map of ranges: dependences of readers and writers, the remaining segments, and their cost.

#include "juggler/range_map.hpp"

#include <algorithm>

#include "dag_scene.hpp"
#include "juggler/tile_map.hpp"

BOOST_AUTO_TEST_SUITE(juggler_range_map_test)

using namespace gridloom::juggler;

namespace {

using tasks = std::vector<std::uint32_t>;

/// A map whose answers list each task once, in ascending order.
template <class Map>
struct asked {
  Map map;

  tasks read(std::uintptr_t first, std::uintptr_t last, std::uint32_t task) {
    tasks before;
    map.read({first, last}, task, before);
    return once(before);
  }
  tasks write(std::uintptr_t first, std::uintptr_t last, std::uint32_t task) {
    tasks before;
    map.write({first, last}, task, before);
    return once(before);
  }
  static tasks once(tasks all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_reader_in_the_middle_splits_a_segment_in_three) {
  asked<range_map> on;
  on.write(0, 30, 0);
  BOOST_TEST(on.read(10, 20, 1) == tasks{0});
  BOOST_TEST(on.map.segments() == 3U);
  BOOST_TEST(on.write(0, 10, 2) == tasks{0});
  BOOST_TEST(on.write(20, 30, 3) == tasks{0});
  BOOST_TEST(on.write(19, 21, 4) == (tasks{0, 1, 3}));
  // Task 1 has read the left part; no task has read the right part.
  BOOST_TEST(on.write(10, 19, 5) == (tasks{0, 1}));
  BOOST_TEST(on.write(21, 30, 6) == tasks{3});
}

BOOST_AUTO_TEST_CASE(pieces_share_their_readers_until_they_change) {
  asked<range_map> on;
  for (std::uint32_t task = 0; task < 50; ++task) on.read(0, 1000, task);
  // 50 list entries serve 1000 segments, each of which adds one more reader.
  for (std::uint32_t i = 0; i < 1000; ++i) on.read(i, i + 1, 50 + i);
  BOOST_TEST(on.map.segments() == 1000U);
  BOOST_TEST(on.map.readers().live() == 1050U);
  tasks before;
  on.map.write({0, 1000}, 1050, before);
  BOOST_TEST(before.size() == 1050U);
  BOOST_TEST(on.map.readers().live() == 0U);
}

BOOST_AUTO_TEST_CASE(a_task_reads_a_range_once_and_entries_are_used_again) {
  asked<range_map> on;
  for (std::uint32_t task = 0; task < 1000; ++task) {
    for (int i = 0; i < 5; ++i) on.read(0, 10, 2 * task);
    BOOST_TEST(on.map.readers().live() == 1U);
    on.write(0, 10, 2 * task + 1);
  }
  BOOST_TEST(on.map.readers().room() == 1U);
}

BOOST_AUTO_TEST_CASE(exact_ranges_match_equal_ranges_only) {
  asked<exact_map> on;
  on.write(0, 10, 0);
  BOOST_TEST(on.read(0, 10, 1) == tasks{0});
  BOOST_TEST(on.read(0, 9, 2) == tasks{});
  BOOST_TEST(on.read(1, 10, 3) == tasks{});
  BOOST_TEST(on.read(0, 10, 4) == tasks{0});
  BOOST_TEST(on.write(0, 10, 5) == (tasks{0, 1, 4}));
  BOOST_TEST(on.write(0, 10, 6) == tasks{5});
}

namespace {

/// Array `number`, of 100 elements, whose memory is not read.
std::int32_t const* some_array(std::uintptr_t number) {
  return reinterpret_cast<std::int32_t const*>((number + 1) << 32U);
}

struct tiled {
  tile_map map;

  tiled() { map.add(bytes_of(section_of(some_array(0), 0, 100))); }
  tile_map::tile* place(array_section const& section, std::size_t most = 100) {
    return map.place(section, bytes_of(section), most);
  }
  tile_map::tile* find(array_section const& section) {
    tile_map::tile* found = nullptr;
    return map.find(section, found) ? found : nullptr;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_tile_is_found_by_its_index_once_the_array_is_cut) {
  tiled on;
  BOOST_TEST(on.find(section_of(some_array(0), 20, 10)) == nullptr);
  auto* const second = on.place(section_of(some_array(0), 20, 10));
  BOOST_REQUIRE(second != nullptr);
  BOOST_TEST(on.find(section_of(some_array(0), 20, 10)) == second);
  BOOST_TEST(on.find(section_of(some_array(0), 90, 10)) == second + 7);
  tile_map::tile* seventh = nullptr;
  BOOST_TEST(on.map.find(0, 6, 40, seventh));
  BOOST_TEST(seventh == second + 4);
  // A tile of another size, beyond the array, or of an array without tiles.
  BOOST_TEST(!on.map.find(0, 6, 20, seventh));
  BOOST_TEST(!on.map.find(0, 10, 40, seventh));
  BOOST_TEST(!on.map.find(tile_map::none, 0, 40, seventh));
  // No tile, in another array, or of another type: the slow way decides.
  for (std::int64_t const begin : {-10, 5, 21, 25, 100})
    BOOST_TEST(on.find(section_of(some_array(0), begin, 10)) == nullptr);
  BOOST_TEST(on.find(section_of(some_array(0), 20, 5)) == nullptr);
  BOOST_TEST(on.find(section_of(some_array(1), 20, 10)) == nullptr);
  BOOST_TEST(on.place(section_of(some_array(1), 20, 10)) == nullptr);
  auto const* const bytes = reinterpret_cast<char const*>(some_array(0) + 15);
  BOOST_TEST(on.place(section_of(bytes, 20, 40)) == second);
  BOOST_TEST(on.place(section_of(some_array(0), 5, 10)) == nullptr);
  BOOST_TEST(on.place(section_of(some_array(0), 0, 20)) == nullptr);
}

BOOST_AUTO_TEST_CASE(tiles_of_one_element_and_tiles_beyond_the_limit) {
  tiled on;
  auto* const last = on.place(section_of(some_array(0), 39, 1), 40);
  BOOST_REQUIRE(last != nullptr);
  BOOST_TEST(on.find(section_of(some_array(0), 0, 1)) == last - 39);
  BOOST_TEST(on.place(section_of(some_array(0), 40, 1), 40) == nullptr);
}

BOOST_AUTO_TEST_CASE(accesses_to_tiles_move_out_in_the_order_of_their_tasks) {
  tiled on;
  auto const ignore = [](std::uint32_t) {};
  auto* const tile = on.place(section_of(some_array(0), 30, 10));
  on.map.write(*tile, 1, ignore);
  for (std::uint32_t const task : {2U, 2U, 4U, 5U}) on.map.read(*tile, task, ignore);
  tasks moved;
  auto const move = [&](byte_range of, std::uint32_t task) {
    BOOST_TEST(of.first == reinterpret_cast<std::uintptr_t>(some_array(0)) + 120);
    BOOST_TEST(of.last - of.first == 40U);
    moved.push_back(task);
  };
  byte_range const bytes = bytes_of(section_of(some_array(0), 1, 1));
  on.map.move_out(bytes, move, move);
  BOOST_TEST(moved == (tasks{1, 2, 2, 4, 5}));
  BOOST_TEST(on.place(section_of(some_array(0), 30, 10)) == nullptr);
  tile_map::tile* gone = nullptr;
  BOOST_TEST(!on.map.find(0, 3, 40, gone));
  on.map.move_out(bytes, move, move);
  BOOST_TEST(moved.size() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
