// The checksum over all that a results file says: what it is, and what it notices. Its constant is that of
// scripts/tests/test_content.py, which writes the same file.

#include <H5Cpp.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "older_results.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(results_content_test)

using namespace gridloom;
using namespace gridloom::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t crc32_of_two_processes = 1924379436;

run_meta meta_of_test() {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", "test");
  meta.set("cpu", "größer");
  meta.set("gpu", "");
  return meta;
}

result_table small_runs() {
  result_table table{"runs",
                     {{"word", column_type::text, "", "Größe"},
                      {"number", column_type::integer, "1", ""},
                      {"elapsed_ms", column_type::real, "ms", "a time"}}};
  table.add_row({"a", std::int64_t{0}, 0.5});
  table.add_row({"größer", std::int64_t{-1}, -0.0});
  table.add_row(
      {"", std::numeric_limits<std::int64_t>::max(), std::numeric_limits<double>::infinity()});
  return table;
}

void write(fs::path const& path, write_mode mode = write_mode::replace) {
  write_results(path, meta_of_test(), std::array{small_runs()}, mode);
}

std::uint64_t stated_in(fs::path const& path) {
  H5::H5File const file{path.string(), H5F_ACC_RDONLY};
  return hdf5::read_count_attribute(file.openGroup("meta"), "content_crc32", "/meta");
}

void change(fs::path const& path, std::function<void(H5::H5File&)> const& how) {
  H5::H5File file{path.string(), H5F_ACC_RDWR};
  how(file);
}

// Reading any of it, and appending, which leaves the file as it is.
void require_refused(fs::path const& path, std::string const& words) {
  std::string const before = read_text(path);
  for (auto const& use : std::vector<std::function<void()>>{
           [&] { (void)read_table(path, "runs"); }, [&] { (void)read_meta(path); },
           [&] { (void)count_processes(path); }, [&] { write(path, write_mode::append); }}) {
    std::string const message = message_of<usage_error>(use);
    BOOST_TEST(message.starts_with(path.string() + ": "));
    BOOST_TEST(message.find(words) != std::string::npos, message);
  }
  BOOST_TEST((read_text(path) == before));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_checksum_of_a_small_file_is_known) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path);
  write(path, write_mode::append);
  BOOST_TEST(stated_in(path) == crc32_of_two_processes);
  change(path, [](H5::H5File& file) {
    BOOST_TEST((file.openGroup("meta").openAttribute("content_crc32").getDataType() ==
                H5::PredType::STD_U32LE));
  });
  BOOST_TEST(!read_meta(path).get("content_crc32").has_value());
}

BOOST_AUTO_TEST_CASE(how_values_are_stored_does_not_matter) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path);
  change(path, [](H5::H5File& file) {
    H5::Group runs = file.openGroup("runs");
    runs.unlink("word");
    H5::DataSet word = hdf5::create_column(runs, "word", hdf5::text_type(), 3);
    hdf5::write_texts(word, {"a", "größer", ""}, 0);
    hdf5::write_attribute(word, "description", std::string{"Größe"});
    hdf5::write_attribute(word, "unit", std::string{});
    runs.unlink("number");
    std::array<std::int64_t, 3> const numbers{0, -1, std::numeric_limits<std::int64_t>::max()};
    hsize_t const extent = numbers.size();
    H5::DataSet number =
        runs.createDataSet("number", H5::PredType::STD_I64BE, H5::DataSpace{1, &extent});
    number.write(numbers.data(), H5::PredType::NATIVE_INT64);
    hdf5::write_attribute(number, "unit", std::string{"1"});
    hdf5::write_attribute(number, "description", std::string{});
  });
  BOOST_TEST(read_table(path, "runs").texts("word")[1] == "größer");
  BOOST_TEST(read_table(path, "runs").integers("number")[1] == -1);
}

BOOST_AUTO_TEST_CASE(whatever_is_changed_by_hand_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  std::vector<std::function<void(H5::H5File&)>> const changes{
      [](H5::H5File& file) {
        std::int64_t const other = 7;
        H5::DataSet number = file.openDataSet("runs/number");
        hdf5::write_numbers(number, &other, 1, H5::PredType::NATIVE_INT64, 0);
      },
      [](H5::H5File& file) { file.move("runs", "runt"); },
      [](H5::H5File& file) {
        file.move("runs/number", "runs/n");
        file.move("runs/process", "runs/number");
        file.move("runs/n", "runs/process");
      },
      [](H5::H5File& file) {
        file.openDataSet("runs/elapsed_ms").removeAttr("unit");
        H5::DataSet elapsed = file.openDataSet("runs/elapsed_ms");
        hdf5::write_attribute(elapsed, "unit", std::string{"us"});
      },
      [](H5::H5File& file) {
        H5::Group meta = file.openGroup("meta");
        meta.removeAttr("cpu");
      },
      [](H5::H5File& file) { file.openGroup("meta").renameAttr("cpu", "gpv"); },
      [](H5::H5File& file) { file.unlink("runs"); }};
  for (auto const& how : changes) {
    write(path);
    change(path, how);
    require_refused(path, ": damaged, holds other contents than were written");
  }
}

BOOST_AUTO_TEST_CASE(a_byte_order_an_address_or_a_name_that_is_damaged_is_noticed) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  auto const patched = [&](std::string const& old, std::string const& other) {
    write(path);
    std::string bytes = read_text(path);
    std::size_t const at = bytes.find(old);
    BOOST_REQUIRE(at != std::string::npos);
    write_text(path, bytes.replace(at, other.size(), other));
    require_refused(path, ": ");
  };
  // Types: class and version, bits (the lowest is the byte order), bytes.
  patched({"\x10\x08\0\0\x08\0\0\0", 8}, "\x10\x09");
  patched({"\x11\x20\x3f\0\x08\0\0\0", 8}, "\x11\x21");
  patched({"runs\0", 5}, "rums");
  patched({"meta\0", 5}, "mete");
  patched({"number\0", 7}, "numbeq");
  patched({"content_crc32\0", 14}, "content_crc33");
  patched({"schema_version\0", 15}, "schema_versiom");
}

BOOST_AUTO_TEST_CASE(a_file_of_schema_1_needs_no_checksum_until_it_is_added_to) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path);
  change(path, make_older);
  BOOST_TEST(read_meta(path).get("schema_version").value() == "1");
  BOOST_TEST(read_table(path, "runs").rows() == 3U);
  write(path, write_mode::append);
  BOOST_TEST(stated_in(path) == crc32_of_two_processes);
  BOOST_TEST(read_meta(path).get("schema_version").value() == "2");
  BOOST_TEST(read_table(path, "runs").rows() == 6U);
}

BOOST_AUTO_TEST_CASE(a_file_of_schema_2_without_its_checksum_is_damaged) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path);
  change(path, [](H5::H5File& file) { file.openGroup("meta").removeAttr("content_crc32"); });
  require_refused(path, ": damaged, lacks the checksum of its contents");
}

BOOST_AUTO_TEST_SUITE_END()
