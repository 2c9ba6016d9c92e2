#pragma once
// The machines that one body of tests runs over: host workers, or block sizes of a CUDA device.
// Which ones an executable has is decided by the main it is linked with (host_main.cpp,
// cuda_main.cpp).

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "gridloom/device.hpp"

namespace gridloom::test {

/// A device and the shape to launch on it. The device lives as long as the program.
struct test_machine {
  device* machine;
  launch_shape shape;

  [[nodiscard]] std::string name() const {
    return machine->properties().backend + ", " + std::to_string(shape.blocks) + " blocks of " +
           std::to_string(shape.threads);
  }
  /// Threads of the launch; a host worker is one, whatever the shape says.
  [[nodiscard]] int threads() const { return shape.blocks * shape.threads; }
};

std::vector<test_machine> const& test_machines();

/// Runs the body for each machine and names the machine where a check fails.
template <class Body>
void on_each_machine(Body&& body) {
  for (test_machine const& on : test_machines()) {
    BOOST_TEST_CONTEXT(on.name()) { body(on, *on.machine); }
  }
}

/// The message of the error that `body` throws, empty if it throws none of this type.
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
