#include "gridloom/taskgraph/graph_file.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gridloom/files/hdf5_io.hpp"
#include "hdf5_by_hand.hpp"

BOOST_AUTO_TEST_SUITE(graph_file_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

// The graph 0 -> {1, 2} -> 3.
csr_graph const diamond{{0, 2, 3, 4, 4}, {1, 2, 3, 3}};

// A graph file with parts that a test may replace before it is written.
struct raw_graph {
  std::string kind = "dag";
  std::int64_t n = 4;
  std::vector<std::uint32_t> columns = diamond.columns;
  H5::PredType columns_type = H5::PredType::STD_U32LE;
  bool with_columns = true;
  bool columns_as_matrix = false;

  void write(std::filesystem::path const& path) const {
    hdf5_by_hand to{path, "graph", kind};
    to.number("n", n);
    to.array("row_offsets", H5::PredType::STD_U64LE, diamond.row_offsets,
             H5::PredType::NATIVE_UINT64);
    if (!with_columns) return;
    to.array("columns", columns_type, columns, H5::PredType::NATIVE_UINT32, false,
             columns_as_matrix ? 2 : 1);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_graph_comes_back_as_written) {
  scratch_folder const folder;
  for (csr_graph const& graph :
       {diamond, csr_graph{{0}, {}}, csr_graph{{0, 0}, {}}, csr_graph{{0, 0, 0, 2}, {1, 0}}}) {
    write_dag(folder / "g.h5", graph);
    csr_graph const read = read_dag(folder / "g.h5");
    BOOST_TEST(read.row_offsets == graph.row_offsets, per_element());
    BOOST_TEST(read.columns == graph.columns, per_element());
    BOOST_TEST(folder.names().size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_graph_with_names_has_costs_and_weights_of_1) {
  scratch_folder const folder;
  std::vector<std::string> const names{"lu0 0", "fwd 1", "bdiv 2", "bmod 3"};
  write_dag(folder / "g.h5", diamond, names);
  weighted_dag const read = read_weighted_dag(folder / "g.h5");
  BOOST_TEST(read.graph.columns == diamond.columns, per_element());
  BOOST_TEST(read.names == names, per_element());
  BOOST_TEST((read.costs == std::vector<std::uint64_t>(4, 1)));
  BOOST_TEST((read.weights == std::vector<std::uint64_t>(4, 1)));
  BOOST_TEST((read.cost_rows == 4 && read.cost_columns == 1 && read.unit == "1"));
  BOOST_TEST(has_checksum(folder / "g.h5"));
}

BOOST_AUTO_TEST_CASE(extra_data_of_importers_is_ignored) {
  scratch_folder const folder;
  raw_graph{}.write(folder / "g.h5");
  change(folder / "g.h5", "graph", [](H5::Group& group) {
    std::array<hsize_t, 2> const extent{4, 3};
    group.createDataSet("costs", H5::PredType::STD_U64LE, H5::DataSpace{2, extent.data()});
    H5::StrType const text{H5::PredType::C_S1, H5T_VARIABLE};
    group.createDataSet("names", text, H5::DataSpace{1, extent.data()});
    group.createAttribute("format", text, H5::DataSpace{}).write(text, std::string{"STG"});
  });
  BOOST_TEST(refused_by(read_weighted_dag, folder / "g.h5") ==
             "/graph/costs: claims 12 entries, more than the file holds");
  BOOST_TEST(read_dag(folder / "g.h5").columns == diamond.columns, per_element());
}

BOOST_AUTO_TEST_CASE(a_transposed_graph_has_the_predecessors_by_rising_number) {
  csr_graph const turned = transposed(diamond);
  BOOST_TEST(turned.row_offsets == (std::vector<std::uint64_t>{0, 0, 1, 2, 4}), per_element());
  BOOST_TEST(turned.columns == (std::vector<std::uint32_t>{0, 0, 1, 2}), per_element());
  BOOST_TEST(transposed({{0}, {}}).tasks() == 0U);
}

BOOST_AUTO_TEST_CASE(faults_of_a_dag_are_named) {
  std::vector<std::pair<std::string, csr_graph>> const cases{
      {"row_offsets: expected n + 1 entries, got 0", {{}, {}}},
      {"row_offsets[0]: expected 0, got 1", {{1, 1}, {0}}},
      {"row_offsets[2]: expected at least 2, got 1", {{0, 2, 1, 2}, {1, 2}}},
      {"row_offsets: expected the last to be the number of edges 2, got 1", {{0, 1, 1}, {1, 1}}},
      {"durations: expected none or 2, got 3", {{0, 0, 0}, {}, {1, 1, 1}}},
      {"edge 2 -> 4: expected a successor below 4", {{0, 2, 3, 4, 4}, {1, 2, 3, 4}}},
      {"edge 1 -> 1: a task cannot be its own successor", {{0, 2, 3, 4, 4}, {1, 2, 1, 3}}},
      {"edge 0 -> 1 occurs twice: task 0 has a duplicate successor", {{0, 3, 3, 3}, {1, 2, 1}}},
      // In 0 -> 1 -> 2 -> 1 and 2 -> 3 -> 4, only 1 -> 2 and 2 -> 1 lie on the cycle.
      {"edge 2 -> 1 lies on a cycle", {{0, 1, 2, 4, 5, 5}, {1, 2, 1, 3, 4}}},
      // The task with the smallest number, 0, comes after the cycle 2 -> 3 -> 2.
      {"edge 3 -> 2 lies on a cycle", {{0, 1, 1, 3, 4}, {1, 3, 0, 2}}}};
  for (auto const& [message, graph] : cases) {
    BOOST_TEST(message_of<usage_error>([&, &wrong = graph] { check_dag(wrong, "g"); }) ==
               "g: " + message);
  }
}

BOOST_AUTO_TEST_CASE(edges_in_any_order_make_a_graph) {
  std::vector<graph_edge> const edges{{2, 3}, {0, 2}, {1, 3}, {0, 1}};
  csr_graph const made = graph_of_edges(4, edges);
  BOOST_TEST(made.row_offsets == diamond.row_offsets, per_element());
  BOOST_TEST(made.columns == (std::vector<std::uint32_t>{2, 1, 3, 3}), per_element());
  BOOST_TEST(graph_of_edges(0, {}).tasks() == 0U);
}

BOOST_AUTO_TEST_CASE(faults_of_edges_are_named) {
  std::vector<std::tuple<std::string, std::uint64_t, std::vector<graph_edge>>> const cases{
      {"edge 4 -> 1: expected a predecessor below 4", 4, {{0, 1}, {4, 1}}},
      {"edge 0 -> 4: expected a successor below 4", 4, {{0, 4}}},
      {"edge 0 -> 1 occurs twice: task 0 has a duplicate successor", 4, {{0, 1}, {1, 2}, {0, 1}}},
      {"edge 1 -> 0 lies on a cycle", 4, {{0, 1}, {1, 0}}},
      {"expected at most 2147483646 tasks, got 2147483648", std::uint64_t{1} << 31U, {}}};
  for (auto const& [message, tasks, edges] : cases) {
    BOOST_TEST(message_of<usage_error>([&, n = tasks, &list = edges] {
                 (void)graph_of_edges(n, list);
               }) == "graph: " + message);
  }
}

BOOST_AUTO_TEST_CASE(a_refused_graph_is_not_written) {
  scratch_folder const folder;
  std::string const path = (folder / "g.h5").string();
  BOOST_TEST(message_of<usage_error>([&] {
               write_dag(path, {{0, 1, 2}, {1, 0}});
             }) == path + ": edge 1 -> 0 lies on a cycle");
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(each_wrong_part_of_a_file_is_named) {
  check_wrong_parts<raw_graph>(
      read_dag,
      {{"edge 2 -> 77: expected a successor below 4", [](auto& g) { g.columns[3] = 77; }},
       {"/graph: expected the attribute kind to be \"dag\"", [](auto& g) { g.kind = "tree"; }},
       {"/graph/row_offsets: expected n + 1 = 6 entries, got 5", [](auto& g) { g.n = 5; }},
       {"/graph: expected the attribute n to be at most 2147483646",
        [](auto& g) { g.n = std::int64_t{1} << 31; }},
       {"/graph/columns: expected a dataset", [](auto& g) { g.with_columns = false; }},
       {"/graph/columns: expected one dimension, got 2",
        [](auto& g) { g.columns_as_matrix = true; }},
       {"/graph/columns: expected uint32, got uint64",
        [](auto& g) { g.columns_type = H5::PredType::STD_U64LE; }}});
}

BOOST_AUTO_TEST_SUITE_END()
