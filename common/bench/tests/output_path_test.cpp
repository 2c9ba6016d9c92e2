#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(output_path_test)

using gridloom::require_writable;
using gridloom::usage_error;
using namespace gridloom::test;

namespace {

std::string refusal(std::filesystem::path const& path) {
  return message_of<usage_error>([&] { require_writable(path); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_good_path_passes_and_nothing_is_left_behind) {
  scratch_folder const folder;
  require_writable(folder / "new.h5");
  BOOST_TEST(folder.names().empty());
  std::ofstream{folder / "old.h5"} << "kept";
  require_writable(folder / "old.h5");
  BOOST_TEST(folder.names().size() == 1U);
  BOOST_TEST(std::filesystem::file_size(folder / "old.h5") == 4U);
}

BOOST_AUTO_TEST_CASE(a_path_that_cannot_be_written_is_refused_with_the_reason) {
  scratch_folder const folder;
  std::string const path = (folder / "no/where.h5").string();
  BOOST_TEST(refusal(path) == "--output: cannot write \"" + path + "\": there is no folder \"" +
                                  (folder / "no").string() + "\"");
  BOOST_TEST(message_of<usage_error>([&] {
               require_writable(path, "--trace");
             }).starts_with("--trace: cannot write"));
  std::ofstream{folder / "file"} << "x";
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::vector<std::pair<std::filesystem::path, std::string>> const cases{
      {folder / "file/out.h5", "there is no folder"},
      {folder.path(), "is a folder"},
      {folder.path().string() + "/", "is a folder"},
      {"", "expected a file name"},
      {folder / "pipe", "expected a regular file"},
      // Even root cannot create files in /proc.
      {"/proc/results.h5", "cannot write \"/proc/results.h5\": "},
      // The name of the temporary file would be too long.
      {folder / std::string(250, 'x'), "too long"}};
  for (auto const& [wrong, reason] : cases) {
    BOOST_TEST(contains(refusal(wrong), reason), wrong);
  }
}

BOOST_AUTO_TEST_CASE(write_protection_is_respected,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                       return boost::test_tools::assertion_result{::geteuid() != 0};
                     })) {
  scratch_folder const folder;
  std::ofstream{folder / "old.h5"} << "kept";
  std::filesystem::permissions(folder / "old.h5", std::filesystem::perms::owner_read);
  BOOST_TEST(contains(refusal(folder / "old.h5"), "write-protected"));
}

BOOST_AUTO_TEST_SUITE_END()
