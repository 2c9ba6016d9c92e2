#pragma once
// Files that are there whole or not at all: written under a temporary name beside the target,
// flushed, renamed. HDF5 files are made in memory first (hdf5_io.hpp).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridloom {

/// Replaces the file, or creates it. On any error the temporary is removed and the old file stays;
/// so it is when SIGINT, SIGTERM, SIGHUP or SIGQUIT end the process. A symbolic link is followed,
/// also one that leads to no file yet. Two processes may race: one of them wins whole. Any thread.
/// Throws run_error naming the file.
void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes);

/// The same for a file made piece by piece: `next` clears the piece and fills it, or returns false
/// at the end.
void replace_file(std::filesystem::path const& path,
                  std::function<bool(std::vector<std::byte>& piece)> const& next);

/// While it lives, what its thread replaces is written aside, and takes its place in put_in_place():
/// all files or none, whatever fails, also when a signal ends the process. (SIGKILL may come
/// between two renames.) One at a time a thread.
class files_together {
 public:
  files_together();
  files_together(files_together const&) = delete;
  files_together& operator=(files_together const&) = delete;
  /// Removes what is not in its place.
  ~files_together();

  /// Throws run_error naming the file; all old files are as they were then.
  void put_in_place();

  struct state;

 private:
  std::unique_ptr<state> state_;
};

/// Keeps a lock, say, until what is collected is in its place. Without files_together, not at all.
void until_in_place(std::shared_ptr<void const> owner);

/// Creates and removes a temporary beside the path, as replace_file would. Returns an empty text,
/// or why it cannot be created.
[[nodiscard]] std::string probe_beside(std::filesystem::path const& path);

}  // namespace gridloom
