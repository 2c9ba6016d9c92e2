#include <H5Cpp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/file/apart.hpp"
#include "gridloom/file/hdf5_io.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(results_damage_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

run_meta meta_of_test() {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", "test");
  return meta;
}

// Noise does not compress, so the file is about 8 bytes a row.
result_table noise(std::size_t rows) {
  result_table table{"runs", {{"noise", column_type::integer, "1", ""}}};
  std::mt19937_64 source{7};
  for (std::size_t i = 0; i < rows; ++i) table.add_row({static_cast<std::int64_t>(source())});
  return table;
}

void write(std::filesystem::path const& path, result_table const& table) {
  write_results(path, meta_of_test(), std::array{table}, write_mode::replace);
}

std::string refused_table(std::filesystem::path const& path) {
  return message_of<usage_error>([&] { (void)read_table(path, "runs"); });
}

// Runs the body in a child process; returns its wait status.
template <typename Body>
int in_child(Body body, useconds_t kill_after_us = 0) {
  pid_t const child = ::fork();
  if (child == 0) {
    // Boost.Test's handlers would report what this test provokes.
    ::signal(SIGTERM, SIG_DFL);
    int code = 9;
    try {
      code = body();
    } catch (...) {
      code = 8;
    }
    ::_exit(code);
  }
  if (kill_after_us > 0) {
    ::usleep(kill_after_us);
    ::kill(child, SIGTERM);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_write_that_fails_leaves_the_old_file_and_no_temporary) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, noise(10));
  std::string const before = read_text(path);
  int const status = in_child([&] {
    // As if the disk were full after 64 KiB.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{65536, 65536};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write(path, noise(100000));
    } catch (run_error const& error) {
      bool const named = std::string{error.what()}.find(path.string() + ": cannot write: ") == 0;
      return named ? 3 : 4;
    }
    return 5;
  });
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 3);
  BOOST_TEST((read_text(path) == before));
  BOOST_TEST(folder.names().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_write_that_is_interrupted_leaves_a_whole_file_and_no_temporary) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, noise(10));
  result_table const large = noise(20000);
  for (useconds_t delay_us = 500; delay_us < 40000; delay_us += 2500) {
    int const status = in_child(
        [&] {
          for (;;) write(path, large);
          return 0;
        },
        delay_us);
    BOOST_REQUIRE(WIFSIGNALED(status));
    BOOST_REQUIRE(folder.names() == std::vector<std::string>{"out.h5"});
    std::size_t const rows = read_table(path, "runs").rows();
    BOOST_REQUIRE((rows == 10U || rows == 20000U));
  }
}

BOOST_AUTO_TEST_CASE(a_chunk_that_the_index_does_not_name_is_no_row_of_zeros) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  // The index is a B-tree of version 1: a node of 24 bytes, then for each chunk its size (4 bytes),
  // mask (4), offset (8), 8 zeros, and address (8).
  constexpr std::size_t first_offset = 32;
  constexpr std::size_t second_offset = first_offset + 32;
  for (auto const& [rows, at] : {std::pair{10, first_offset}, std::pair{100000, second_offset}}) {
    for (int const bit : {16, 17, 40}) {
      write(path, noise(static_cast<std::size_t>(rows)));
      BOOST_TEST(read_table(path, "runs").rows() == static_cast<std::size_t>(rows));
      std::string data = read_text(path);
      std::size_t const node = data.find(std::string{"TREE\x01\x00", 6});
      BOOST_REQUIRE(node != std::string::npos);
      data[node + at + static_cast<std::size_t>(bit) / 8] ^= static_cast<char>(1U << (bit % 8));
      write_text(path, data);
      BOOST_TEST(refused_table(path).find("/runs/noise: damaged, lacks the values from ") !=
                 std::string::npos);
      BOOST_TEST(message_of<usage_error>([&] {
                   write_results(path, meta_of_test(), std::array{noise(1)}, write_mode::append);
                 }).find("damaged") != std::string::npos);
      BOOST_TEST((read_text(path) == data));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_link_is_followed_and_stays) {
  scratch_folder const folder;
  write(folder / "real.h5", noise(1));
  std::filesystem::create_symlink("real.h5", folder / "link.h5");
  write(folder / "link.h5", noise(4));
  BOOST_TEST(std::filesystem::is_symlink(folder / "link.h5"));
  BOOST_TEST(read_table(folder / "real.h5", "runs").rows() == 4U);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_a_run_error) {
  BOOST_TEST(message_of<run_error>([] { write("/nonexistent/out.h5", noise(1)); }) ==
             "/nonexistent/out.h5: cannot write: No such file or directory");
}

BOOST_AUTO_TEST_CASE(what_is_no_results_file_is_refused_in_one_line) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  BOOST_TEST(refused_table(path) == path.string() + ": cannot read: No such file or directory");
  write_text(path, "");
  BOOST_TEST(refused_table(path) == path.string() + ": expected an HDF5 file");
  write_text(path, "text\n");
  BOOST_TEST(refused_table(path) == path.string() + ": expected an HDF5 file");
  BOOST_TEST(message_of<usage_error>([&] {
               write_results(path, meta_of_test(), std::array{noise(1)}, write_mode::append);
             }) == path.string() + ": expected an HDF5 file");
  BOOST_TEST(read_text(path) == "text\n");
  BOOST_TEST(refused_table(folder.path()).find("expected a regular file") != std::string::npos);
  { H5::H5File const empty{path.string(), H5F_ACC_TRUNC}; }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_meta(path); }) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
  BOOST_TEST(refused_table(path) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
}

BOOST_AUTO_TEST_CASE(columns_of_other_length_rank_type_or_absent_are_refused) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  auto const damaged = [&](auto const& change) {
    write(path, noise(3));
    {
      H5::H5File file{path.string(), H5F_ACC_RDWR};
      H5::Group group = file.openGroup("runs");
      change(group);
    }
    return refused_table(path).substr(path.string().size());
  };
  BOOST_TEST(damaged([](H5::Group& group) { group.unlink("noise"); }) ==
             ": /runs/noise: expected a dataset");
  BOOST_TEST(damaged([](H5::Group& group) {
               hsize_t const shorter = 2;
               group.openDataSet("process").extend(&shorter);
             }) == ": /runs/process: expected 3 rows as in the first column, got 2");
  BOOST_TEST(damaged([](H5::Group& group) { group.openDataSet("noise").removeAttr("unit"); }) ==
             ": /runs/noise: expected an attribute \"unit\" holding one text");
  BOOST_TEST(damaged([](H5::Group& group) {
               group.unlink("noise");
               std::array<hsize_t, 2> const extent{3, 1};
               group.createDataSet("noise", H5::PredType::STD_I64LE, {2, extent.data()});
             }) == ": /runs/noise: expected one dimension, got 2");
  BOOST_TEST(damaged([](H5::Group& group) {
               group.unlink("noise");
               std::array<hsize_t, 1> const extent{3};
               H5::CompType const pair{std::size_t{16}};
               pair.insertMember("a", 0, H5::PredType::STD_I64LE);
               std::array<std::int64_t, 6> const values{};
               group.createDataSet("noise", pair, {1, extent.data()}).write(values.data(), pair);
             }) == ": /runs/noise: expected whole numbers, reals or text");
  BOOST_TEST(damaged([](H5::Group& group) {
               hsize_t const huge = hsize_t{1} << 50U;
               group.openDataSet("noise").extend(&huge);
             }) == ": /runs/noise: claims 1125899906842624 entries, more than the file holds");
}

BOOST_AUTO_TEST_CASE(a_truncated_file_is_refused_in_one_line) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  write(path, noise(100));
  std::string const good = read_text(path);
  std::size_t const step = good.size() / 97;
  for (std::size_t length = 0; length < good.size(); length += step) {
    write_text(path, good.substr(0, length));
    std::string const message = refused_table(path);
    BOOST_REQUIRE(message.starts_with(path.string() + ": "));
    BOOST_REQUIRE(message.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_in_the_numbers_is_noticed) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  write(path, noise(100));
  haddr_t chunk_address = 0;
  hsize_t chunk_bytes = 0;
  {
    H5::H5File const file{path.string(), H5F_ACC_RDONLY};
    H5::DataSet const noise_column = file.openDataSet("runs/noise");
    hsize_t offset = 0;
    unsigned skipped_filters = 0;
    BOOST_REQUIRE(H5Dget_chunk_info(noise_column.getId(), noise_column.getSpace().getId(), 0,
                                    &offset, &skipped_filters, &chunk_address, &chunk_bytes) >= 0);
  }
  std::string bytes = read_text(path);
  char& middle = bytes.at(chunk_address + chunk_bytes / 2);
  middle = static_cast<char>(middle ^ 4);
  write_text(path, bytes);
  BOOST_TEST(refused_table(path).find(": damaged or not as expected (HDF5: ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(results_in_another_file_are_refused_also_on_appending) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  std::string const link = ": expected it in this file, got a link to another one";
  result_table const table = noise(3);
  auto const refused_append = [&] {
    return message_of<usage_error>(
        [&] { write_results(path, meta_of_test(), std::array{table}, write_mode::append); });
  };
  write(folder / "other.h5", table);
  auto const replace_by_link = [&](std::string const& name) {
    write(path, table);
    H5::H5File const file{path.string(), H5F_ACC_RDWR};
    file.unlink(name);
    H5Lcreate_external("other.h5", ("/" + name).c_str(), file.getId(), name.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
  };
  for (std::string const name : {"runs", "runs/noise"}) {
    replace_by_link(name);
    BOOST_TEST(refused_table(path) == path.string() + ": /" + name + link);
    BOOST_TEST(refused_append() == path.string() + ": /" + name + link);
  }
  replace_by_link("meta");
  BOOST_TEST(message_of<usage_error>([&] { (void)read_meta(path); }) ==
             path.string() + ": /meta" + link);
  BOOST_TEST(refused_append() == path.string() + ": /meta" + link);
  write(path, table);
  {
    H5::H5File const file{path.string(), H5F_ACC_RDWR};
    H5Lcreate_external("other.h5", "/meta", file.getId(), "meta/appended_1", H5P_DEFAULT,
                       H5P_DEFAULT);
  }
  BOOST_TEST(message_of<usage_error>([&] { (void)count_processes(path); }) ==
             path.string() + ": /meta/appended_1" + link);
}

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

BOOST_AUTO_TEST_CASE(a_file_that_takes_for_ever_is_given_up) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  write(path, noise(3));
  hdf5::limit_reading(0.5);  // whole seconds
  BOOST_TEST(message_of<usage_error>([&] {
               (void)hdf5::read_apart(
                   path,
                   [](hdf5::sender&) {
                     for (;;) ::pause();
                   },
                   [](hdf5::receiver& from) { return from.number(); });
             }) == path.string() + ": cannot be read within 1 s");
  hdf5::limit_reading(1e9);
  BOOST_TEST(read_table(path, "runs").rows() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
