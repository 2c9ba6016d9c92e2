#pragma once
// Files of others, which carry no checksum: read in a child process first.
//
// The HDF5 library trusts what a file says of itself. A damaged file makes it write beyond its
// buffers, divide by zero or loop for ever, in calls as harmless as opening a group (1.10 and 1.14
// both do). So a child runs the same read first. If the child dies, the file is damaged; if it
// ends well, the same steps on the same file are safe here. Not part of the public headers.

#include <filesystem>
#include <functional>

namespace gridloom::hdf5 {

/// Runs `read` in a child. Throws what it threw (usage_error, else run_error), and usage_error when
/// the library crashed or looped on the file. What this process ignores, the child ignores too;
/// run_error when a signal of others ended it.
void try_in_child(std::filesystem::path const& path, std::function<void()> const& read);

}  // namespace gridloom::hdf5
