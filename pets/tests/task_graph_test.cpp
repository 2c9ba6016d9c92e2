// A graph is checked when it is made. Reading a file returns the graph that was written.

#include <H5Cpp.h>

#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"
#include "pets/support/platform.hpp"

BOOST_AUTO_TEST_SUITE(task_graph_test)

using namespace gridloom;
using namespace gridloom::pets;

namespace {

// 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3.
csr_graph const diamond{{0, 2, 3, 4, 4}, {1, 2, 3, 3}};

void refuses(csr_graph const& edges, std::vector<time_value> weights, std::vector<time_value> costs,
             std::uint32_t processors, std::string const& words) {
  BOOST_CHECK_EXCEPTION(
      make_task_graph(edges, std::move(weights), std::move(costs), processors, "g"), usage_error,
      [&](usage_error const& error) {
        BOOST_TEST_INFO(error.what());
        return std::string(error.what()).find(words) != std::string::npos;
      });
}

struct file_in_temporary_folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("pets_task_graph_test_" + std::to_string(getpid()));
  ~file_in_temporary_folder() { std::filesystem::remove(path); }
};

template <class T>
void put(H5::Group& group, char const* name, std::vector<T> const& values,
         std::vector<hsize_t> const& extent, H5::PredType const& type) {
  group.createDataSet(name, type, H5::DataSpace{static_cast<int>(extent.size()), extent.data()})
      .write(values.data(), type);
}

// The diamond with costs on `width` processors.
void write_diamond(std::filesystem::path const& path, std::vector<time_value> const& costs,
                   hsize_t width) {
  write_dag(path, diamond);
  H5::H5File file(path.string(), H5F_ACC_RDWR);
  H5::Group group = file.openGroup("graph");
  put<time_value>(group, "costs", costs, {costs.size() / width, width},
                  H5::PredType::NATIVE_UINT64);
  put<time_value>(group, "weights", {7, 0, 1, 2}, {4}, H5::PredType::NATIVE_UINT64);
}

}  // namespace

BOOST_AUTO_TEST_CASE(predecessors_are_the_successors_turned_round) {
  auto const graph = make_task_graph(diamond, {7, 0, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 2, "g");
  auto const parents = graph.predecessors.of(3);
  BOOST_TEST(std::vector<std::uint32_t>(parents.begin(), parents.end()) ==
             (std::vector<std::uint32_t>{1, 2}));
  auto const weights = graph.predecessors.weights_of(3);
  BOOST_TEST(std::vector<time_value>(weights.begin(), weights.end()) ==
             (std::vector<time_value>{1, 2}));
  BOOST_TEST(graph.predecessors.of(0).empty());
  BOOST_TEST(graph.costs_of(2)[1] == 6U);
  BOOST_TEST(graph.name_of(2) == "2");
}

BOOST_AUTO_TEST_CASE(levels_are_longest_paths_for_any_numbering) {
  // 2 -> 1 -> 0, 2 -> 0, and task 3 without edges. Numbers fall along edges.
  auto const graph = make_task_graph({{0, 0, 1, 3, 3}, {0, 1, 0}}, {0, 0, 0}, {1, 1, 1, 1}, 1, "g");
  auto const levels = levels_of(graph);
  BOOST_TEST(levels.level == (std::vector<std::uint32_t>{2, 1, 0, 0}));
  BOOST_TEST(levels.num_levels == 3U);
  BOOST_TEST(levels.topological.size() == 4U);
}

BOOST_AUTO_TEST_CASE(files_without_a_task_graph_are_refused) {
  std::vector<time_value> const ones(4, 1);
  refuses({{0}, {}}, {}, {}, 1, "expected at least one task");
  refuses({{0, 1, 2}, {1, 0}}, {1, 1}, {1, 1}, 1, "cycle");
  refuses({{0, 1, 1}, {0}}, {1}, {1, 1}, 1, "edge 0 -> 0");
  refuses({{0, 2, 2}, {1, 1}}, {1, 1}, {1, 1}, 1, "twice");
  refuses(diamond, {1, 1, 1}, ones, 1, "expected 4 weights");
  refuses(diamond, ones, {1, 1, 1}, 1, "expected 4 x 1 costs");
  refuses(diamond, ones, ones, 0, "processors");
}

BOOST_AUTO_TEST_CASE(totals_fit_63_bits_or_are_refused) {
  std::vector<time_value> const none(4, 0);
  time_value const most = most_total;
  BOOST_CHECK_NO_THROW(make_task_graph(diamond, none, {most, 0, 0, 0}, 1, "g"));
  refuses(diamond, none, {most, 1, 0, 0}, 1, "add up to at most");
  refuses(diamond, {0, 0, 0, most / 2}, std::vector<time_value>(8, 1), 2, "add up to at most");
  refuses(diamond, {~time_value{0}, 0, 0, 0}, none, 1, "add up to at most");
}

BOOST_AUTO_TEST_CASE(files_return_the_written_values) {
  file_in_temporary_folder const file;
  write_diamond(file.path, {1, 2, 3, 4, 5, 6, 7, 8}, 2);
  auto const graph = read_task_graph(file.path, {});
  BOOST_TEST(graph.num_processors == 2U);
  BOOST_TEST(graph.costs == (std::vector<time_value>{1, 2, 3, 4, 5, 6, 7, 8}));
  BOOST_TEST(graph.successors.weights == (std::vector<time_value>{7, 0, 1, 2}));
  BOOST_CHECK_EXCEPTION((void)read_task_graph(file.path, {.processors = 3}), usage_error,
                        [](auto const& error) {
                          return std::string(error.what()).starts_with("--processors: expected 2");
                        });
}

BOOST_AUTO_TEST_CASE(a_single_time_per_task_holds_for_every_processor) {
  file_in_temporary_folder const file;
  write_diamond(file.path, {1, 2, 3, 4}, 1);
  BOOST_TEST(read_task_graph(file.path, {}).num_processors == usual_processors);
  auto const graph = read_task_graph(file.path, {.processors = 3});
  BOOST_TEST(graph.costs == (std::vector<time_value>{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}));
}

BOOST_AUTO_TEST_CASE(files_of_another_shape_are_refused) {
  file_in_temporary_folder const file;
  write_diamond(file.path, {1, 2, 3}, 1);
  BOOST_CHECK_EXCEPTION((void)read_task_graph(file.path, {}), usage_error, [](auto const& error) {
    return std::string(error.what()).find("expected 4 rows") != std::string::npos;
  });
  // The file has neither costs nor weights.
  write_dag(file.path, diamond);
  BOOST_CHECK_EXCEPTION((void)read_task_graph(file.path, {}), usage_error, [](auto const& error) {
    return std::string(error.what()).find("/graph/costs: expected a dataset") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
