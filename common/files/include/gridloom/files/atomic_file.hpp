#pragma once
// Files that are written completely or not at all. Each is written under a temporary name beside
// the target, then flushed and renamed. HDF5 files are made in memory first (hdf5_io.hpp).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridloom {

/// Replaces or creates the file. After an error, and after SIGINT, SIGTERM, SIGHUP or SIGQUIT, the
/// temporary file is gone and the old file is unchanged. Symbolic links are followed, even to a
/// file that does not exist yet. If two processes replace a file at once, the result is the
/// complete file of one of them. Any thread may call this. Throws run_error naming the file.
void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes);

/// Replaces a file that is made piece by piece: `next` clears and fills `piece`, or returns false
/// at the end.
void replace_file(std::filesystem::path const& path,
                  std::function<bool(std::vector<std::byte>& piece)> const& next);

/// Collects the files that its thread replaces during the object's lifetime. put_in_place() then
/// puts either all of them in place or none, even if a signal ends the process. (SIGKILL can come
/// between two renames.) A thread has at most one such object at a time.
class files_together {
 public:
  files_together();
  files_together(files_together const&) = delete;
  files_together& operator=(files_together const&) = delete;
  /// Removes the files that were not put in place.
  ~files_together();

  /// Throws run_error naming the file that failed. All old files are then unchanged.
  void put_in_place();

  struct state;

 private:
  std::unique_ptr<state> state_;
};

/// Keeps an object, such as a lock, until the collected files are in place. Does nothing in a
/// thread without a files_together.
void until_in_place(std::shared_ptr<void const> owner);

/// Creates and removes a temporary file beside the path, like replace_file. Returns why this fails,
/// or an empty text.
[[nodiscard]] std::string probe_beside(std::filesystem::path const& path);

}  // namespace gridloom
