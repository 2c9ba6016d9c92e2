// Files of other writers are read if they follow the layout. Damaged files, and files that lead into
// others, are refused with the wrong place.

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>

#include "csr_files.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "hdf5_by_hand.hpp"
#include "matrices.hpp"

BOOST_AUTO_TEST_SUITE(csr_file_damage_test)

using namespace gridloom::sparse;
using namespace gridloom::test;
using gridloom::usage_error;

namespace {

// A matrix file by another writer, with parts that a test may replace. 2 x 3: (0,0) (0,2) (1,1).
struct raw_matrix {
  std::string kind = "csr";
  std::int64_t num_rows = 2;
  std::int64_t num_cols = 3;
  std::vector<std::uint64_t> offsets{0, 2, 3};
  std::vector<std::uint32_t> columns{0, 2, 1};
  std::vector<double> values{1, 2, 3};
  H5::PredType offsets_type = H5::PredType::STD_U64LE;
  H5::PredType columns_type = H5::PredType::STD_U32LE;
  H5::PredType values_type = H5::PredType::IEEE_F64LE;
  bool with_columns = true;
  bool compressed = false;

  void write(std::filesystem::path const& path) const {
    hdf5_by_hand to{path, "matrix", kind};
    to.number("num_rows", num_rows);
    to.number("num_cols", num_cols);
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
std::string refused(raw_matrix const& matrix) {
  scratch_folder const folder;
  matrix.write(folder / "m.h5");
  return refused(folder / "m.h5");
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

BOOST_AUTO_TEST_CASE(a_task_graph_is_no_matrix_and_a_matrix_no_task_graph) {
  scratch_folder const folder;
  auto const path = folder / "g.h5";
  gridloom::write_dag(path, {{0, 1, 1}, {1}});
  std::string const expected = "/matrix: expected a group, got /graph of kind \"dag\"";
  BOOST_TEST(refused(path) == expected);
  BOOST_TEST(refused_by(read_provenance, path) == expected);
  write_csr(path, sample);
  BOOST_TEST(refused_by(gridloom::read_dag, path) ==
             "/graph: expected a group, got /matrix of kind \"csr\"");
  raw_matrix matrix;
  matrix.kind = "dag";
  BOOST_TEST(refused(matrix) == "/matrix: expected the attribute kind to be \"csr\", got \"dag\"");
}

BOOST_AUTO_TEST_CASE(attributes_are_checked) {
  raw_matrix matrix;
  matrix.num_rows = 3;
  BOOST_TEST(refused(matrix) == "/matrix/row_offsets: expected 4 entries, got 3");
  matrix.num_rows = -1;
  BOOST_TEST(refused(matrix) ==
             "/matrix: expected an attribute \"num_rows\" holding one whole number >= 0");
  matrix.num_rows = std::int64_t{1} << 32;
  BOOST_TEST(refused(matrix) ==
             "/matrix: expected the attribute num_rows to be at most 2147483646, got 4294967296");
  matrix = {};
  matrix.num_cols = std::int64_t{1} << 31;
  BOOST_TEST(refused(matrix) ==
             "/matrix: expected the attribute num_cols to be at most 2147483646, got 2147483648");
}

BOOST_AUTO_TEST_CASE(types_are_not_converted) {
  raw_matrix matrix;
  matrix.columns_type = H5::PredType::STD_I32LE;
  BOOST_TEST(refused(matrix) == "/matrix/columns: expected uint32, got int32");
  matrix = {};
  matrix.offsets_type = H5::PredType::STD_U32LE;
  BOOST_TEST(refused(matrix) == "/matrix/row_offsets: expected uint64, got uint32");
  matrix = {};
  matrix.values_type = H5::PredType::STD_I32LE;
  BOOST_TEST(refused(matrix) == "/matrix/values: expected float32 or float64, got int32");
}

BOOST_AUTO_TEST_CASE(arrays_are_checked) {
  raw_matrix matrix;
  matrix.with_columns = false;
  BOOST_TEST(refused(matrix) == "/matrix/columns: expected a dataset");
  matrix = {};
  matrix.values.push_back(4);
  BOOST_TEST(refused(matrix) == "/matrix/values: expected 3 entries, got 4");
  matrix = {};
  matrix.columns = {2, 0, 1};
  BOOST_TEST(refused(matrix) == "row 0: expected ascending columns, got 0 behind 2");
}

BOOST_AUTO_TEST_CASE(a_tiny_file_that_claims_much_is_refused_before_allocating) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  raw_matrix{}.write(path);
  change(path, "matrix", [&](H5::Group& group) {
    group.unlink("columns");
    // Never written, so the file does not contain it.
    hsize_t const huge = hsize_t{1} << 45U;
    group.createDataSet("columns", H5::PredType::STD_U32LE, H5::DataSpace{1, &huge});
  });
  BOOST_TEST(refused(path) ==
             "/matrix/columns: claims 35184372088832 entries, more than the file holds");
}

BOOST_AUTO_TEST_CASE(what_was_not_compressed_cannot_have_shrunk) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  raw_matrix{}.write(path);
  change(path, "matrix", [&](H5::Group& group) {
    group.unlink("columns");
    hsize_t const extent = 1000;
    hsize_t const chunk = 10;
    H5::DSetCreatPropList layout;
    layout.setChunk(1, &chunk);
    H5::DataSet columns =
        group.createDataSet("columns", H5::PredType::STD_U32LE, H5::DataSpace{1, &extent}, layout);
    // One chunk of a hundred exists. Only compressed data could be that small.
    H5::DataSpace place{1, &extent};
    hsize_t const first = 0;
    place.selectHyperslab(H5S_SELECT_SET, &chunk, &first);
    std::array<std::uint32_t, 10> const numbers{};
    columns.write(numbers.data(), H5::PredType::NATIVE_UINT32, H5::DataSpace{1, &chunk}, place);
  });
  BOOST_TEST(refused(path) == "/matrix/columns: claims 1000 entries, more than the file holds");
}

BOOST_AUTO_TEST_CASE(links_into_other_files_are_refused_and_soft_ones_followed) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  std::string const link = ": expected it in this file, got a link to another one";
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "matrix", "/matrix");
  }
  BOOST_TEST(refused(path) == "/matrix" + link);
  BOOST_CHECK_THROW((void)read_provenance(path), usage_error);
  for (std::string const name : {"row_offsets", "columns", "values"}) {
    raw_matrix{}.write(path);
    change(path, "matrix", [&](H5::Group& group) {
      group.unlink(name);
      link_other_file(group, name, "/matrix/" + name);
    });
    BOOST_TEST(refused(path) == "/matrix/" + name + link);
  }
  raw_matrix{}.write(path);
  change(path, "/", [](H5::Group& file) {
    file.move("matrix", "moved");
    file.link(H5G_LINK_SOFT, "/moved", "matrix");
  });
  BOOST_TEST(read_back<double>(path) == sample);
}

BOOST_AUTO_TEST_CASE(soft_links_do_not_lead_into_other_files) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "elsewhere", "/");
    file.link(H5G_LINK_SOFT, "/elsewhere/matrix", "matrix");
  }
  BOOST_TEST(refused(path).ends_with("got a link to what is not in it"));
}

BOOST_AUTO_TEST_CASE(a_search_for_the_kind_passes_links_over) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "a", "/matrix");
    file.link(H5G_LINK_SOFT, "/nothing", "b");
  }
  BOOST_TEST(refused(path) == "/matrix: expected a group");
}

BOOST_AUTO_TEST_CASE(numbers_in_other_files_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  write_csr(folder / "other.h5", sample);
  write_text(folder / "numbers", std::string(12, '\0'));
  for (bool const is_virtual : {false, true}) {
    raw_matrix{}.write(path);
    change(path, "matrix", [&](H5::Group& group) {
      group.unlink("columns");
      hsize_t const extent = 3;
      H5::DataSpace const space{1, &extent};
      H5::DSetCreatPropList layout;
      if (is_virtual) {
        H5Pset_virtual(layout.getId(), space.getId(), (folder / "other.h5").c_str(),
                       "/matrix/columns", space.getId());
      } else {
        layout.setExternal((folder / "numbers").c_str(), 0, 12);
      }
      group.createDataSet("columns", H5::PredType::STD_U32LE, space, layout);
    });
    BOOST_TEST(refused(path) ==
               "/matrix/columns: expected it in this file, got a dataset kept in other files");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_matrix_file_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  { H5::H5File const empty{path.string(), H5F_ACC_TRUNC}; }
  BOOST_TEST(refused(path) == "/matrix: expected a group");
  BOOST_TEST(refused(folder / "none.h5") == "cannot read: No such file or directory");
  write_text(path, "%%MatrixMarket matrix coordinate real general\n");
  BOOST_TEST(refused(path) == "expected an HDF5 file");
}

BOOST_AUTO_TEST_SUITE_END()
