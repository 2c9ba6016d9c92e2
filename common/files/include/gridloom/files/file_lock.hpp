#pragma once
// Locks for files that only one program at a time may read, extend and replace.

#include <filesystem>
#include <memory>
#include <string>

namespace gridloom {

class temporary_name;

/// Name of the lock file of a file.
[[nodiscard]] std::string lock_name_of(std::filesystem::path const& path);

/// Throws usage_error unless the lock's name is free or belongs to an empty regular file. Anything
/// else would be removed with the lock.
void require_lock_name(std::filesystem::path const& path);

/// Holds the lock of a file: flock(2) on FILE.lock beside it, which exists only while the lock is
/// held. Scripts that append use the same lock.
class file_lock {
 public:
  /// Waits for another holder, and says so in one line on stderr. Throws usage_error if this takes
  /// longer than the timeout, or if another file has the name of the lock. Throws run_error if no
  /// lock can be created in the folder.
  file_lock(std::filesystem::path const& path, double timeout_s);
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock();

 private:
  std::unique_ptr<temporary_name> held_;
};

}  // namespace gridloom
