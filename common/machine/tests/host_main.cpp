// Runs test cases with host workers, in the numbers GRIDLOOM_TEST_WORKERS.
#define BOOST_TEST_ALTERNATIVE_INIT_API
#define BOOST_TEST_NO_MAIN
#include "test_machines.hpp"

namespace gridloom::test {

std::vector<test_machine> const& test_machines() {
  static device host("host", 0);
  static std::vector<test_machine> const machines = [] {
    std::vector<test_machine> result;
    for (int const workers : {GRIDLOOM_TEST_WORKERS}) result.push_back({&host, {workers, 1}});
    return result;
  }();
  return machines;
}

}  // namespace gridloom::test

int main(int argc, char** argv) {
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
