#pragma once
// The frame of every main(): exceptions to messages and exit codes.

namespace gridloom {

/// Calls the body and returns its exit code. An exception becomes one line "program: message" on
/// stderr: usage_error with exit code 2, every other with 1. Output that cannot be written to
/// stdout (a full disk behind a redirection) is exit code 1 as well. The signal SIGXFSZ is ignored:
/// a file beyond the limit on sizes is a failed write like any other. Never throws.
int run_program(int argc, char** argv, int (*body)(int, char**)) noexcept;

}  // namespace gridloom
