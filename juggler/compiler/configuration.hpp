#pragma once
// What juggler-cc compiles programs with: a file that the build writes, in share/gridloom beside the
// folder of the tool.

#include <string>
#include <vector>

namespace gridloom::juggler::cc {

struct configuration {
  /// The C++ compiler, and nvcc where the library holds the CUDA backend.
  std::string compiler;
  std::string nvcc;
  std::string architecture;
  bool has_cuda = false;
  std::vector<std::string> includes;
  std::vector<std::string> libraries;
};

/// Throws std::runtime_error where there is none, or an entry is not known.
[[nodiscard]] configuration read_configuration();

/// Runs a command and returns its exit status; what cannot be started is 127.
[[nodiscard]] int run_command(std::vector<std::string> const& words);

/// A folder that goes with its content at the end.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  [[nodiscard]] std::string const& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace gridloom::juggler::cc
