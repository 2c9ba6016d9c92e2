#include <boost/test/unit_test.hpp>

#include "template_artifact/scale.hpp"

BOOST_AUTO_TEST_SUITE(scale_test)

BOOST_AUTO_TEST_CASE(every_value_is_scaled_once) {
  gridloom::device machine("host", 0);
  auto const values = machine.allocate_copy(std::vector<double>{1, 2, 3, 4, 5});
  gridloom::template_artifact::run_scale(machine, values, 3.0, 2, 1);
  BOOST_TEST(machine.copy_to_host(values) == (std::vector<double>{3, 6, 9, 12, 15}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
