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

BOOST_AUTO_TEST_CASE(a_missing_folder_is_named) {
  scratch_folder const folder;
  std::string const path = (folder / "no/where.h5").string();
  BOOST_TEST(refusal(path) == "--output: cannot write \"" + path + "\": there is no folder \"" +
                                  (folder / "no").string() + "\"");
  std::ofstream{folder / "file"} << "x";
  BOOST_TEST(refusal(folder / "file/out.h5").find("there is no folder") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_folder_is_no_file) {
  scratch_folder const folder;
  BOOST_TEST(refusal(folder.path()) ==
             "--output: expected a file, \"" + folder.path().string() + "\" is a folder");
  BOOST_TEST(refusal(folder.path().string() + "/").find("is a folder") != std::string::npos);
  BOOST_TEST(refusal("").find("expected a file name") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_pipe_is_refused) {
  scratch_folder const folder;
  std::filesystem::path const pipe = folder / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  BOOST_TEST(refusal(pipe).find("expected a regular file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_folder_that_takes_no_files_is_refused) {
  // Even root cannot create files there.
  BOOST_TEST(refusal("/proc/results.h5").find("--output: cannot write \"/proc/results.h5\": ") ==
             0U);
}

BOOST_AUTO_TEST_CASE(write_protection_is_respected,
                     *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                       return boost::test_tools::assertion_result{::geteuid() != 0};
                     })) {
  scratch_folder const folder;
  std::ofstream{folder / "old.h5"} << "kept";
  std::filesystem::permissions(folder / "old.h5", std::filesystem::perms::owner_read);
  BOOST_TEST(refusal(folder / "old.h5").find("write-protected") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_name_that_leaves_no_room_for_the_temporary_is_refused) {
  scratch_folder const folder;
  BOOST_TEST(refusal(folder / std::string(250, 'x')).find("too long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_option_in_the_message_is_the_callers) {
  std::string const message =
      message_of<usage_error>([] { require_writable("/nonexistent/x.h5", "--trace"); });
  BOOST_TEST(message.find("--trace: cannot write") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
