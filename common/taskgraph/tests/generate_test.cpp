#include "gridloom/taskgraph/generate.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <set>

#include "edges_text.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/patterns.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(generate_test)

using namespace gridloom;
using gridloom::test::edges_of;
using gridloom::test::message_of;

namespace {

/// (level, number of predecessors, number of successors) of each task, in ascending order.
std::vector<std::array<std::size_t, 3>> shape_of(csr_graph const& graph) {
  csr_graph const before = transposed(graph);
  auto const level = group_of_task(levels_of(graph));
  std::vector<std::array<std::size_t, 3>> shape;
  for (std::uint64_t task = 0; task < graph.tasks(); ++task)
    shape.push_back({level[task], before.of(task).size(), graph.of(task).size()});
  std::sort(shape.begin(), shape.end());
  return shape;
}

bool ascends(csr_graph const& graph) {
  for (std::uint64_t from = 0; from < graph.tasks(); ++from) {
    for (std::uint32_t const to : graph.of(from))
      if (to <= from) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_graphs_have_these_edges) {
  auto const edges = [](std::string_view text) { return edges_of(generate_graph(text)); };
  // 0 1 2
  // 3 4 5
  BOOST_TEST(edges("lattice:rows=2,cols=3") == "0-1 0-3 1-2 1-4 2-5 3-4 4-5");
  // 0 1 3
  // 2 4 5
  BOOST_TEST(edges("lattice:rows=2,cols=3,levels=1") == "0-1 0-2 1-3 1-4 2-4 3-5 4-5");
  BOOST_TEST(edges("lattice:rows=2,depth=2") == "0-1 0-2 0-4 1-3 1-5 2-3 2-6 3-7 4-5 4-6 5-7 6-7");
  BOOST_TEST(edges("star:leaves=3") == "0-1 0-2 0-3");
  BOOST_TEST(edges("star:leaves=0") == "");
  BOOST_TEST(edges("chain:tasks=4") == "0-1 1-2 2-3");
  BOOST_TEST(edges("layered:layers=3,width=2,degree=2") == "0-2 0-3 1-2 1-3 2-4 2-5 3-4 3-5");
  BOOST_TEST(edges("random:tasks=4,window=2,degree=2") == "0-1 0-2 1-2 1-3 2-3");
  BOOST_TEST(edges("random:tasks=9,degree=0") == "");
  BOOST_TEST(edges("tree:width=2,steps=3") == "0-1 0-2 1-3 1-4");
  BOOST_TEST(edges("nearest:width=2,steps=2,radix=1") == "0-2 1-3");
  BOOST_TEST(edges("spread:width=4,steps=2,radix=2,period=1") == "0-4 0-6 1-5 1-7 2-4 2-6 3-5 3-7");
  BOOST_TEST(edges("random_nearest:width=2,steps=2,radix=3,period=1,fraction=0") == "0-2 1-3");
}

BOOST_AUTO_TEST_CASE(every_generator_makes_a_dag_and_its_numbers_can_be_changed) {
  std::string const list = list_graph_generators();
  std::set<std::string> names;
  for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1) {
    std::size_t const colon = list.find(':', at);
    if (list[at] != ' ' && colon < list.find('\n', at)) names.insert(list.substr(at, colon - at));
  }
  for (std::string_view const pattern : pattern_names())
    BOOST_TEST(names.contains(std::string(pattern)), pattern);
  for (std::string const& name : names) {
    BOOST_TEST_CONTEXT(name) {
      csr_graph const plain = generate_graph(name);
      check_dag(plain, name);
      BOOST_TEST(ascends(plain));
      csr_graph const shuffled = generate_graph(name + ":shuffle=1");
      BOOST_TEST(ascends(shuffled) == (name == "trivial"));
      BOOST_TEST((shape_of(shuffled) == shape_of(plain)));
      BOOST_TEST((generate_graph(name + ":shuffle=1").columns == shuffled.columns));
      if (name != "trivial")
        BOOST_TEST((generate_graph(name + ":shuffle=1,seed=2").columns != shuffled.columns));
      csr_graph const leveled = generate_graph(name + ":shuffle=1,levels=1");
      auto const level = group_of_task(levels_of(leveled));
      BOOST_TEST(std::is_sorted(level.begin(), level.end()));
      BOOST_TEST((shape_of(leveled) == shape_of(plain)));
    }
  }
  BOOST_TEST(names.size() == pattern_names().size() + 8);
}

BOOST_AUTO_TEST_CASE(factorisations_have_their_tasks_and_durations) {
  using durations = std::vector<std::uint64_t>;
  // POTRF(0), TRSM(1,0), SYRK(1,0), POTRF(1).
  csr_graph const cholesky = generate_graph("cholesky:tiles=2");
  BOOST_TEST(edges_of(cholesky) == "0-1 1-2 2-3");
  BOOST_TEST(cholesky.durations == (durations{1, 3, 3, 1}), boost::test_tools::per_element());
  // GETRF(0), TRSM of column and row, GEMM, GETRF(1).
  csr_graph const lu = generate_graph("lu:tiles=2");
  BOOST_TEST(edges_of(lu) == "0-1 0-2 1-3 2-3 3-4");
  BOOST_TEST(lu.durations == (durations{2, 3, 3, 6, 2}), boost::test_tools::per_element());
  // GEQRT, UNMQR, TSQRT, TSMQR, GEQRT. TSQRT does not wait for UNMQR.
  csr_graph const qr = generate_graph("qr:rows=2");
  BOOST_TEST(edges_of(qr) == "0-1 0-2 1-3 2-3 3-4");
  BOOST_TEST(qr.durations == (durations{4, 6, 6, 12, 4}), boost::test_tools::per_element());
  // In a column, the tasks of QR follow each other.
  BOOST_TEST(edges_of(generate_graph("qr:rows=3,cols=1")) == "0-1 1-2");
  std::uint64_t const n = 7;
  BOOST_TEST(generate_graph("cholesky:tiles=7").tasks() == n * (n + 1) * (n + 2) / 6);
  BOOST_TEST(generate_graph("lu:tiles=7").tasks() == n * (n + 1) * (2 * n + 1) / 6);
  // The total costs are those of the algorithms: 2/3 n^3, in thirds of a tile's cube.
  csr_graph const shuffled = generate_graph("lu:tiles=7,shuffle=1");
  std::uint64_t const sum =
      std::accumulate(shuffled.durations.begin(), shuffled.durations.end(), 0ULL);
  BOOST_TEST(sum == 2 * n * n * n);
}

BOOST_AUTO_TEST_CASE(random_graphs_have_their_degrees_and_windows) {
  auto const check = [](csr_graph const& graph, std::uint64_t least, std::uint64_t degree) {
    std::set<std::size_t> seen;
    for (std::uint64_t task = 0; task < graph.tasks(); ++task) {
      auto const next = graph.of(task);
      if (graph.tasks() - 1 - task >= 10) seen.insert(next.size());
      if (!next.empty()) BOOST_TEST(next.back() - task <= 10U);
    }
    BOOST_TEST(*seen.begin() == least);
    BOOST_TEST(*seen.rbegin() == degree);
    BOOST_TEST(seen.size() == degree - least + 1);
  };
  std::string const text = "random:tasks=500,window=10,";
  check(generate_graph(text + "degree=4"), 4, 4);
  check(generate_graph(text + "degree=10"), 10, 10);
  check(generate_graph(text + "degree=3,least=0"), 0, 3);
  BOOST_TEST((generate_graph(text + "seed=3").columns == generate_graph(text + "seed=3").columns));
  BOOST_TEST((generate_graph(text + "seed=3").columns != generate_graph(text + "seed=4").columns));
}

BOOST_AUTO_TEST_CASE(layers_are_levels) {
  csr_graph const graph = generate_graph("layered:layers=5,width=8,degree=3");
  auto const level = group_of_task(levels_of(graph));
  for (std::uint32_t task = 0; task < 40; ++task) {
    BOOST_TEST(level[task] == task / 8);
    BOOST_TEST(graph.of(task).size() == (task < 32 ? 3U : 0U));
  }
  BOOST_TEST((graph.columns != generate_graph("layered:layers=5,width=8,degree=3,seed=2").columns));
}

BOOST_AUTO_TEST_CASE(wrong_specifications_are_refused) {
  for (auto const& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"",
            "generator: expected one of lattice, random, layered, star, chain, trivial, no_comm"},
           {"ring:tasks=3", "generator: expected one of lattice, random,"},
           {"chain:", "chain: expected KEY=VALUE, got \"\""},
           {"chain:tasks=0", "chain: tasks: expected a whole number from 1 to 2147483646"},
           {"chain:width=3", "chain: expected one of the keys tasks, seed, shuffle, levels, got"},
           {"star:leaves=2147483646", "star: leaves: expected a whole number from 0 to 2147483645"},
           {"random:degree=5,window=4", "random: degree: expected a whole number from 0 to 4"},
           {"random:degree=5,least=6", "random: least: expected a whole number from 0 to 5"},
           {"layered:width=2", "layered: degree: expected a whole number from 1 to 2"},
           {"lattice:rows=50000",
            "lattice: rows * cols * depth: expected at most 2147483646 tasks in all, got 50000 * "
            "50000 * 1"},
           {"lattice:rows=65536,cols=32768", "lattice: rows * cols * depth: expected at most"},
           {"lattice:rows=2,depth=2147483646", "lattice: rows * cols * depth: expected at most"},
           {"layered:layers=50000,width=50000",
            "layered: layers * width: expected at most 2147483646 tasks in all, got 50000 * 50000"},
           {"fft:width=65536,steps=32768", "pattern fft: width and steps must be"},
           {"random_nearest:fraction=1.5", "random_nearest: fraction: expected"}}) {
    std::string const said = message_of<usage_error>([&] { (void)generate_graph(text); });
    BOOST_TEST(said.starts_with(message), said);
  }
  BOOST_CHECK_THROW(
      (void)generate_graph("random:tasks=2147483646,window=2147483646,degree=2147483646"),
      std::bad_alloc);
}

BOOST_AUTO_TEST_SUITE_END()
