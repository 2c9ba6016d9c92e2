// The main of tests that need no machine.
#define BOOST_TEST_MODULE gridloom
#include <boost/test/unit_test.hpp>
