#pragma once
// A temporary folder and the commands that juggler-cc runs with it.

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace gridloom::juggler::cc {

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT are held back, so that one of them ends the
/// process only after the folder is removed. One per process, used by main's thread.
class workplace {
 public:
  /// Throws std::runtime_error if no folder can be made in TMPDIR.
  workplace();
  workplace(workplace const&) = delete;
  workplace& operator=(workplace const&) = delete;
  ~workplace();

  [[nodiscard]] std::filesystem::path const& folder() const { return folder_; }
  /// Runs a command whose temporary files lie in the folder. Returns its exit status, or 127 if it
  /// did not start. A signal to this process ends the command and its children; then throws
  /// run_error.
  [[nodiscard]] int run(std::vector<std::string> const& words) const;
  /// Moves a file of the folder to `place`, whole or not at all. Throws run_error.
  void put(std::string const& file, std::filesystem::path const& place) const;
  /// Throws run_error if no large file fits into the folder, which may be why a compiler failed.
  void require_room() const;

 private:
  std::filesystem::path folder_;
  sigset_t before_;
};

}  // namespace gridloom::juggler::cc
