// Tests execution trees as text: the presets, and the messages for refused texts.
#include "tree_file.hpp"

#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::generic {

BOOST_AUTO_TEST_SUITE(tree_file_test)
namespace {

using namespace gridloom::test;

std::string refused(std::string const& text) {
  return message_of<usage_error>([&] { (void)parse_tree(text, "f"); });
}

std::string refused_file(std::filesystem::path const& path) {
  return message_of<usage_error>([&] { (void)read_tree(path); });
}

std::string const task_a = "task a flops=1 worker=1\n";

}  // namespace

BOOST_AUTO_TEST_CASE(every_word_of_the_format_arrives) {
  execution_tree const tree = parse_tree(
      "# a comment\n"
      "\n"
      "task one flops=1000 worker=32 phase=2 # behind a definition\r\n"
      "\ttask  two\tworker=256 flops=0\n"
      "edge one two probability=0.25\n"
      "task three flops=7 worker=64\n"
      // Has no line end.
      "edge one three",
      "f");
  BOOST_REQUIRE(tree.num_tasks() == 3);
  BOOST_TEST(tree.tasks()[0].name == "one");
  BOOST_TEST(tree.tasks()[0].flops == 1000);
  BOOST_TEST(tree.tasks()[0].worker_size == 32);
  BOOST_TEST(tree.tasks()[0].phase == 2);
  BOOST_TEST(tree.tasks()[1].name == "two");
  BOOST_TEST(tree.tasks()[1].flops == 0);
  BOOST_TEST(tree.tasks()[1].worker_size == 256);
  BOOST_TEST(tree.tasks()[1].phase == 0);
  BOOST_REQUIRE(tree.transitions().size() == 2U);
  BOOST_TEST(tree.transitions()[0].from == 0);
  BOOST_TEST(tree.transitions()[0].to == 1);
  BOOST_TEST(tree.transitions()[0].probability == 0.25);
  BOOST_TEST(tree.transitions()[0].place == "f:5");
  BOOST_TEST(tree.transitions()[1].probability == 1.0);
}

BOOST_AUTO_TEST_CASE(a_tree_is_numbered_in_topological_order) {
  execution_tree const tree =
      parse_tree("task late flops=1 worker=1\n" + task_a + "edge a late\n", "f");
  BOOST_TEST(tree.tasks()[0].name == "a");
  BOOST_TEST(is_in_topological_order(tree));
}

BOOST_AUTO_TEST_CASE(the_presets_are_the_figures) {
  BOOST_REQUIRE(presets().size() == 3U);
  execution_tree const table = preset_tree("--preset", "fig4.1");
  BOOST_TEST(table.num_tasks() == 3);
  require_phases(table);

  execution_tree const small = preset_tree("--preset", "fig7.1");
  BOOST_TEST(small.num_tasks() == 4);
  std::vector<std::pair<int, int>> edges;
  for (transition const& edge : small.transitions()) {
    edges.emplace_back(edge.from, edge.to);
    BOOST_TEST(edge.probability == 1.0);
  }
  BOOST_TEST((edges == std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  BOOST_TEST(small.tasks()[3].phase == 2);
  require_phases(small);

  execution_tree const large = preset_tree("--preset", "fig7.2");
  BOOST_TEST(large.num_tasks() == 11);
  require_phases(large);
  int uncertain = 0;
  for (transition const& edge : large.transitions()) uncertain += edge.probability < 1.0 ? 1 : 0;
  BOOST_TEST(uncertain > 0);
  // Names and numbers agree, because the presets are written in topological order.
  for (int k = 0; k < large.num_tasks(); ++k) {
    BOOST_TEST(large.tasks()[static_cast<std::size_t>(k)].name == "t" + std::to_string(k));
  }

  BOOST_TEST(message_of<usage_error>([] { (void)preset_tree("--preset", "fig7.3"); }) ==
             "--preset: expected one of fig4.1, fig7.1, fig7.2, got \"fig7.3\"");
}

BOOST_AUTO_TEST_CASE(each_wrong_line_is_named) {
  std::string const with_flops = "task a worker=1 flops=";
  std::string const edge = task_a + "task b flops=1 worker=1\nedge a b probability=";
  std::vector<std::pair<std::string, std::string>> const cases{
      {"# nothing\n\n", ": expected at least one task, got none"},
      {task_a + "node b\n", ":2: expected task or edge, got \"node\""},
      {"task # a", ":1: expected task NAME flops=... worker=..., got no name"},
      {"\n\ntask a worker=1", ":3: expected flops=..., got a task without it"},
      {"task a flops=1", ":1: expected worker=..., got a task without it"},
      {"task a flops 1", ":1: expected one of flops=, worker=, phase=, got \"flops\""},
      {"task a =1", ":1: expected one of flops=, worker=, phase="},
      {"task a flops=1 flops=1", ":1: expected each key once, got \"flops=1\""},
      {task_a + "edge a", ":2: expected edge FROM TO, got 1 names"},
      {task_a + "edge a a p=1", ":2: expected one of probability=, got \"p=1\""},
      // Wrong values.
      {with_flops, ":1: flops: expected a whole number from 0 to 1000000000, got \"\""},
      {with_flops + "-1", ":1: flops: expected"},
      {with_flops + "1.5", ":1: flops: expected"},
      {with_flops + "1000000001", ":1: flops: expected"},
      {"task a flops=1 worker=257", ":1: worker: expected a whole number from 1 to 256"},
      {"task a flops=1 worker=4294967328", ":1: worker: expected"},
      {"task a flops=1 worker=33", ":1: expected a worker of 1, 32, 64 or 256 threads, got 33"},
      {"task a flops=1 worker=1 phase=8", ":1: phase: expected a whole number from 0 to 7"},
      {edge + "x", ":3: probability: expected a number, got \"x\""},
      {edge + "nan", ":3: probability: expected a number, got \"nan\""},
      {edge + "0", ":3: expected a probability above 0 and not above 1, got 0"},
      // Definitions that the tree refuses.
      {task_a + "edge a b\ntask b flops=1 worker=1\n",
       ":2: expected a task that was defined before"},
      {task_a + "\n" + task_a, ":3: expected each task once, got \"a\" again"},
      {task_a + "task b flops=1 worker=1\nedge a b\nedge b a",
       ":4: expected edges without a cycle"}};
  for (auto const& [text, message] : cases) {
    BOOST_TEST(refused(text).starts_with("f" + message), text);
  }
}

BOOST_AUTO_TEST_CASE(long_lines_and_files_are_refused) {
  std::string const full = task_a.substr(0, task_a.size() - 1);
  std::string const comment(longest_tree_line_bytes - full.size(), '#');
  BOOST_TEST(parse_tree(full + comment, "f").num_tasks() == 1);
  BOOST_TEST(refused(full + comment + "#\n") ==
             "f:1: expected lines of at most 1024 bytes, got 1025");

  scratch_folder const folder;
  std::string const lines = task_a + std::string(longest_tree_bytes - task_a.size(), '\n');
  write_text(folder / "full.tree", lines);
  BOOST_TEST(read_tree(folder / "full.tree").num_tasks() == 1);
  write_text(folder / "long.tree", lines + "\n");
  BOOST_TEST(refused_file(folder / "long.tree") ==
             (folder / "long.tree").string() +
                 ": expected a tree of at most 131072 bytes, got more");
  BOOST_TEST(refused(lines + "\n") == "f: expected a tree of at most 131072 bytes, got 131073");
}

BOOST_AUTO_TEST_CASE(a_bad_line_of_a_file_is_named_with_the_file) {
  scratch_folder const folder;
  auto const path = write_text(folder / "bad.tree", task_a + "x");
  BOOST_TEST(refused_file(path) == path.string() + ":2: expected task or edge, got \"x\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::generic
