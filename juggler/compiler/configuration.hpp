#pragma once
// The compilers and flags with which juggler-cc compiles programs. The build writes them into a
// file in share/gridloom, next to the folder of the tool.

#include <string>
#include <vector>

namespace gridloom::juggler::cc {

struct configuration {
  std::string compiler;
  /// nvcc and its architecture, both empty if the library has no CUDA backend.
  std::string nvcc;
  std::string architecture;
  bool has_cuda = false;
  std::vector<std::string> includes;
  std::vector<std::string> libraries;
};

/// Reads the build's file. Throws std::runtime_error if it is missing or has an unknown entry.
[[nodiscard]] configuration read_configuration();

}  // namespace gridloom::juggler::cc
