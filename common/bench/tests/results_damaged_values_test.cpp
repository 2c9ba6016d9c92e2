// Values of a results file that are damaged are refused, or old rows survive.

#include <H5Cpp.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "damage_scene.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(results_damaged_values_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

result_table words(std::size_t rows) {
  result_table table{
      "runs", {{"word", column_type::text, "", ""}, {"number", column_type::integer, "1", ""}}};
  for (std::size_t i = 0; i < rows; ++i) {
    table.add_row({"word " + std::to_string(i), static_cast<std::int64_t>(i)});
  }
  return table;
}

void append(std::filesystem::path const& path, result_table const& table) {
  write_results(path, meta_of_test(), std::array{table}, write_mode::append);
}

// Where a chunk's B-tree keeps the size of the only chunk of a column (4 bytes); followed by the
// mask of filters, two offsets, and the address.
std::size_t place_of_chunk_size(std::filesystem::path const& path, std::string const& column) {
  struct {
    std::uint32_t size;
    unsigned mask = 0;
    std::uint64_t offsets[2] = {0, 0};
    std::uint64_t address;
  } key;
  {
    H5::H5File const file{path.string(), H5F_ACC_RDONLY};
    H5::DataSet const dataset = file.openDataSet(column);
    hsize_t offset = 0;
    hsize_t bytes = 0;
    haddr_t address = 0;
    BOOST_REQUIRE(H5Dget_chunk_info(dataset.getId(), dataset.getSpace().getId(), 0, &offset,
                                    &key.mask, &address, &bytes) >= 0);
    key.size = static_cast<std::uint32_t>(bytes);
    key.address = address;
  }
  std::string pattern(sizeof key, '\0');
  std::memcpy(pattern.data(), &key, sizeof key);
  std::size_t const place = read_text(path).find(pattern);
  BOOST_REQUIRE(place != std::string::npos);
  return place;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_wrong_size_of_a_chunk_of_texts_is_refused_or_old_rows_survive) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  int refused = 0;
  for (unsigned bit = 0; bit < 16; ++bit) {
    write(path, words(3));
    std::string bytes = read_text(path);
    char& part = bytes[place_of_chunk_size(path, "runs/word") + bit / 8];
    part = static_cast<char>(part ^ (1 << bit % 8));
    write_text(path, bytes);
    try {
      append(path, words(2));
    } catch (usage_error const&) {
      BOOST_TEST((read_text(path) == bytes));
      ++refused;
      continue;
    }
    result_table const read = read_table(path, "runs");
    BOOST_TEST(read.texts("word") ==
                   (std::vector<std::string>{"word 0", "word 1", "word 2", "word 0", "word 1"}),
               boost::test_tools::per_element());
    BOOST_TEST(read.integers("number") == (std::vector<std::int64_t>{0, 1, 2, 0, 1}),
               boost::test_tools::per_element());
  }
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(values_whose_chunk_claims_to_lack_filters_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  for (std::string const name : {"word", "number"}) {
    for (unsigned const mask : {1U, 2U, 4U, 7U}) {
      write(path, words(3));
      std::string bytes = read_text(path);
      bytes[place_of_chunk_size(path, "runs/" + name) + 4] = static_cast<char>(mask);
      write_text(path, bytes);
      std::string const told =
          path.string() + ": /runs/" + name + ": damaged, lacks filters of the values from 0 on";
      BOOST_TEST(refused_table(path) == told);
      BOOST_TEST(message_of<usage_error>([&] { append(path, words(1)); }) == told);
    }
  }
}

BOOST_AUTO_TEST_CASE(values_of_another_length_than_written_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, words(3));
  std::string bytes = read_text(path);
  // The type of the words: class 3 of version 1, NUL-padded UTF-8, and their length.
  std::size_t const place = bytes.find(std::string{"\x13\x11\0\0\x06\0\0\0", 8});
  BOOST_REQUIRE(place != std::string::npos);
  bytes[place + 4] = 3;
  write_text(path, bytes);
  std::string const told =
      path.string() + ": /runs/word: damaged, expected values of 6 bytes, got 3";
  BOOST_TEST(refused_table(path) == told);
  BOOST_TEST(message_of<usage_error>([&] { append(path, words(1)); }) == told);
}

BOOST_AUTO_TEST_CASE(long_names_are_shortened_in_messages) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  std::string const name(60'000, 'x');
  result_table table{"runs", {{name, column_type::integer, "1", ""}}};
  table.add_row({std::int64_t{1}});
  write(path, table);
  auto const refused = [&](result_table const& other) {
    return message_of<usage_error>([&] { append(path, other); });
  };
  std::string const shown(80, 'x');
  BOOST_TEST(refused(words(1)) ==
             path.string() + ": /runs: has no column \"word\"; cannot append, use another file");
  table = {"runs", {{name, column_type::integer, "2", ""}}};
  BOOST_TEST(refused(table) ==
             path.string() + ": /runs: column \"" + shown +
                 "...\" is in \"1\" in the file, in \"2\" in this program; cannot "
                 "append, use another file");
  H5::H5File{path.string(), H5F_ACC_RDWR}.openGroup("runs").unlink(name);
  BOOST_TEST(refused_table(path) == path.string() + ": /runs/" + shown + "...: expected a dataset");
}

BOOST_AUTO_TEST_CASE(values_that_lost_their_filters_are_not_appended_to) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, words(1));
  std::string const good = read_text(path);
  // The message of a pipeline of three filters in the header of an object: its type, size and
  // flags, then version and number.
  int changed = 0;
  for (std::size_t at = 0; at + 16 < good.size(); ++at) {
    if (good.compare(at, 2, std::string{"\x0b\0", 2}) != 0 ||
        good.compare(at + 8, 2, "\x01\x03") != 0)
      continue;
    std::string bytes = good;
    bytes[at] = 0x4e;
    write_text(path, bytes);
    std::string const message = message_of<usage_error>([&] { append(path, words(1)); });
    BOOST_TEST(message.find(": expected values with a checksum; cannot append") !=
               std::string::npos);
    BOOST_TEST((read_text(path) == bytes));
    ++changed;
  }
  BOOST_TEST(changed == 3);  // number, word and process
}

BOOST_AUTO_TEST_CASE(what_would_be_lost_is_refused) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  auto const refused = [&](auto const& change) {
    write(path, words(2));
    append(path, words(1));
    {
      H5::H5File file{path.string(), H5F_ACC_RDWR};
      change(file);
    }
    std::string const before = read_text(path);
    std::string const message = message_of<usage_error>([&] { append(path, words(1)); });
    BOOST_TEST((read_text(path) == before));
    return message.substr(path.string().size());
  };
  std::string const after = "; cannot append, use another file";
  BOOST_TEST(refused([](H5::H5File& file) {
               H5::Group runs = file.openGroup("runs");
               hdf5::write_attribute(runs, "note", "mine");
             }) == ": /runs: has an attribute \"note\" that results lack" + after);
  BOOST_TEST(refused([](H5::H5File& file) {
               H5::DataSet word = file.openDataSet("runs/word");
               hdf5::write_attribute(word, "note", "mine");
             }) == ": /runs/word: has an attribute \"note\" that results lack" + after);
  BOOST_TEST(refused([](H5::H5File& file) {
               H5::Group root = file.openGroup("/");
               hdf5::write_attribute(root, "note", "mine");
             }) == ": /: has an attribute \"note\" that results lack" + after);
  BOOST_TEST(refused([](H5::H5File& file) { file.link(H5L_TYPE_SOFT, "/runs", "again"); }) ==
             ": /again: expected no link" + after);
  BOOST_TEST(refused([](H5::H5File& file) { file.move("meta/appended_1", "meta/appended_2"); }) ==
             ": /meta: expected groups appended_1, appended_2 and so on, and nothing else" + after);
  BOOST_TEST(refused([](H5::H5File& file) { file.createGroup("meta/appended_1/more"); }) ==
             ": /meta/appended_1: expected attributes only" + after);
  BOOST_TEST(refused([](H5::H5File& file) { file.createGroup("notes"); }) ==
             ": /notes: expected an attribute \"columns\" with the column names");
  BOOST_TEST(refused([](H5::H5File& file) {
               std::int64_t const number = 1;
               file.openGroup("meta/appended_1")
                   .createAttribute("number", H5::PredType::STD_I64LE, H5::DataSpace{H5S_SCALAR})
                   .write(H5::PredType::NATIVE_INT64, &number);
             }) == ": /meta/appended_1: expected an attribute \"number\" holding one text");
}

BOOST_AUTO_TEST_SUITE_END()
