// Files of other writers are read if they follow the layout. Damaged files, and files that lead
// into others, are refused with a message that names the wrong place.

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "csr_files.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "hdf5_by_hand.hpp"
#include "matrices.hpp"

BOOST_AUTO_TEST_SUITE(csr_file_damage_test)

using namespace gridloom::sparse;
using namespace gridloom::test;

namespace {

// A matrix file by another writer, with parts that a test may replace. The matrix is 2 x 3 with
// entries (0,0) (0,2) (1,1).
struct raw_matrix {
  std::string kind = "csr";
  std::int64_t num_rows = 2;
  std::vector<std::uint32_t> columns{0, 2, 1};
  std::vector<double> values{1, 2, 3};
  H5::PredType offsets_type = H5::PredType::STD_U64LE;
  H5::PredType columns_type = H5::PredType::STD_U32LE;
  H5::PredType values_type = H5::PredType::IEEE_F64LE;
  bool with_columns = true;
  bool compressed = false;

  void write(std::filesystem::path const& path) const {
    std::vector<std::uint64_t> const offsets{0, 2, 3};
    hdf5_by_hand to{path, "matrix", kind};
    to.number("num_rows", num_rows);
    to.number("num_cols", 3);
    to.array("row_offsets", offsets_type, offsets, H5::PredType::NATIVE_UINT64, compressed);
    if (with_columns) {
      to.array("columns", columns_type, columns, H5::PredType::NATIVE_UINT32, compressed);
    }
    if (!values.empty()) {
      to.array("values", values_type, values, H5::PredType::NATIVE_DOUBLE, compressed);
    }
  }
};

// The message of read_csr without the file name.
std::string refused(std::filesystem::path const& path) {
  return refused_by([](auto const& file) { return read_csr(file); }, path);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_matrix_of_another_writer_is_read) {
  scratch_folder const folder;
  raw_matrix matrix;
  matrix.offsets_type = H5::PredType::STD_U64BE;
  matrix.columns_type = H5::PredType::STD_U32BE;
  matrix.values_type = H5::PredType::IEEE_F64BE;
  matrix.compressed = true;
  matrix.write(folder / "m.h5");
  BOOST_TEST(read_back<double>(folder / "m.h5") == sample);
  matrix.values_type = H5::PredType::IEEE_F32LE;
  matrix.write(folder / "m.h5");
  BOOST_TEST(read_back<float>(folder / "m.h5").values[2] == 3.0F);
  matrix.values.clear();
  matrix.write(folder / "m.h5");
  BOOST_TEST(read_back<no_value>(folder / "m.h5").columns[1] == 2U);
}

BOOST_AUTO_TEST_CASE(task_graphs_and_matrices_are_not_mistaken_for_each_other) {
  scratch_folder const folder;
  auto const path = folder / "g.h5";
  gridloom::write_dag(path, {{0, 1, 1}, {1}});
  std::string const expected = "/matrix: expected a group, got /graph of kind \"dag\"";
  BOOST_TEST(refused(path) == expected);
  BOOST_TEST(refused_by(read_provenance, path) == expected);
  write_csr(path, sample);
  BOOST_TEST(refused_by(gridloom::read_dag, path) ==
             "/graph: expected a group, got /matrix of kind \"csr\"");
}

BOOST_AUTO_TEST_CASE(each_wrong_part_is_named) {
  check_wrong_parts<raw_matrix>(
      [](auto const& file) { return read_csr(file); },
      {{"/matrix: expected the attribute kind", [](auto& m) { m.kind = "dag"; }},
       {"/matrix/row_offsets: expected 4 entries", [](auto& m) { m.num_rows = 3; }},
       {"/matrix: expected an attribute \"num_rows\"", [](auto& m) { m.num_rows = -1; }},
       {"/matrix: expected the attribute num_rows to be at most 2147483646",
        [](auto& m) { m.num_rows = std::int64_t{1} << 32; }},
       {"/matrix/columns: expected uint32, got int32",
        [](auto& m) { m.columns_type = H5::PredType::STD_I32LE; }},
       {"/matrix/values: expected float32 or float64",
        [](auto& m) { m.values_type = H5::PredType::STD_I32LE; }},
       {"/matrix/columns: expected a dataset", [](auto& m) { m.with_columns = false; }},
       {"/matrix/values: expected 3 entries, got 4", [](auto& m) { m.values.push_back(4); }},
       {"row 0: expected ascending columns", [](auto& m) {
          m.columns = {2, 0, 1};
        }}});
}

BOOST_AUTO_TEST_CASE(links_into_other_files_are_refused_and_soft_ones_followed) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  raw_matrix{}.write(path);
  change(path, "/", [](H5::Group& file) {
    file.move("matrix", "moved");
    file.link(H5G_LINK_SOFT, "/moved", "matrix");
  });
  BOOST_TEST(read_back<double>(path) == sample);
  change(path, "/matrix", [](H5::Group& group) {
    group.unlink("columns");
    link_other_file(group, "columns", "/matrix/columns");
  });
  BOOST_TEST(refused(path).starts_with("/matrix/columns: expected the data in this file"));
  change(path, "/", [](H5::Group& file) {
    file.unlink("matrix");
    link_other_file(file, "matrix", "/matrix");
  });
  BOOST_TEST(refused(path).starts_with("/matrix: expected the data in this file"));
}

BOOST_AUTO_TEST_CASE(numbers_in_another_file_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  write_text(folder / "numbers", std::string(12, '\0'));
  raw_matrix{}.write(path);
  change(path, "matrix", [&](H5::Group& group) {
    group.unlink("columns");
    hsize_t const extent = 3;
    H5::DSetCreatPropList layout;
    layout.setExternal((folder / "numbers").c_str(), 0, 12);
    group.createDataSet("columns", H5::PredType::STD_U32LE, H5::DataSpace{1, &extent}, layout);
  });
  BOOST_TEST(refused(path).starts_with("/matrix/columns: expected the data in this file"));
}

BOOST_AUTO_TEST_SUITE_END()
