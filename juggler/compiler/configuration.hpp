#pragma once
// The compilers and flags with which juggler-cc compiles programs. The build writes them into a
// file in share/gridloom, beside the folder of the tool.

#include <string>
#include <vector>

namespace gridloom::juggler::cc {

struct configuration {
  std::string compiler;
  /// Empty, like the architecture, if the library has no CUDA backend.
  std::string nvcc;
  std::string architecture;
  bool has_cuda = false;
  std::vector<std::string> includes;
  std::vector<std::string> libraries;
};

/// Throws std::runtime_error for a missing file or an unknown entry.
[[nodiscard]] configuration read_configuration();

}  // namespace gridloom::juggler::cc
