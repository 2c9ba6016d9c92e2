#pragma once
// The machines on which the same tests run: host workers, or block sizes of a CUDA device. The main
// that a program is linked with (host_main.cpp or cuda_main.cpp) defines them.

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "test_support.hpp"

namespace gridloom::test {

/// A device and a launch shape. The device lives as long as the program.
struct test_machine {
  device* machine;
  launch_shape shape;

  [[nodiscard]] std::string name() const {
    return machine->properties().backend + ", " + std::to_string(shape.blocks) + " blocks of " +
           std::to_string(shape.threads);
  }
  /// Number of threads of a launch.
  [[nodiscard]] int threads() const { return shape.blocks * shape.threads; }
};

std::vector<test_machine> const& test_machines();

/// Runs the body for each machine. A failed check names the machine.
template <class Body>
void on_each_machine(Body&& body) {
  for (test_machine const& on : test_machines()) {
    BOOST_TEST_CONTEXT(on.name()) { body(on, *on.machine); }
  }
}

/// The message of the error that `body` throws; empty if it throws none of this type.
template <class Error, class Body>
std::string error_text(Body&& body) {
  try {
    body();
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace gridloom::test
