#include "template_artifact/scale.hpp"

#include <boost/test/unit_test.hpp>

#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(scale_test)

using namespace gridloom;
using template_artifact::scaler;

BOOST_AUTO_TEST_CASE(both_ways_scale_every_value_once) {
  device machine("host", 0);
  std::vector<double> const ones(10000, 1.0);
  scaler of(machine, 10000, {3, 1}, 60);
  of.load(ones);
  of.scale(3);
  of.scale_by_claims(5);
  of.require_done();
  BOOST_TEST(of.values() == std::vector<double>(10000, 15.0), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_run_beyond_its_time_says_so) {
  device machine("host", 0);
  scaler of(machine, 1 << 20, {2, 1}, 1e-9);
  of.scale_by_claims(5);
  std::string const text = test::message_of<timeout_error>([&] { of.require_done(); });
  BOOST_TEST(text.starts_with("timeout after 1e-09 s (--timeout-s): scaling by claims"), text);
  BOOST_TEST(text.find("; worker 0 was working") != std::string::npos, text);
}

BOOST_AUTO_TEST_SUITE_END()
