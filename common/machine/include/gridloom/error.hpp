#pragma once
// The errors that a program reports.
//
// A usage_error is something that the user can correct, such as a wrong option or a damaged input.
// A run_error is a failure of a valid request. A broken precondition inside the code is
// std::invalid_argument, which ends a program as a run_error does. The column `status` of a
// measurement distinguishes the four classes that derive from these two.

#include <stdexcept>

namespace gridloom {

/// Bad usage or input: exit code 2. The message names the option or file, and what was expected.
class usage_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Failed verification, timeout, or an error of the device or file system: exit code 1.
class run_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run exceeded its time limit (--timeout-s).
class timeout_error : public run_error {
  using run_error::run_error;
};

/// A result differs from what an independent check expects.
class wrong_result : public run_error {
  using run_error::run_error;
};

/// A grid whose blocks wait for each other has more blocks than the device holds at once.
class grid_error : public usage_error {
  using usage_error::usage_error;
};

/// A method does not support this input, or this machine or build lacks what the method needs.
class unsupported : public usage_error {
  using usage_error::usage_error;
};

/// The process exit codes of every program.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

}  // namespace gridloom
