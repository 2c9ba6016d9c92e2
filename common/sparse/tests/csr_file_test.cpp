// A matrix is written in the documented layout and reads back unchanged, or nothing is written.

#include "gridloom/sparse/csr_file.hpp"

#include <H5Cpp.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <stdexcept>

#include "csr_files.hpp"
#include "gridloom/error.hpp"
#include "matrices.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(csr_file_test)

using namespace gridloom::sparse;
using namespace gridloom::test;
using gridloom::random_source;
using gridloom::run_error;
using gridloom::usage_error;

namespace {

using value_types = boost::mpl::list<no_value, float, double>;
using number_types = boost::mpl::list<float, double>;

// Values whose bits a conversion could change: 0, -0, a quiet NaN, one with sign and payload, a
// signalling NaN, infinity, and the smallest subnormal. The last value is a normal one.
std::array<std::uint64_t, 8> bit_patterns(double) {
  return {0,
          0x8000000000000000,
          0x7ff8000000000000,
          0xfff8000000001234,
          0x7ff0000000000001,
          0x7ff0000000000000,
          1,
          0x3ff123456789abcd};
}

// The same kinds of values in the same order.
std::array<std::uint32_t, 8> bit_patterns(float) {
  return {0, 0x80000000, 0x7fc00000, 0xffc01234, 0x7f800001, 0x7f800000, 1, 0x3f812345};
}

// Limits the size of files, which acts like a full disk.
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
  // The first four are 0 x 0, have no rows, have no columns, and have no entries.
  std::vector<csr_matrix<Value>> matrices{
      {},
      {0, 4, {0}, {}, {}},
      {4, 0, {0, 0, 0, 0, 0}, {}, {}},
      {3, 2, {0, 0, 0, 0}, {}, {}},
      matrix_of<Value>({{1, 0, 2}, {0, 3, 0}}),
      matrix_of<Value>({{1}, {2}, {0}, {3}}),
  };
  random_source source{11};
  // The columns take many pages of memory, and so do the values, if there are any.
  matrices.push_back(random_matrix<Value>(200, 300, source));
  for (csr_matrix<Value> const& matrix : matrices) {
    write_csr(folder / "m.h5", matrix);
    BOOST_TEST(read_back<Value>(folder / "m.h5") == matrix);
    BOOST_TEST(read_provenance(folder / "m.h5").empty());
    BOOST_TEST(folder.names().size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_bit_of_a_value_comes_back, Value, number_types) {
  auto const patterns = bit_patterns(Value{});
  csr_matrix<Value> matrix{1, 8, {0, 8}, {0, 1, 2, 3, 4, 5, 6, 7}, std::vector<Value>(8)};
  static_assert(sizeof patterns == 8 * sizeof(Value));
  std::memcpy(matrix.values.data(), patterns.data(), sizeof patterns);
  scratch_folder const folder;
  write_csr(folder / "m.h5", matrix);
  auto const read = read_back<Value>(folder / "m.h5");
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
    // The only filter is fletcher32.
    BOOST_TEST(group.openDataSet(name).getCreatePlist().getNfilters() == 1);
    // With a timestamp, files of the same matrix would differ.
    H5O_info_t info{};
    H5Oget_info_by_name2(group.getId(), name, &info, H5O_INFO_TIME, H5P_DEFAULT);
    BOOST_TEST(info.ctime == 0);
  }
  for (char const* name : {"num_rows", "num_cols"}) {
    BOOST_TEST(bool(group.openAttribute(name).getDataType() == H5::PredType::STD_U64LE));
  }
  std::array<double, 3> values{};
  group.openDataSet("values").read(values.data(), H5::PredType::NATIVE_DOUBLE);
  BOOST_TEST(values == (std::array<double, 3>{1, 2, 3}), per_element());
}

BOOST_AUTO_TEST_CASE(the_same_matrix_makes_the_same_file) {
  scratch_folder const folder;
  write_csr(folder / "a.h5", sample, {{"source", "HB/1138_bus"}});
  write_csr(folder / "b.h5", sample, {{"source", "HB/1138_bus"}});
  BOOST_TEST((read_text(folder / "a.h5") == read_text(folder / "b.h5")));
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

BOOST_AUTO_TEST_CASE(provenance_that_would_not_come_back_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "m.h5";
  auto const refused_text = [&](provenance const& about) {
    return message_of<std::invalid_argument>([&] { write_csr(path, sample, about); });
  };
  BOOST_TEST(refused_text({{"kind", "x"}}) ==
             "write_csr: \"kind\" cannot be the name of a provenance");
  BOOST_TEST(refused_text({{"", "x"}}) == "write_csr: \"\" cannot be the name of a provenance");
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
  // The limits end the file within the metadata and within an array.
  for (rlim_t const bytes : {100, 4000, 8000}) {
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

BOOST_AUTO_TEST_SUITE_END()
