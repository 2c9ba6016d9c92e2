#pragma once
// Files that are there whole or not at all: written under a temporary name beside the target,
// flushed, renamed. HDF5 files are built in memory and handed over as bytes, because a failed write
// (a full disk) leaves the HDF5 library with handles it can neither finish nor drop. Files with
// large arrays are written by it into room that is reserved before (hdf5_outline.hpp).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridloom {

/// Replaces the file, or creates it. On any error the temporary is removed and the old file stays;
/// so it is when SIGINT, SIGTERM, SIGHUP or SIGQUIT end the process. A symbolic link is followed,
/// also one that leads to no file yet. Two processes may race: one of them wins whole. Any thread.
/// Throws run_error naming the file.
void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes);

/// The same for a file that a library writes: `fill` gets the name of a file of so many zeros,
/// whose room on the disk is there already, and may write and shorten it. What it throws is passed
/// on.
void replace_file(std::filesystem::path const& path, std::size_t bytes,
                  std::function<void(std::filesystem::path const& temporary)> const& fill);

/// The same for a file made piece by piece: `next` clears the piece and fills it, or returns false
/// at the end.
void replace_file(std::filesystem::path const& path,
                  std::function<bool(std::vector<std::byte>& piece)> const& next);

/// Creates and removes a temporary beside the path, as replace_file would. Returns an empty text,
/// or why it cannot be created.
[[nodiscard]] std::string probe_beside(std::filesystem::path const& path);

}  // namespace gridloom
