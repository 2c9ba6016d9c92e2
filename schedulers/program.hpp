#pragma once
// A main() for tasks of a user. Its arguments are the names of schedulers and the backend.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/bench/program.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::schedulers {

/// Reads `NAME... [--backend auto|host|cuda]`, and calls Run(name, machine) for each name until one
/// throws. Returns the exit code of the program. An error becomes one line, as run_program says.
template <void (*Run)(std::string_view, device&)>
int run_named(int argc, char** argv) {
  return run_program(argc, argv, [](int words, char** word) {
    std::string const usage = "usage: NAME... [--backend auto|host|cuda]";
    std::string_view const option = "--backend=";
    std::string backend = "auto";
    std::vector<std::string_view> names;
    for (int at = 1; at < words; ++at) {
      std::string_view const text = word[at];
      if (text == "--help") return std::cout << usage << '\n', exit_done;
      if (text == "--backend" && at + 1 < words) {
        backend = word[++at];
      } else if (text.starts_with(option)) {
        backend = text.substr(option.size());
      } else if (text.starts_with("-")) {
        throw usage_error(usage);
      } else {
        names.push_back(text);
      }
    }
    if (names.empty()) throw usage_error(usage);
    device machine(backend, 0);
    for (std::string_view const name : names) Run(name, machine);
    return exit_done;
  });
}

}  // namespace gridloom::schedulers
