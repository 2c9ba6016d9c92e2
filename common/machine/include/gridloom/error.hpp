#pragma once
// The two errors a program reports. Everything a user can mend (a wrong option, a damaged input) is
// a usage_error; everything that went wrong although the request was sound is a run_error. Broken
// preconditions inside the code are std::invalid_argument, and end a program like a run_error.
// The four kinds below them are what a measurement tells apart in its column `status`.

#include <stdexcept>

namespace gridloom {

/// Bad usage or input: exit code 2. The message names the option or file and what was expected.
class usage_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Verification failed, timeout, device or file system error: exit code 1.
class run_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run was stopped because its time was up (--timeout-s).
class timeout_error : public run_error {
  using run_error::run_error;
};

/// A result is not what an independent check expects.
class wrong_result : public run_error {
  using run_error::run_error;
};

/// A grid whose blocks wait for each other is larger than what the device holds at once.
class grid_error : public usage_error {
  using usage_error::usage_error;
};

/// A method does not take this input, or this machine or build lacks what it needs.
class unsupported : public usage_error {
  using usage_error::usage_error;
};

/// The process exit codes of every program.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

}  // namespace gridloom
