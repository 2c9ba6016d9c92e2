#pragma once
// One program at a time reads a file, adds to it and replaces it.

#include <filesystem>
#include <memory>
#include <string>

namespace gridloom {

class temporary_name;

/// Where the lock of a file is while it is held.
[[nodiscard]] std::string lock_name_of(std::filesystem::path const& path);

/// A lock is an empty regular file. Throws usage_error where anything else has its name: that would
/// be removed with the lock.
void require_lock_name(std::filesystem::path const& path);

/// Holds the lock of a file: flock(2) on FILE.lock beside it, which is there only while it is held.
/// The scripts that append take the same lock.
class file_lock {
 public:
  /// Waits for another holder, with one line on stderr. Throws usage_error when that takes longer
  /// than the timeout, or when something else has the lock's name; run_error when the folder takes
  /// no lock.
  file_lock(std::filesystem::path const& path, double timeout_s);
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock();

 private:
  std::unique_ptr<temporary_name> held_;
};

}  // namespace gridloom
