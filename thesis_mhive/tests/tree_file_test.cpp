// Execution trees as text: the presets, error messages, and damaged texts.
#include "tree_file.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"
#include "mutate.hpp"
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
      "edge one three",  // without a line end
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
  BOOST_REQUIRE(presets().size() == 2U);
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
             "--preset: expected one of fig7.1, fig7.2, got \"fig7.3\"");
}

BOOST_AUTO_TEST_CASE(bad_lines_are_refused_by_number) {
  BOOST_TEST(refused("") == "f: expected at least one task, got none");
  BOOST_TEST(refused("# nothing\n\n") == "f: expected at least one task, got none");
  BOOST_TEST(refused(task_a + "node b\n") == "f:2: expected task or edge, got \"node\"");
  BOOST_TEST(refused("task # a") == "f:1: expected task NAME flops=... worker=..., got no name");
  BOOST_TEST(refused("\n\ntask a worker=1") == "f:3: expected flops=..., got a task without it");
  BOOST_TEST(refused("task a flops=1") == "f:1: expected worker=..., got a task without it");
  std::string const keys = "f:1: expected one of flops=, worker=, phase=, got ";
  BOOST_TEST(refused("task a flop=1 worker=1") == keys + "\"flop=1\"");
  BOOST_TEST(refused("task a flops 1") == keys + "\"flops\"");
  BOOST_TEST(refused("task a =1") == keys + "\"=1\"");
  BOOST_TEST(refused("task a flops=1 flops=1") == "f:1: expected each key once, got \"flops=1\"");
  BOOST_TEST(refused(task_a + "edge a") == "f:2: expected edge FROM TO, got 1 names");
  BOOST_TEST(refused(task_a + "edge a a p=1") == "f:2: expected one of probability=, got \"p=1\"");
}

BOOST_AUTO_TEST_CASE(bad_values_are_refused_by_key) {
  std::string const flops = "f:1: flops: expected a whole number from 0 to 1000000000, got ";
  for (char const* const bad : {"", "-1", "1.5", "1e3", "1000000001", "99999999999999999999"}) {
    BOOST_TEST(refused("task a worker=1 flops=" + std::string{bad}) == flops + "\"" + bad + "\"");
  }
  std::string const worker = "f:1: worker: expected a whole number from 1 to 256, got ";
  for (char const* const bad : {"0", "257", "4294967328"}) {
    BOOST_TEST(refused("task a flops=1 worker=" + std::string{bad}) == worker + "\"" + bad + "\"");
  }
  BOOST_TEST(refused("task a flops=1 worker=33") ==
             "f:1: expected a worker of 1, 32, 64 or 256 threads, got 33");
  BOOST_TEST(refused("task a flops=1 worker=1 phase=8") ==
             "f:1: phase: expected a whole number from 0 to 7, got \"8\"");
  std::string const edge = task_a + "task b flops=1 worker=1\nedge a b probability=";
  BOOST_TEST(refused(edge + "x") == "f:3: probability: expected a number, got \"x\"");
  BOOST_TEST(refused(edge + "nan") == "f:3: probability: expected a number, got \"nan\"");
  BOOST_TEST(refused(edge + "0") == "f:3: expected a probability above 0 and not above 1, got 0");
}

BOOST_AUTO_TEST_CASE(what_the_tree_refuses_names_the_line) {
  BOOST_TEST(refused(task_a + "edge a b\ntask b flops=1 worker=1\n") ==
             "f:2: expected a task that was defined before, got \"b\"");
  BOOST_TEST(refused(task_a + "\n" + task_a) == "f:3: expected each task once, got \"a\" again");
  BOOST_TEST(refused(task_a + "task b flops=1 worker=1\nedge a b\nedge b a") ==
             "f:4: expected no cycle, got b -> a -> b");
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

BOOST_AUTO_TEST_CASE(what_is_no_regular_file_is_refused) {
  scratch_folder const folder;
  BOOST_TEST(refused_file(folder / "none.tree") ==
             (folder / "none.tree").string() + ": cannot read: No such file or directory");
  BOOST_TEST(refused_file(folder.path()) ==
             folder.path().string() + ": expected a regular file, got a folder");
  std::filesystem::path const pipe = folder / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  BOOST_TEST(refused_file(pipe) == pipe.string() + ": expected a regular file, got a pipe");
  write_text(folder / "bad.tree", task_a + "x");
  BOOST_TEST(refused_file(folder / "bad.tree") ==
             (folder / "bad.tree").string() + ":2: expected task or edge, got \"x\"");
}

BOOST_AUTO_TEST_CASE(mutated_presets_are_read_or_refused_in_one_line) {
  std::vector<std::string> texts;
  for (preset const& known : presets()) texts.emplace_back(known.text);
  constexpr int count = 20000;
  fuzz::mutator mutate{texts, 1};
  int read = 0;
  for (int k = 0; k < count; ++k) {
    std::string const text = mutate.next();
    try {
      execution_tree const tree = parse_tree(text, "f");
      BOOST_REQUIRE_MESSAGE(tree.num_tasks() > 0 && is_in_topological_order(tree), "mutation "
                                                                                       << k << ":\n"
                                                                                       << text);
      ++read;
    } catch (usage_error const& error) {
      std::string const message = error.what();
      bool const is_line = message.starts_with("f:") &&
                           message.find_first_of("\n\r") == std::string::npos &&
                           message.find("expected ") != std::string::npos &&
                           message.find(", got ") != std::string::npos;
      BOOST_REQUIRE_MESSAGE(is_line, "mutation " << k << ": " << message);
    }
  }
  BOOST_TEST_MESSAGE(read << " of " << count << " mutations were read");
  // Some damaged texts are still valid, and some are refused.
  BOOST_TEST(read > count / 100);
  BOOST_TEST(read < count - count / 100);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::generic
