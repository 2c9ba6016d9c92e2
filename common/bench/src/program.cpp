#include "gridloom/bench/program.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"

namespace gridloom {
namespace {

// Shortens very long messages, but no path of usual length. Scripts shorten messages to the same
// lengths (gridloom_datasets/errors.py).
std::string cut(std::string const& message) {
  constexpr std::size_t longest_word = 240;
  constexpr std::size_t longest = 1500;
  constexpr std::size_t kept = 300;
  std::string told;
  for (std::size_t start = 0; start <= message.size() && told.size() <= longest;) {
    std::size_t const end = std::min(message.find(' ', start), message.size());
    std::string const word = message.substr(start, end - start);
    if (start != 0) told += ' ';
    told += word.size() > longest_word ? shortened(word) : word;
    start = end + 1;
  }
  if (told.size() <= longest) return told;
  std::size_t end = kept;
  // The cut must lie between two characters.
  while ((static_cast<unsigned char>(told[end]) & 0xc0U) == 0x80U) --end;
  return told.substr(0, end) + "...";
}

int report(char const* argv0, std::string const& message, int exit_code) {
  std::string const program = std::filesystem::path{argv0}.filename().string();
  std::cout.flush();
  // A single write keeps the line whole if several processes share the terminal.
  std::string const line = cut(printable(program + ": " + message)) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return exit_code;
}

int run(int argc, char** argv, int (*body)(int, char**)) {
  char const* const argv0 = argc > 0 && argv[0] != nullptr ? argv[0] : "gridloom";
  try {
    // If a file exceeds the size limit, the write should fail and remove its temporary file. By
    // default the signal would end the process.
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
    // Not even the message could be printed.
    return exit_failed;
  }
}

}  // namespace gridloom
