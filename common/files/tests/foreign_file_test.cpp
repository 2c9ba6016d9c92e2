// Tests of checksums, and of the child process that reads files without a checksum.

#include <H5Cpp.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(foreign_file_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

constexpr int by_others[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

template <typename Error>
std::string message_of_child(std::function<void()> const& read) {
  return message_of<Error>([&] { hdf5::try_in_child("f.h5", read); });
}

std::uint64_t number_in(std::filesystem::path const& path) {
  return hdf5::read_file(path, [](H5::H5File const& file) {
    return hdf5::read_count_attribute(file.openGroup("a"), "n", "a");
  });
}

void write_number(std::filesystem::path const& path, std::uint64_t number) {
  hdf5::write_file(path, [&](H5::H5File& file) {
    H5::Group group = hdf5::create_group(file, "a");
    hdf5::write_attribute(group, "n", number);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_checksum_of_a_file_is_known) {
  scratch_folder const folder;
  std::vector<std::byte> bytes(3, std::byte{'a'});
  add_checksum(bytes);
  // In Python: b"aaa" + b"GRIDLOOM" + zlib.crc32(b"aaa").to_bytes(4, "little")
  std::string const expected = "aaaGRIDLOOM-s\x07\xf0";
  std::string const made{reinterpret_cast<char const*>(bytes.data()), bytes.size()};
  BOOST_TEST((made == expected));
  BOOST_TEST(has_checksum(write_text(folder / "f", made)));
  BOOST_TEST(!has_checksum(write_text(folder / "f", made.substr(0, 14))));
  BOOST_TEST(!has_checksum(write_text(folder / "f", "short")));
}

BOOST_AUTO_TEST_CASE(bytes_that_differ_from_the_checksum_are_refused_with_the_way_out) {
  scratch_folder const folder;
  auto const path = folder / "f.h5";
  write_number(path, 7);
  BOOST_TEST(number_in(path) == 7U);
  std::string bytes = read_text(path);
  bytes[bytes.size() / 2] ^= 1;
  write_text(path, bytes);
  BOOST_TEST(message_of<usage_error>([&] { (void)number_in(path); }) ==
             path.string() +
                 ": damaged, its bytes differ from its checksum; if you changed the file, run "
                 "scripts/renew_checksum " +
                 path.string());
}

BOOST_AUTO_TEST_CASE(a_file_changed_by_hdf5_is_foreign_and_is_read) {
  scratch_folder const folder;
  auto const path = folder / "f.h5";
  write_number(path, 7);
  { (void)H5::H5File{path.string(), H5F_ACC_RDWR}.createGroup("more"); }
  BOOST_TEST(!has_checksum(path));
  BOOST_TEST(number_in(path) == 7U);
}

BOOST_AUTO_TEST_CASE(errors_of_the_child_are_thrown_and_its_death_means_damage) {
  BOOST_TEST(message_of_child<usage_error>([] { throw usage_error("bad"); }) == "bad");
  BOOST_TEST(message_of_child<run_error>([] { throw run_error("worse"); }) == "worse");
  for (int const signal : {SIGSEGV, SIGABRT, SIGXCPU, SIGALRM}) {
    BOOST_TEST(message_of_child<usage_error>([&] { std::raise(signal); }) ==
               "f.h5: damaged HDF5 file");
  }
  hdf5::try_in_child("f.h5", [] {});
}

BOOST_AUTO_TEST_CASE(a_child_ignores_what_its_parent_ignores) {
  for (int const signal : by_others) {
    auto* const before = std::signal(signal, SIG_IGN);
    hdf5::try_in_child("f.h5", [&] { std::raise(signal); });
    std::signal(signal, before);
  }
}

BOOST_AUTO_TEST_CASE(a_child_killed_from_outside_is_not_reported_as_a_damaged_file) {
  for (int const signal : by_others) {
    // The child must not keep a handler of this process.
    auto* const before = std::signal(signal, [](int) {});
    std::string const said = message_of_child<run_error>([&] { std::raise(signal); });
    BOOST_TEST(said.starts_with("f.h5: a signal ended the process that reads the file: "));
    std::signal(signal, before);
  }
}

BOOST_AUTO_TEST_SUITE_END()
