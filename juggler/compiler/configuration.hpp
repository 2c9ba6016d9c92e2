#pragma once
// What juggler-cc compiles programs with: a file that the build writes into share/gridloom, beside the folder of
// the tool.

#include <string>
#include <vector>

namespace gridloom::juggler::cc {

struct configuration {
  std::string compiler;
  /// Empty, as the architecture is, where the library has no CUDA backend.
  std::string nvcc;
  std::string architecture;
  bool has_cuda = false;
  std::vector<std::string> includes;
  std::vector<std::string> libraries;
};

/// Throws std::runtime_error for a missing file or an unknown entry.
[[nodiscard]] configuration read_configuration();

}  // namespace gridloom::juggler::cc
