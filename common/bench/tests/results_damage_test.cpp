#include <H5Cpp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

BOOST_AUTO_TEST_SUITE(results_damage_test)

using namespace gridloom;
using namespace gridloom::test;

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
