// Results files that are damaged, cannot be written, or are none.

#include <H5Cpp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/checksum.hpp"
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
             }).find(": has no checksum") != std::string::npos);
  BOOST_TEST(read_text(path) == "text\n");
  BOOST_TEST(refused_table(folder.path()).find("expected a regular file") != std::string::npos);
  { H5::H5File const empty{path.string(), H5F_ACC_TRUNC}; }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_meta(path); }) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
  BOOST_TEST(refused_table(path) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
}

BOOST_AUTO_TEST_CASE(results_without_a_checksum_are_read_but_not_added_to) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, noise(3));
  { (void)H5::H5File{path.string(), H5F_ACC_RDWR}.createGroup("more"); }
  std::string const before = read_text(path);
  BOOST_TEST(read_table(path, "runs").rows() == 3U);
  BOOST_TEST(message_of<usage_error>([&] {
               write_results(path, meta_of_test(), std::array{noise(1)}, write_mode::append);
             }).find(": has no checksum, so another program or an older version wrote it") !=
             std::string::npos);
  BOOST_TEST((read_text(path) == before));
}

BOOST_AUTO_TEST_CASE(an_append_keeps_what_it_does_not_know) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, noise(3));
  { (void)H5::H5File{path.string(), H5F_ACC_RDWR}.createGroup("more"); }
  std::vector<std::byte> bytes;
  for (char const byte : read_text(path)) bytes.push_back(static_cast<std::byte>(byte));
  add_checksum(bytes);
  write_text(path, {reinterpret_cast<char const*>(bytes.data()), bytes.size()});
  write_results(path, meta_of_test(), std::array{noise(1)}, write_mode::append);
  BOOST_TEST(read_table(path, "runs").rows() == 4U);
  BOOST_TEST(has_checksum(path));
  BOOST_TEST((H5::H5File{path.string(), H5F_ACC_RDONLY}.nameExists("more")));
}

BOOST_AUTO_TEST_SUITE_END()
