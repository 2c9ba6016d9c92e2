// Tests orders of the real matrices in the folder GRIDLOOM_DATA_DIR. They must be valid. Their
// half-bandwidths must be close to those that the collection's index (ss_index.csv) records for
// MATLAB's symrcm. Prints both half-bandwidths and the geometric mean of their ratios.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "data_files.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"
#include "start_node.hpp"
#include "validate.hpp"

namespace gridloom::mhive::rcm {

BOOST_AUTO_TEST_SUITE(rcm_data_test)
namespace {

using namespace gridloom::test;

// Maps "Group/Name" of the collection to the half-bandwidth of its reverse Cuthill-McKee order.
std::map<std::string, double> collection() {
  std::map<std::string, double> found;
  std::ifstream index{data_dir() / "ss_index.csv"};
  for (std::string line; std::getline(index, line);) {
    std::vector<std::string> const cells = split(line, ',');
    if (cells.size() < 18 || cells[0] == "Group") continue;
    found[cells[0] + "/" + cells[1]] = std::max(std::stod(cells[16]), std::stod(cells[17]));
  }
  return found;
}

struct named_matrix {
  std::string file;
  std::string id;
};

std::vector<named_matrix> table() {
  std::vector<named_matrix> found;
  for (auto const& cells : data_table()) found.push_back({cells[1], cells[2]});
  // These rebuilt matrices have the half-bandwidths of the originals.
  found.push_back({"ecology1_recon", "McRae/ecology1"});
  found.push_back({"parabolic_fem_recon", "Wissgott/parabolic_fem"});
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bandwidths_are_near_those_of_the_collection) {
  std::map<std::string, double> const wanted = collection();
  double sum_of_logs = 0;
  int count = 0;
  for (named_matrix const& matrix : table()) {
    BOOST_TEST_CONTEXT(matrix.file) {
      BOOST_TEST_REQUIRE(wanted.contains(matrix.id));
      auto const pattern = real_graph(matrix.file);
      graph_ref const of = graph_of(pattern);
      serial_order const order = order_from(of, nodes_of(find_starts(of)));
      for (std::string const& fault :
           faults_of(of, order.cuthill_mckee, {.starts = start_options{}, .strict = true})) {
        BOOST_ERROR(fault);
      }
      double const theirs = wanted.at(matrix.id);
      double const ours = sparse::band_of(sparse::permute(pattern, order.reversed())).half();
      std::printf("%-22s half-bandwidth %6.0f, the collection's %6.0f: %.3f\n", matrix.file.c_str(),
                  ours, theirs, ours / theirs);
      BOOST_TEST(ours <= 2 * theirs);
      sum_of_logs += std::log(ours / theirs);
      ++count;
    }
  }
  BOOST_TEST_REQUIRE(count >= 50);
  double const mean = std::exp(sum_of_logs / count);
  std::printf("geometric mean of %d: %.4f\n", count, mean);
  BOOST_TEST(mean <= 1.05);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm
