// The main of tests on the real inputs of the folder that GRIDLOOM_DATA_DIR names. Where the
// variable is not set, it says so and exits 77, which CTest shows as skipped.
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
