#include "gridloom/bench/program.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"

namespace gridloom {
namespace {

int report(char const* argv0, std::string const& message, int exit_code) {
  std::string const program = std::filesystem::path{argv0}.filename().string();
  std::cout.flush();
  // One write a line keeps it whole when several processes share the terminal.
  std::string const line = printable(program + ": " + message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return exit_code;
}

int run(int argc, char** argv, int (*body)(int, char**)) {
  char const* const argv0 = argc > 0 && argv[0] != nullptr ? argv[0] : "gridloom";
  try {
    // A limit on file sizes shall fail the write, which removes its temporary, not the process.
    std::signal(SIGXFSZ, SIG_IGN);
    int const exit_code = body(argc, argv);
    bool const written = std::cout.flush().good() && std::fflush(stdout) == 0;
    if (exit_code == exit_done && !written) {
      return report(argv0, "cannot write to standard output", exit_failed);
    }
    return exit_code;
  } catch (usage_error const& error) {
    return report(argv0, error.what(), exit_usage);
  } catch (std::bad_alloc const&) {
    return report(argv0, "out of memory", exit_failed);
  } catch (std::exception const& error) {
    return report(argv0, error.what(), exit_failed);
  } catch (...) {
    return report(argv0, "unknown error", exit_failed);
  }
}

}  // namespace

int run_program(int argc, char** argv, int (*body)(int, char**)) noexcept {
  try {
    return run(argc, argv, body);
  } catch (...) {
    // Not even the message could be put together.
    return exit_failed;
  }
}

}  // namespace gridloom
