#pragma once
// A temporary folder, and the commands that juggler-cc runs in it.

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace gridloom::juggler::cc {

/// While an object exists, SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked. So a signal ends the
/// process only after the folder is removed. One object per process, used by main's thread.
class workplace {
 public:
  /// Throws run_error if TMPDIR does not allow a new folder.
  workplace();
  workplace(workplace const&) = delete;
  workplace& operator=(workplace const&) = delete;
  ~workplace();

  [[nodiscard]] std::filesystem::path const& folder() const { return folder_; }
  /// Runs a command that keeps its temporary files in the folder. Returns its exit status; 127 if
  /// it did not start, and 128 + n if signal n ended it. A signal to this process ends the command
  /// and its children; then throws run_error.
  [[nodiscard]] int run(std::vector<std::string> const& words) const;
  /// Moves a file from the folder to `place`, completely or not at all. Throws run_error.
  void put(std::string const& file, std::filesystem::path const& place) const;
  /// Throws run_error if the folder has no room for a large file, which may be why a compiler
  /// failed.
  void require_room() const;

 private:
  std::filesystem::path folder_;
  sigset_t before_;
};

// The compilers and flags with which juggler-cc compiles programs. The build writes them into a
// file in share/gridloom, next to the folder of the tool.

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
