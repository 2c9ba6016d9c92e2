// The process that reads an HDF5 file, and signals that say nothing of the file.

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/files/apart.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(apart_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

constexpr int by_others[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// What comes from a child that a signal reaches before its second number.
std::uint64_t second_number(std::filesystem::path const& path, int signal) {
  hdf5::receiver from{path, [&](hdf5::sender& to) {
                        to.number(1);
                        std::raise(signal);
                        to.number(2);
                      }};
  BOOST_TEST(from.number() == 1U);
  std::uint64_t const second = from.number();
  from.finish();
  return second;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_child_ignores_what_its_parent_ignores) {
  scratch_folder const folder;
  auto const path = write_text(folder / "any", "x");
  for (int const signal : by_others) {
    auto* const before = std::signal(signal, SIG_IGN);
    BOOST_TEST(second_number(path, signal) == 2U);
    std::signal(signal, before);
  }
}

BOOST_AUTO_TEST_CASE(a_child_that_others_end_is_no_damaged_file) {
  scratch_folder const folder;
  auto const path = write_text(folder / "any", "x");
  for (int const signal : by_others) {
    // A handler of this process, which the child does not keep.
    auto* const before = std::signal(signal, [](int) {});
    std::string const said = message_of<run_error>([&] { (void)second_number(path, signal); });
    BOOST_TEST(said.find(": the process that reads it was ended by SIG") != std::string::npos);
    std::signal(signal, before);
  }
  BOOST_TEST(message_of<usage_error>([&] {
               (void)second_number(path, SIGSEGV);
             }).ends_with(": damaged HDF5 file"));
}

BOOST_AUTO_TEST_SUITE_END()
