#pragma once
// One program at a time reads a file, adds to it and replaces it.

#include <filesystem>
#include <memory>

namespace gridloom {

class temporary_name;

/// Holds the lock of a file: flock(2) on FILE.lock beside it, which is there only while it is held.
/// The scripts that append take the same lock.
class file_lock {
 public:
  /// Waits for another holder, with one line on stderr. Throws usage_error when that takes longer
  /// than the timeout, run_error when the folder takes no lock.
  file_lock(std::filesystem::path const& path, double timeout_s);
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock();

 private:
  std::unique_ptr<temporary_name> held_;
};

}  // namespace gridloom
