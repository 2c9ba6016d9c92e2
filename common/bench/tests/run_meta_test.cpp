#include "gridloom/bench/run_meta.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "gridloom/bench/build_info.hpp"

BOOST_AUTO_TEST_SUITE(run_meta_test)

BOOST_AUTO_TEST_CASE(the_host_knows_every_attribute_it_should) {
  std::array<char const*, 4> const argv{"/opt/somewhere/wavefront", "--repeat", "3", "two words"};
  auto const meta = gridloom::collect_meta("wavefront", 4, argv.data());
  for (char const* name : {"schema_version", "program", "version", "argv", "commit", "dirty",
                           "date", "host", "cpu", "logical_cores", "compilers", "flags"}) {
    BOOST_TEST(meta.get(name).has_value(), name);
  }
  BOOST_TEST(meta.get("program").value() == "wavefront");
  BOOST_TEST(meta.get("schema_version").value() == gridloom::results_schema_version);
  BOOST_TEST(meta.get("commit").value() == gridloom::build_commit());
  BOOST_TEST(!meta.get("gpu").has_value());
}

BOOST_AUTO_TEST_CASE(argv_can_be_pasted_into_a_shell_without_the_programs_folder) {
  std::array<char const*, 4> const argv{"/opt/somewhere/wavefront", "--a=it's", "", "two words"};
  auto const meta = gridloom::collect_meta("wavefront", 4, argv.data());
  BOOST_TEST(meta.get("argv").value() == R"(wavefront '--a=it'\''s' '' 'two words')");
}

BOOST_AUTO_TEST_CASE(the_date_is_iso_8601_in_utc) {
  std::string date = gridloom::collect_meta("wavefront", 0, nullptr).get("date").value();
  for (char& letter : date) {
    if (letter >= '0' && letter <= '9') letter = '9';
  }
  BOOST_TEST(date == "9999-99-99T99:99:99Z");
}

BOOST_AUTO_TEST_SUITE_END()
