#define BOOST_TEST_MODULE sparse_csr_file
#include "gridloom/sparse/csr_file.hpp"

#include <H5Cpp.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "../test_support.hpp"
#include "gridloom/error.hpp"
#include "gridloom/graph_file.hpp"
#include "hdf5_outline.hpp"
#include "matrices.hpp"

using namespace gridloom::sparse;
using namespace gridloom::test;
using gridloom::random_source;
using gridloom::run_error;
using gridloom::usage_error;

namespace {

using value_types = boost::mpl::list<no_value, float, double>;

template <typename Value>
csr_matrix<Value> read_back(std::filesystem::path const& path) {
  any_csr const read = read_csr(path);
  BOOST_REQUIRE(std::holds_alternative<csr_matrix<Value>>(read));
  return std::get<csr_matrix<Value>>(read);
}

std::string bytes_of(std::filesystem::path const& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

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
    H5::H5File file{path.string(), H5F_ACC_TRUNC};
    H5::Group group = file.createGroup("matrix");
    H5::StrType const text{H5::PredType::C_S1, kind.size()};
    group.createAttribute("kind", text, H5::DataSpace{}).write(text, kind);
    write_number(group, "num_rows", num_rows);
    write_number(group, "num_cols", num_cols);
    write_array(group, "row_offsets", offsets_type, offsets, H5::PredType::NATIVE_UINT64);
    if (with_columns) {
      write_array(group, "columns", columns_type, columns, H5::PredType::NATIVE_UINT32);
    }
    if (!values.empty()) {
      write_array(group, "values", values_type, values, H5::PredType::NATIVE_DOUBLE);
    }
  }

 private:
  static void write_number(H5::Group& group, char const* name, std::int64_t number) {
    group.createAttribute(name, H5::PredType::STD_I64LE, H5::DataSpace{})
        .write(H5::PredType::NATIVE_INT64, &number);
  }

  template <typename Number>
  void write_array(H5::Group& group, char const* name, H5::PredType const& type,
                   std::vector<Number> const& numbers, H5::PredType const& memory) const {
    hsize_t const extent = numbers.size();
    H5::DSetCreatPropList layout;
    if (compressed) {
      layout.setChunk(1, &extent);
      layout.setDeflate(6);
    }
    group.createDataSet(name, type, H5::DataSpace{1, &extent}, layout)
        .write(numbers.data(), memory);
  }
};

csr_matrix<double> const sample{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};

// What read_csr says of the file, without the file's name.
std::string refused(raw_matrix const& matrix) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  matrix.write(path);
  std::string const message = message_of<usage_error>([&] { (void)read_csr(path); });
  BOOST_TEST(message.starts_with(path.string() + ": "));
  return message.substr(std::min(message.size(), path.string().size() + 2));
}

// An external link, by name in the group.
void link_other_file(H5::Group const& group, std::string const& name, std::string const& file,
                     std::string const& object) {
  BOOST_REQUIRE(H5Lcreate_external(file.c_str(), object.c_str(), group.getId(), name.c_str(),
                                   H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

// No file may grow beyond this many bytes: a full disk, as far as writing is concerned.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
  }
  file_size_limit(file_size_limit const&) = delete;
  file_size_limit& operator=(file_size_limit const&) = delete;
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_matrix_comes_back_as_written, Value, value_types) {
  scratch_folder const folder;
  std::vector<csr_matrix<Value>> matrices{
      {},                               // 0 x 0
      {0, 4, {0}, {}, {}},              // no rows
      {4, 0, {0, 0, 0, 0, 0}, {}, {}},  // no columns
      {3, 2, {0, 0, 0, 0}, {}, {}},     // no entries
      matrix_of<Value>({{1, 0, 2}, {0, 3, 0}}),
      matrix_of<Value>({{1}, {2}, {0}, {3}}),
  };
  random_source source{11};
  matrices.push_back(random_matrix<Value>(200, 300, source));  // many pages of each array
  for (csr_matrix<Value> const& matrix : matrices) {
    write_csr(folder / "m.h5", matrix);
    BOOST_TEST(read_back<Value>(folder / "m.h5") == matrix);
    BOOST_TEST(read_provenance(folder / "m.h5").empty());
    BOOST_TEST(folder.names().size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(every_bit_of_a_double_comes_back) {
  std::array<std::uint64_t, 8> const patterns{
      0,                   // stored zero
      0x8000000000000000,  // -0
      0x7ff8000000000000,  // quiet NaN
      0xfff8000000001234,  // quiet NaN with sign and payload
      0x7ff0000000000001,  // signalling NaN
      0x7ff0000000000000,  // infinity
      1,                   // smallest subnormal
      0x3ff123456789abcd};
  csr_matrix<double> matrix{1, 8, {0, 8}, {0, 1, 2, 3, 4, 5, 6, 7}, std::vector<double>(8)};
  std::memcpy(matrix.values.data(), patterns.data(), sizeof patterns);
  scratch_folder const folder;
  write_csr(folder / "m.h5", matrix);
  auto const read = read_back<double>(folder / "m.h5");
  BOOST_REQUIRE(read.values.size() == 8U);
  BOOST_TEST(std::memcmp(read.values.data(), patterns.data(), sizeof patterns) == 0);
}

BOOST_AUTO_TEST_CASE(every_bit_of_a_float_comes_back) {
  std::array<std::uint32_t, 8> const patterns{0,          0x80000000, 0x7fc00000, 0xffc01234,
                                              0x7f800001, 0x7f800000, 1,          0x3f812345};
  csr_matrix<float> matrix{1, 8, {0, 8}, {0, 1, 2, 3, 4, 5, 6, 7}, std::vector<float>(8)};
  std::memcpy(matrix.values.data(), patterns.data(), sizeof patterns);
  scratch_folder const folder;
  write_csr(folder / "m.h5", matrix);
  auto const read = read_back<float>(folder / "m.h5");
  BOOST_REQUIRE(read.values.size() == 8U);
  BOOST_TEST(std::memcmp(read.values.data(), patterns.data(), sizeof patterns) == 0);
}

BOOST_AUTO_TEST_CASE(the_layout_is_the_documented_one) {
  scratch_folder const folder;
  write_csr(folder / "m.h5", sample);
  H5::H5File const file{(folder / "m.h5").string(), H5F_ACC_RDONLY};
  H5::Group const group = file.openGroup("matrix");
  BOOST_TEST(bool(group.openDataSet("row_offsets").getDataType() == H5::PredType::STD_U64LE));
  BOOST_TEST(bool(group.openDataSet("columns").getDataType() == H5::PredType::STD_U32LE));
  BOOST_TEST(bool(group.openDataSet("values").getDataType() == H5::PredType::IEEE_F64LE));
  for (char const* name : {"row_offsets", "columns", "values"}) {
    BOOST_TEST(group.openDataSet(name).getCreatePlist().getLayout() == H5D_CONTIGUOUS);
    // A time would make files differ that hold the same matrix.
    H5O_info_t info{};
    H5Oget_info_by_name2(group.getId(), name, &info, H5O_INFO_TIME, H5P_DEFAULT);
    BOOST_TEST(info.ctime == 0);
  }
  for (char const* name : {"num_rows", "num_cols"}) {
    BOOST_TEST(bool(group.openAttribute(name).getDataType() == H5::PredType::STD_U64LE));
  }
  std::array<double, 3> values{};
  group.openDataSet("values").read(values.data(), H5::PredType::NATIVE_DOUBLE);
  BOOST_TEST(values == (std::array<double, 3>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_written_file_can_be_changed_by_hdf5) {
  scratch_folder const folder;
  write_csr(folder / "m.h5", sample, {{"source", "by hand"}});
  {
    H5::H5File file{(folder / "m.h5").string(), H5F_ACC_RDWR};
    H5::Group group = file.openGroup("matrix");
    H5::StrType const text{H5::PredType::C_S1, 5};
    group.createAttribute("added", text, H5::DataSpace{}).write(text, std::string{"later"});
    file.createGroup("more");
  }
  provenance const expected{{"added", "later"}, {"source", "by hand"}};
  BOOST_TEST((read_provenance(folder / "m.h5") == expected));
  BOOST_TEST(read_back<double>(folder / "m.h5") == sample);
}

BOOST_AUTO_TEST_CASE(the_same_matrix_makes_the_same_file) {
  scratch_folder const folder;
  write_csr(folder / "a.h5", sample, {{"source", "HB/1138_bus"}});
  write_csr(folder / "b.h5", sample, {{"source", "HB/1138_bus"}});
  BOOST_TEST((bytes_of(folder / "a.h5") == bytes_of(folder / "b.h5")));
}

BOOST_AUTO_TEST_CASE(provenance_comes_back_in_the_order_of_the_names) {
  scratch_folder const folder;
  std::string const long_text(200000, 'x');
  write_csr(folder / "m.h5", sample,
            {{"source", "HB/1138_bus"}, {"author", "Grün"}, {"empty", ""}, {"long", long_text}});
  provenance const expected{
      {"author", "Grün"}, {"empty", ""}, {"long", long_text}, {"source", "HB/1138_bus"}};
  BOOST_TEST((read_provenance(folder / "m.h5") == expected));
  BOOST_TEST(read_back<double>(folder / "m.h5") == sample);
}

BOOST_AUTO_TEST_CASE(much_provenance_comes_back) {
  provenance about;
  for (int k = 100; k < 600; ++k) {
    about.emplace_back("name " + std::to_string(k), std::string(std::size_t(k), 'x'));
  }
  scratch_folder const folder;
  write_csr(folder / "m.h5", sample, about);
  BOOST_TEST((read_provenance(folder / "m.h5") == about));
  BOOST_TEST(read_back<double>(folder / "m.h5") == sample);
}

BOOST_AUTO_TEST_CASE(provenance_that_would_not_come_back_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  auto const refused_text = [&](provenance const& about) {
    return message_of<std::invalid_argument>([&] { write_csr(path, sample, about); });
  };
  BOOST_TEST(refused_text({{"kind", "x"}}) == "write_csr: \"kind\" cannot name a provenance");
  BOOST_TEST(refused_text({{"", "x"}}) == "write_csr: \"\" cannot name a provenance");
  BOOST_TEST(refused_text({{"a", "x"}, {"a", "y"}}) ==
             "write_csr: the provenance \"a\" is given twice");
  BOOST_TEST(refused_text({{"a", std::string{"x\0y", 3}}}) ==
             "write_csr: the provenance \"a\" holds a NUL");
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(a_bad_matrix_is_not_written) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  csr_matrix<double> matrix = sample;
  matrix.columns[2] = 9;
  BOOST_TEST(message_of<usage_error>([&] { write_csr(path, matrix); }) ==
             path.string() + ": row 1: expected columns below 3, got 9");
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(a_failed_write_leaves_the_old_file_and_no_other) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  write_csr(path, sample);
  csr_matrix<double> const large{1000, 1, std::vector<std::uint64_t>(1001, 0), {}, {}};
  // In the middle of the metadata and of an array, and just before the end.
  for (rlim_t const bytes : {100, 6000, 9000}) {
    file_size_limit const limit{bytes};
    BOOST_TEST(message_of<run_error>([&] { write_csr(path, large); }) ==
               path.string() + ": cannot write: File too large");
  }
  BOOST_TEST(folder.names().size() == 1U);
  BOOST_TEST(read_back<double>(path) == sample);
  write_csr(path, large);
  BOOST_TEST(read_back<double>(path) == large);
  BOOST_TEST(message_of<run_error>([&] {
               write_csr(folder / "none" / "m.h5", sample);
             }).ends_with("cannot write: No such file or directory"));
}

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
  std::string const expected =
      path.string() + ": /matrix: expected a group, got /graph of kind \"dag\"";
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) == expected);
  BOOST_TEST(message_of<usage_error>([&] { (void)read_provenance(path); }) == expected);
  write_csr(path, sample);
  BOOST_TEST(message_of<usage_error>([&] { (void)gridloom::read_dag(path); }) ==
             path.string() + ": /graph: expected a group, got /matrix of kind \"csr\"");
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
  matrix.columns = {0, 2, 3};
  BOOST_TEST(refused(matrix) == "row 1: expected columns below 3, got 3");
  matrix = {};
  matrix.offsets = {0, 4, 3};
  BOOST_TEST(refused(matrix) == "row 0: expected to end between entries 0 and 3, got 4");
}

BOOST_AUTO_TEST_CASE(a_tiny_file_that_claims_much_is_refused_before_allocating) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  raw_matrix{}.write(path);
  {
    H5::H5File file{path.string(), H5F_ACC_RDWR};
    H5::Group group = file.openGroup("matrix");
    group.unlink("columns");
    hsize_t const huge = hsize_t{1} << 45U;  // never written, so no bytes of it exist
    group.createDataSet("columns", H5::PredType::STD_U32LE, H5::DataSpace{1, &huge});
  }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
             path.string() +
                 ": /matrix/columns: claims 35184372088832 entries, more than the file holds");
}

BOOST_AUTO_TEST_CASE(what_was_not_compressed_cannot_have_shrunk) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  raw_matrix{}.write(path);
  {
    H5::H5File file{path.string(), H5F_ACC_RDWR};
    H5::Group group = file.openGroup("matrix");
    group.unlink("columns");
    hsize_t const extent = 1000;
    hsize_t const chunk = 10;
    H5::DSetCreatPropList layout;
    layout.setChunk(1, &chunk);
    H5::DataSet columns =
        group.createDataSet("columns", H5::PredType::STD_U32LE, H5::DataSpace{1, &extent}, layout);
    // One chunk of a hundred is there: too little, although deflate could have shrunk as much.
    H5::DataSpace place{1, &extent};
    hsize_t const first = 0;
    place.selectHyperslab(H5S_SELECT_SET, &chunk, &first);
    std::array<std::uint32_t, 10> const numbers{};
    columns.write(numbers.data(), H5::PredType::NATIVE_UINT32, H5::DataSpace{1, &chunk}, place);
  }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
             path.string() + ": /matrix/columns: claims 1000 entries, more than the file holds");
}

BOOST_AUTO_TEST_CASE(links_into_other_files_are_refused_and_soft_ones_followed) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  auto const refused_link = [&](std::string const& place) {
    BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
               path.string() + ": " + place +
                   ": expected it in this file, got a link to another one");
  };
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "matrix", "other.h5", "/matrix");
  }
  refused_link("/matrix");
  BOOST_CHECK_THROW((void)read_provenance(path), usage_error);
  for (std::string const name : {"row_offsets", "columns", "values"}) {
    raw_matrix{}.write(path);
    {
      H5::H5File file{path.string(), H5F_ACC_RDWR};
      H5::Group const group = file.openGroup("matrix");
      group.unlink(name);
      link_other_file(group, name, "other.h5", "/matrix/" + name);
    }
    refused_link("/matrix/" + name);
  }
  raw_matrix{}.write(path);
  {
    H5::H5File const file{path.string(), H5F_ACC_RDWR};
    file.move("matrix", "moved");
    file.link(H5G_LINK_SOFT, "/moved", "matrix");
  }
  BOOST_TEST(read_back<double>(path) == sample);
}

BOOST_AUTO_TEST_CASE(soft_links_do_not_lead_into_other_files) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "elsewhere", "other.h5", "/");
    file.link(H5G_LINK_SOFT, "/elsewhere/matrix", "matrix");
  }
  BOOST_TEST(message_of<usage_error>([&] {
               (void)read_csr(path);
             }).starts_with(path.string() + ": damaged or not as expected"));
}

BOOST_AUTO_TEST_CASE(a_search_for_the_kind_passes_links_over) {
  scratch_folder const folder;
  write_csr(folder / "other.h5", sample);
  auto const path = folder / "m.h5";
  {
    H5::H5File const file{path.string(), H5F_ACC_TRUNC};
    link_other_file(file, "a", "other.h5", "/matrix");
    file.link(H5G_LINK_SOFT, "/nothing", "b");
  }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
             path.string() + ": /matrix: expected a group");
}

BOOST_AUTO_TEST_CASE(numbers_in_other_files_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  write_csr(folder / "other.h5", sample);
  std::ofstream{folder / "numbers"} << std::string(12, '\0');
  for (bool const is_virtual : {false, true}) {
    raw_matrix{}.write(path);
    {
      H5::H5File file{path.string(), H5F_ACC_RDWR};
      H5::Group group = file.openGroup("matrix");
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
    }
    BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
               path.string() +
                   ": /matrix/columns: expected it in this file, got a dataset kept in others");
  }
}

BOOST_AUTO_TEST_CASE(an_outline_with_something_open_is_not_written) {
  scratch_folder const folder;
  gridloom::hdf5::outline outline;
  {
    H5::Group const open = outline.file().createGroup("matrix");
    BOOST_TEST(message_of<std::logic_error>([&] { outline.write_to(folder / "m.h5"); }) ==
               "outline::write_to: something is still open");
  }
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(a_truncated_file_is_refused_at_every_length) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  write_csr(path, sample, {{"source", "by hand"}});
  std::string const whole = bytes_of(path);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 16) {
    std::ofstream{path, std::ios::binary} << whole.substr(0, length);
    std::string const message = message_of<usage_error>([&] { (void)read_csr(path); });
    BOOST_TEST(message.starts_with(path.string() + ": "));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_matrix_file_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  { H5::H5File const empty{path.string(), H5F_ACC_TRUNC}; }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
             path.string() + ": /matrix: expected a group");
  BOOST_TEST(message_of<usage_error>([&] {
               (void)read_csr(folder / "none.h5");
             }).ends_with("none.h5: cannot read: No such file or directory"));
  std::ofstream{path} << "%%MatrixMarket matrix coordinate real general\n";
  BOOST_TEST(message_of<usage_error>([&] { (void)read_csr(path); }) ==
             path.string() + ": expected an HDF5 file");
}
