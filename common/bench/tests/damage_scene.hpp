#pragma once
// What tests of damaged results share.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "test_support.hpp"

namespace gridloom::test {

inline run_meta meta_of_test() {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", "test");
  return meta;
}

// Noise does not compress, so the file is about 8 bytes a row.
inline result_table noise(std::size_t rows) {
  result_table table{"runs", {{"noise", column_type::integer, "1", ""}}};
  std::mt19937_64 source{7};
  for (std::size_t i = 0; i < rows; ++i) table.add_row({static_cast<std::int64_t>(source())});
  return table;
}

inline void write(std::filesystem::path const& path, result_table const& table) {
  write_results(path, meta_of_test(), std::array{table}, write_mode::replace);
}

inline std::string refused_table(std::filesystem::path const& path) {
  return message_of<usage_error>([&] { (void)read_table(path, "runs"); });
}

// Runs the body in a child process; returns its wait status.
template <typename Body>
int in_child(Body body, useconds_t kill_after_us = 0) {
  pid_t const child = ::fork();
  if (child == 0) {
    // Boost.Test's handlers would report what this test provokes.
    ::signal(SIGTERM, SIG_DFL);
    int code = 9;
    try {
      code = body();
    } catch (...) {
      code = 8;
    }
    ::_exit(code);
  }
  if (kill_after_us > 0) {
    ::usleep(kill_after_us);
    ::kill(child, SIGTERM);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace gridloom::test
