// Tests definitions of execution trees: valid ones, error messages for others, and the topological
// order.
#include "execution_tree.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "gridloom/error.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::generic {

BOOST_AUTO_TEST_SUITE(execution_tree_test)
namespace {

using test::message_of;

execution_tree tree_of(std::vector<std::string> const& names) {
  execution_tree tree;
  for (std::string const& name : names) tree.add_task({name});
  return tree;
}

std::vector<std::string> names_of(execution_tree const& tree) {
  std::vector<std::string> names;
  for (task_definition const& task : tree.tasks()) names.push_back(task.name);
  return names;
}

// Returns all transitions as "from -> to", in their order.
std::vector<std::string> edges_of(execution_tree const& tree) {
  std::vector<std::string> const names = names_of(tree);
  std::vector<std::string> edges;
  for (transition const& edge : tree.transitions()) {
    edges.push_back(names.at(static_cast<std::size_t>(edge.from)) + " -> " +
                    names.at(static_cast<std::size_t>(edge.to)));
  }
  return edges;
}

std::string refused_task(execution_tree tree, task_definition const& task) {
  return message_of<usage_error>([&] { tree.add_task(task, "f:1"); });
}

std::string refused_edge(execution_tree& tree, char const* from, char const* to, double p = 1.0) {
  auto const before = tree.transitions().size();
  std::string const message =
      message_of<usage_error>([&] { tree.add_transition(from, to, p, "f:2"); });
  BOOST_TEST(tree.transitions().size() == before);
  return message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_root_is_a_task_without_predecessor) {
  execution_tree tree = tree_of({"a", "b", "alone"});
  tree.add_transition("a", "b", 0.5);
  BOOST_TEST(tree.is_root(0));
  BOOST_TEST(!tree.is_root(1));
  BOOST_TEST(tree.is_root(2));
}

BOOST_AUTO_TEST_CASE(bad_tasks_are_refused) {
  std::vector<std::pair<task_definition, std::string>> const cases{
      {{"a"}, "expected each task once, got \"a\" again"},
      {{""}, "expected a name of 1 to 32 letters, digits, '_', '-' and '.', got \"\""},
      {{"a b"}, "expected a name"},
      {{"\xc3\xa4"}, "expected a name"},
      {{"x="}, "expected a name"},
      {{std::string(33, 'x')}, "expected a name"},
      {{"b", -1}, "expected flops from 0 to 1000000000, got -1"},
      {{"b", most_flops + 1}, "expected flops from 0 to 1000000000, got 1000000001"},
      {{"b", 0, -32}, "expected a worker of 1, 32, 64 or 256 threads, got -32"},
      {{"b", 0, 0}, "expected a worker"},
      {{"b", 0, 31}, "expected a worker"},
      {{"b", 0, 128}, "expected a worker"},
      {{"b", 0, 1, -1}, "expected a phase from 0 to 7, got -1"},
      {{"b", 0, 1, 8}, "expected a phase from 0 to 7, got 8"}};
  for (auto const& [task, message] : cases) {
    BOOST_TEST(refused_task(tree_of({"a"}), task).starts_with("f:1: " + message), message);
  }
}

BOOST_AUTO_TEST_CASE(the_edges_of_the_ranges_are_taken) {
  execution_tree tree;
  for (int const size : {1, 32, 64, 256}) {
    tree.add_task({"w" + std::to_string(size), size == 1 ? 0 : most_flops, size, size % 8});
  }
  tree.add_task({std::string(32, 'x'), 0, 1, 7});
  tree.add_transition("w1", "w32", 1.0);
  tree.add_transition("w1", "w64", 5e-324);
  BOOST_TEST(tree.num_tasks() == 5);
  BOOST_TEST(tree.transitions().size() == 2U);
}

BOOST_AUTO_TEST_CASE(more_tasks_than_a_word_has_bits_are_refused) {
  execution_tree tree;
  for (int k = 0; k < most_tasks; ++k) tree.add_task({"t" + std::to_string(k)});
  BOOST_TEST(refused_task(tree, {"b"}) == "f:1: expected at most 32 tasks, got one more");
  BOOST_TEST(tree.num_tasks() == 32);

  int edges = 0;
  for (int from = 0; from < most_tasks; ++from) {
    for (int to = from + 1; to < most_tasks && edges < most_transitions; ++to, ++edges) {
      tree.add_transition("t" + std::to_string(from), "t" + std::to_string(to), 1.0);
    }
  }
  BOOST_TEST(edges == 128);
  BOOST_TEST(refused_edge(tree, "t30", "t31") == "f:2: expected at most 128 edges, got one more");
}

BOOST_AUTO_TEST_CASE(bad_transitions_are_refused) {
  execution_tree tree = tree_of({"a", "b"});
  BOOST_TEST(refused_edge(tree, "c", "b") ==
             "f:2: expected a task that was defined before, got \"c\"");
  BOOST_TEST(refused_edge(tree, "a", "d") ==
             "f:2: expected a task that was defined before, got \"d\"");
  std::string const range = "f:2: expected a probability above 0 and not above 1, got ";
  BOOST_TEST(refused_edge(tree, "a", "b", 0.0) == range + "0");
  BOOST_TEST(refused_edge(tree, "a", "b", -0.5) == range + "-0.5");
  BOOST_TEST(refused_edge(tree, "a", "b", 1.5) == range + "1.5");
  BOOST_TEST(refused_edge(tree, "a", "b", std::nan("")) == range + "nan");
  tree.add_transition("a", "b", 0.5);
  BOOST_TEST(refused_edge(tree, "a", "b", 0.25) ==
             "f:2: expected each edge once, got a -> b again");
}

BOOST_AUTO_TEST_CASE(a_cycle_is_refused_by_the_names_on_it) {
  execution_tree tree = tree_of({"a", "b", "c", "d", "e"});
  BOOST_TEST(refused_edge(tree, "a", "a") == "f:2: expected edges without a cycle, got a -> a");
  tree.add_transition("a", "b", 0.1);
  BOOST_TEST(refused_edge(tree, "b", "a") ==
             "f:2: expected edges without a cycle, got b -> a -> b");
  tree.add_transition("b", "c", 1.0);
  tree.add_transition("b", "e", 1.0);
  tree.add_transition("c", "d", 1.0);
  // e is not on the cycle, because the only path goes through c.
  BOOST_TEST(refused_edge(tree, "d", "a") ==
             "f:2: expected edges without a cycle, got d -> a -> b -> c -> d");
  // Two paths to d are no cycle. The message names the shorter one.
  tree.add_transition("a", "d", 1.0);
  BOOST_TEST(refused_edge(tree, "d", "a") ==
             "f:2: expected edges without a cycle, got d -> a -> d");
}

BOOST_AUTO_TEST_CASE(in_topological_order_transitions_lead_to_higher_numbers) {
  execution_tree tree = tree_of({"last", "root", "mid", "alone"});
  tree.add_transition("mid", "last", 0.25, "f:5");
  tree.add_transition("root", "last", 1.0, "f:6");
  tree.add_transition("root", "mid", 1.0, "f:7");
  BOOST_TEST(!is_in_topological_order(tree));
  execution_tree const sorted = in_topological_order(tree);
  BOOST_TEST(is_in_topological_order(sorted));
  BOOST_TEST(names_of(sorted) == (std::vector<std::string>{"root", "mid", "last", "alone"}),
             boost::test_tools::per_element());
  BOOST_TEST(
      edges_of(sorted) == (std::vector<std::string>{"root -> mid", "root -> last", "mid -> last"}),
      boost::test_tools::per_element());
  BOOST_TEST(sorted.transitions()[2].probability == 0.25);
  BOOST_TEST(sorted.transitions()[2].place == "f:5");
}

BOOST_AUTO_TEST_CASE(edges_not_sorted_by_target_are_not_in_order) {
  execution_tree tree = tree_of({"a", "b", "c"});
  tree.add_transition("a", "c", 1.0);
  tree.add_transition("a", "b", 1.0);
  BOOST_TEST(!is_in_topological_order(tree));
  BOOST_TEST(is_in_topological_order(in_topological_order(tree)));
}

BOOST_AUTO_TEST_CASE(with_phases_a_transition_leads_to_a_later_one) {
  execution_tree tree;
  tree.add_task({"a", 0, 1, 1});
  tree.add_task({"b", 0, 1, 3});
  tree.add_task({"same", 0, 1, 1});
  tree.add_task({"earlier", 0, 1, 0});
  tree.add_transition("a", "b", 1.0, "f:9");
  require_phases(tree);
  execution_tree same = tree;
  same.add_transition("a", "same", 1.0, "f:10");
  BOOST_TEST(message_of<usage_error>([&] { require_phases(same); }) ==
             "f:10: expected with phases, \"same\" in a later phase than \"a\" (phase 1), got "
             "phase 1");
  tree.add_transition("a", "earlier", 1.0);
  BOOST_TEST(
      message_of<usage_error>([&] { require_phases(tree); }) ==
      "expected with phases, \"earlier\" in a later phase than \"a\" (phase 1), got phase 0");
}

BOOST_AUTO_TEST_CASE(instances_are_refused_when_their_work_overflows) {
  execution_tree tree = tree_of({"idle"});
  require_instances(tree, 1, "--instances");
  require_instances(tree, most_instances, "--instances");
  for (std::int64_t const bad : {std::int64_t{-1}, std::int64_t{0}, most_instances + 1}) {
    BOOST_TEST(message_of<usage_error>([&] { require_instances(tree, bad, "--instances"); }) ==
               "--instances: expected a whole number from 1 to 2147483647, got " +
                   std::to_string(bad));
  }
  for (int k = 0; k < 8; ++k) tree.add_task({"t" + std::to_string(k), most_flops});
  // Each instance has 8e9 operations, and 2^63 - 1 is 9.223372036e18.
  require_instances(tree, 1152921504, "--instances");
  BOOST_TEST(message_of<usage_error>([&] { require_instances(tree, 1152921505, "--instances"); }) ==
             "--instances: expected at most 1152921504 instances of 8000000000 flops each, got "
             "1152921505");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::generic
