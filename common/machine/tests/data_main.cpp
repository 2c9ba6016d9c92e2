// The main of tests on real inputs in the folder GRIDLOOM_DATA_DIR. If the variable is not set, it
// says so and exits with 77, which CTest shows as skipped.
#define BOOST_TEST_ALTERNATIVE_INIT_API
#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_MODULE gridloom
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (std::getenv("GRIDLOOM_DATA_DIR") == nullptr) {
    std::puts("GRIDLOOM_DATA_DIR is not set: skipped");
    return 77;
  }
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
