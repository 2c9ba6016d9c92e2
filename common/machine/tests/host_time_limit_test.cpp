#include "gridloom/host_time_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <future>

#include "gridloom/error.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(host_time_limit_test)

using namespace gridloom;
using namespace gridloom::test;

BOOST_AUTO_TEST_CASE(the_innermost_limit_of_the_thread_counts) {
  BOOST_CHECK_NO_THROW(host_time_limit::check("work"));
  host_time_limit const outer{0.0};
  {
    host_time_limit const inner{1e30};
    BOOST_CHECK_NO_THROW(host_time_limit::check("work"));
  }
  BOOST_TEST(message_of<timeout_error>([] { host_time_limit::check("work"); }) ==
             "timeout after 0 s (--timeout-s): work on the host");
  BOOST_CHECK_NO_THROW(
      std::async(std::launch::async, [] { host_time_limit::check("work"); }).get());
}

BOOST_AUTO_TEST_CASE(a_time_limit_can_move_to_another_thread) {
  auto const checked = [](host_time_limit const* outer) {
    return std::async(std::launch::async, [outer] {
      host_time_limit const limit{outer};
      host_time_limit::check("work");
    });
  };
  BOOST_CHECK_NO_THROW(checked(host_time_limit::in_force()).get());
  host_time_limit const limit{0.0};
  BOOST_CHECK_THROW(checked(host_time_limit::in_force()).get(), timeout_error);
}

BOOST_AUTO_TEST_CASE(the_clock_is_asked_now_and_then) {
  host_time_limit const limit{0.0};
  time_checks in_time{"work", 3};
  in_time();
  in_time();
  BOOST_CHECK_THROW(in_time(), timeout_error);
}

BOOST_AUTO_TEST_SUITE_END()
