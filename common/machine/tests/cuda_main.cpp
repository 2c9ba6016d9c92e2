// Runs test cases on a CUDA device. Without a device, it says so and exits with 77, which CTest
// shows as skipped.
#define BOOST_TEST_ALTERNATIVE_INIT_API
#define BOOST_TEST_NO_MAIN
#include <cstdio>
#include <memory>

#include "gridloom/error.hpp"
#include "test_machines.hpp"

namespace {

std::unique_ptr<gridloom::device> cuda;

}  // namespace

namespace gridloom::test {

std::vector<test_machine> const& test_machines() {
  // Blocks of one thread separate compiler faults from concurrency faults. In blocks of 33 threads,
  // one warp has a single thread. 96 is not a power of two.
  static std::vector<test_machine> const machines = [] {
    std::vector<test_machine> result;
    for (int const threads : {1, 32, 33, 96, 256}) result.push_back({cuda.get(), {4, threads}});
    return result;
  }();
  return machines;
}

}  // namespace gridloom::test

int main(int argc, char** argv) {
  try {
    cuda = std::make_unique<gridloom::device>("cuda", 0);
  } catch (gridloom::usage_error const&) {
    std::puts("no CUDA device: skipped");
    return 77;
  }
  int const result = boost::unit_test::unit_test_main([] { return true; }, argc, argv);
  // The device must be destroyed before the static objects of the CUDA runtime.
  cuda.reset();
  return result;
}
