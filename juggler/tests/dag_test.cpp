// Small graphs that can be checked by hand, and refused calls.

#include "dag_scene.hpp"

BOOST_AUTO_TEST_SUITE(juggler_dag_test)

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

enum class access { in, out, inout };

struct said {
  access how;
  std::int64_t begin;
  std::int64_t length;
};

/// The edges of tasks with these ranges of one array, one list of ranges per task.
edges edges_by(std::vector<std::vector<said>> const& program,
               range_matching matching = range_matching::overlapping) {
  static double const array[100] = {};
  context tasks(program.size(), 0, matching);
  tasks.declare_array(array, 100);
  for (auto const& ranges : program) {
    task_id const task = tasks.add_task(0);
    for (said const& range : ranges) {
      if (range.how == access::in) tasks.process_in_dep(task, array, range.begin, range.length);
      if (range.how == access::out) tasks.process_out_dep(task, array, range.begin, range.length);
      if (range.how == access::inout) {
        tasks.process_inout_dep(task, array, range.begin, range.length);
      }
    }
  }
  return edges_of(tasks);
}

constexpr auto in = access::in;
constexpr auto out = access::out;
constexpr auto inout = access::inout;

}  // namespace

BOOST_AUTO_TEST_CASE(read_after_write_write_after_read_write_after_write) {
  BOOST_TEST((edges_by({{{out, 0, 4}}, {{in, 0, 4}}}) == edges{{0, 1}}));
  BOOST_TEST((edges_by({{{in, 0, 4}}, {{out, 0, 4}}}) == edges{{0, 1}}));
  BOOST_TEST((edges_by({{{out, 0, 4}}, {{out, 0, 4}}}) == edges{{0, 1}}));
  BOOST_TEST((edges_by({{{in, 0, 4}}, {{in, 0, 4}}}) == edges{}));
}

BOOST_AUTO_TEST_CASE(ranges_that_overlap_in_part_depend_and_neighbours_do_not) {
  BOOST_TEST((edges_by({{{out, 0, 4}}, {{in, 3, 4}}}) == edges{{0, 1}}));
  BOOST_TEST((edges_by({{{out, 3, 4}}, {{in, 0, 4}}}) == edges{{0, 1}}));
  BOOST_TEST((edges_by({{{out, 0, 4}}, {{in, 4, 4}}}) == edges{}));
  BOOST_TEST((edges_by({{{out, 4, 4}}, {{in, 0, 4}}}) == edges{}));
}

BOOST_AUTO_TEST_CASE(nested_ranges_depend_on_what_is_seen_of_each_writer) {
  // Task 1 replaces task 0 as the writer of elements 2 to 5.
  BOOST_TEST((edges_by({{{out, 0, 10}}, {{out, 2, 4}}, {{in, 3, 2}}, {{in, 0, 10}}}) ==
              edges{{0, 1}, {0, 3}, {1, 2}, {1, 3}}));
  // The writer of all elements waits for the reader of some. Later tasks wait only for that writer.
  BOOST_TEST((edges_by({{{in, 3, 2}}, {{out, 0, 10}}, {{out, 4, 1}}}) == edges{{0, 1}, {1, 2}}));
}

BOOST_AUTO_TEST_CASE(the_papers_ranges_depend_only_on_the_same_ones) {
  auto const one_to_one = range_matching::one_to_one;
  std::vector<std::vector<said>> const program{
      {{out, 0, 4}}, {{in, 0, 4}}, {{in, 3, 4}}, {{out, 0, 5}}, {{inout, 0, 4}}};
  BOOST_TEST((edges_by(program, one_to_one) == edges{{0, 1}, {0, 4}, {1, 4}}));
  BOOST_TEST((edges_by(program) == edges{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 4}}));
}

BOOST_AUTO_TEST_CASE(equal_indices_of_different_arrays_do_not_touch) {
  double const a[4] = {};
  double const b[4] = {};
  context tasks;
  tasks.process_out_dep(tasks.add_task(0), a, 0, 4);
  tasks.process_inout_dep(tasks.add_task(0), b, 0, 4);
  tasks.process_in_dep(tasks.add_task(0), a, 0, 4);
  BOOST_TEST((edges_of(tasks) == edges{{0, 2}}));
}

BOOST_AUTO_TEST_CASE(storage_counts_not_the_pointer_nor_its_type) {
  double const a[8] = {};
  auto const* floats = reinterpret_cast<float const*>(a);
  for (auto const matching : {range_matching::overlapping, range_matching::one_to_one}) {
    context tasks(4, 0, matching);
    tasks.process_out_dep(tasks.add_task(0), a, 2, 2);
    // The same bytes, given by a pointer inside the array and by pointers to halves of its
    // elements.
    tasks.process_in_dep(tasks.add_task(0), a + 3, -1, 2);
    tasks.process_in_dep(tasks.add_task(0), floats, 4, 4);
    // The same indices as above, but other bytes.
    tasks.process_in_dep(tasks.add_task(0), floats, 2, 2);
    BOOST_TEST((edges_of(tasks) == edges{{0, 1}, {0, 2}}));
  }
}

BOOST_AUTO_TEST_CASE(edges_by_hand_join_those_of_ranges_and_each_counts_once) {
  double const a[4] = {};
  context tasks;
  for (std::uint32_t i = 0; i < 4; ++i) tasks.add_task(10 + i);
  tasks.process_out_dep(task_id{1}, a, 0, 4);
  tasks.add_dependency(task_id{3}, task_id{1});
  for (int i = 0; i < 2; ++i) {
    tasks.process_in_dep(task_id{2}, a, 2, 1);
    tasks.process_in_dep(task_id{2}, a, 0, 4);
    tasks.add_dependency(task_id{1}, task_id{2});
    tasks.add_dependency(task_id{3}, task_id{0});
  }
  BOOST_TEST((edges_of(tasks) == edges{{1, 2}, {3, 0}, {3, 1}}));
  BOOST_TEST(tasks.dag().parents == (std::vector<std::uint32_t>{1, 1, 1, 0}));
  BOOST_TEST(tasks.dag().ready == std::vector<std::uint32_t>{3});
  BOOST_TEST(tasks.dag().kernel_types == (std::vector<std::uint32_t>{10, 11, 12, 13}));
}

BOOST_AUTO_TEST_CASE(children_and_ready_tasks_ascend_for_any_order_of_edges) {
  context tasks;
  for (int i = 0; i < 6; ++i) tasks.add_task(0);
  for (std::uint32_t const target : {5U, 1U, 4U, 2U})
    tasks.add_dependency(task_id{0}, task_id{target});
  tasks.add_dependency(task_id{3}, task_id{2});
  BOOST_TEST((edges_of(tasks) == edges{{0, 1}, {0, 2}, {0, 4}, {0, 5}, {3, 2}}));
  BOOST_TEST(tasks.dag().ready == (std::vector<std::uint32_t>{0, 3}));
}

BOOST_AUTO_TEST_CASE(a_cycle_is_refused_and_an_edge_on_it_named) {
  double const a[4] = {};
  context tasks;
  for (int i = 0; i < 4; ++i) tasks.process_inout_dep(tasks.add_task(0), a, 0, 4);
  tasks.build_csr();
  tasks.add_dependency(task_id{2}, task_id{1});
  BOOST_TEST(refused([&] { tasks.build_csr(); }) == "task graph: edge 2 -> 1 lies on a cycle");
}

BOOST_AUTO_TEST_CASE(unknown_tasks_and_edges_to_oneself_are_refused) {
  double const a[4] = {};
  context tasks;
  task_id const task = tasks.add_task(0);
  BOOST_TEST(refused([&] { tasks.add_dependency(task, task_id{1}); }) ==
             "task graph: there is no task 1, expected one below 1");
  BOOST_TEST(refused([&] { tasks.add_dependency(task_id{2}, task); }) ==
             "task graph: there is no task 2, expected one below 1");
  BOOST_TEST(refused([&] { tasks.add_dependency(task, task); }) ==
             "task graph: add_dependency: task 0 depends on itself");
  BOOST_TEST(refused([&] { tasks.process_in_dep(task_id{3}, a, 0, 4); }) ==
             "task graph: there is no task 3, expected one below 1");
}

BOOST_AUTO_TEST_CASE(ranges_that_are_empty_or_leave_their_array_are_refused_for_each_access) {
  double const a[4] = {};
  context tasks;
  task_id const task = tasks.add_task(0);
  tasks.declare_array(a, 4, "field");
  auto const refused_for = [&](std::int64_t begin, std::int64_t length, std::string const& why) {
    std::string const message = "task graph: task 0: " + why;
    BOOST_TEST(refused([&] { tasks.process_in_dep(task, a, begin, length); }) == message);
    BOOST_TEST(refused([&] { tasks.process_out_dep(task, a, begin, length); }) == message);
    BOOST_TEST(refused([&] { tasks.process_inout_dep(task, a, begin, length); }) == message);
  };
  refused_for(0, 0, "expected a length of at least 1, got 0");
  refused_for(2, -1, "expected a length of at least 1, got -1");
  refused_for(2, 3,
              "elements [2, 5) of 8 bytes, counted from byte 0, leave array field of 32 bytes");
  // The same section is refused for a pointer into the array.
  BOOST_TEST(
      refused([&] { tasks.process_in_dep(task, a + 1, -2, 3); }) ==
      "task graph: task 0: elements [-2, 1) of 8 bytes, counted from byte 8, leave array field "
      "of 32 bytes");
  // Refused calls change nothing.
  tasks.process_out_dep(task, a, 0, 4);
  BOOST_TEST((edges_of(tasks) == edges{}));
}

BOOST_AUTO_TEST_CASE(ranges_come_in_the_order_of_the_tasks) {
  double const a[4] = {};
  context tasks;
  for (int i = 0; i < 3; ++i) tasks.add_task(0);
  tasks.process_out_dep(task_id{1}, a, 0, 4);
  BOOST_TEST(refused([&] { tasks.process_in_dep(task_id{0}, a, 0, 4); }) ==
             "task graph: task 0: its ranges come too late, because task 1 has named some");
  tasks.process_in_dep(task_id{1}, a, 0, 4);
  tasks.process_in_dep(task_id{2}, a, 0, 4);
  BOOST_TEST((edges_of(tasks) == edges{{1, 2}}));
}

BOOST_AUTO_TEST_CASE(one_edge_too_many_is_refused_when_added_or_counted) {
  BOOST_TEST(most_edges == 2147483647U);
  double const a[4] = {};
  dag_builder tasks(4, 3, range_matching::overlapping, 3);
  for (int i = 0; i < 4; ++i) tasks.add_task(0);
  for (std::uint32_t i = 0; i < 3; ++i) tasks.reads(task_id{i}, section_of(a, 0, 4));
  tasks.add_dependency(task_id{0}, task_id{3});
  tasks.writes(task_id{3}, section_of(a, 0, 4));
  BOOST_TEST(tasks.build().children.edges() == 3U);
  std::string const message = "task graph: more than 3 edges";
  tasks.add_dependency(task_id{0}, task_id{1});
  BOOST_TEST(refused([&] { (void)tasks.build(); }) == message);
  tasks.add_dependency(task_id{0}, task_id{1});
  BOOST_TEST(refused([&] { tasks.add_dependency(task_id{0}, task_id{1}); }) == message);
  task_id const last = tasks.add_task(0);
  BOOST_TEST(refused([&] { tasks.reads(last, section_of(a, 0, 4)); }) == message);
}

BOOST_AUTO_TEST_CASE(tiles_by_number_are_ranges) {
  auto const* const array = reinterpret_cast<double const*>(std::uintptr_t{1} << 32U);
  for (range_matching const rule : {range_matching::one_to_one, range_matching::overlapping}) {
    dag_builder tasks(4, 4, rule);
    auto const tiles = tasks.declare_tiles(section_of(array, 0, 5), 3, "a");
    for (int k = 0; k < 4; ++k) (void)tasks.add_task(0);
    tasks.writes(task_id{0}, tiles, 1);
    tasks.reads(task_id{1}, section_of(array, 5, 5));
    tasks.reads(task_id{1}, tiles, 2);
    tasks.writes(task_id{2}, tiles, 1);
    // By overlap, this range ends the tiles of the array.
    tasks.writes(task_id{3}, section_of(array, 5, 4));
    tasks.reads(task_id{3}, tiles, 1);
    BOOST_CHECK_THROW(tasks.reads(task_id{3}, tiles, 3), usage_error);
    BOOST_CHECK_THROW(tasks.reads(task_id{3}, tiles, -1), usage_error);
    BOOST_TEST(tasks.build().children.columns == (std::vector<std::uint32_t>{1, 2, 2, 3}));
  }
}

BOOST_AUTO_TEST_CASE(tiles_need_an_array_that_fits_in_memory) {
  dag_builder tasks(1, 1, range_matching::overlapping);
  auto const* const array = reinterpret_cast<double const*>(std::uintptr_t{1} << 32U);
  for (std::int64_t const count : {std::int64_t{0}, std::int64_t{1} << 62U})
    BOOST_CHECK_THROW((void)tasks.declare_tiles(section_of(array, 0, 16), count, "a"), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
