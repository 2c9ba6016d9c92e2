#pragma once
// The one way to open a file that is read. A pipe or a device could keep the reader waiting for
// ever, and a folder has no bytes: only regular files are taken.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace gridloom {

/// A regular file that is open for reading, by one thread.
class input_file {
 public:
  /// Throws usage_error naming the file: it is not there, cannot be read, or is no regular file.
  explicit input_file(std::filesystem::path const& path);
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;
  ~input_file();

  [[nodiscard]] int descriptor() const { return fd_; }
  /// Bytes of the file when it was opened.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Reads on; fewer bytes than wanted only at the end. Throws usage_error naming the file.
  [[nodiscard]] std::size_t read(void* room, std::size_t bytes);
  /// The same from a place in the file.
  [[nodiscard]] std::size_t read_at(std::uint64_t place, void* room, std::size_t bytes);

 private:
  std::filesystem::path path_;
  int fd_;
  std::uint64_t size_ = 0;
};

/// All bytes of a regular file. Throws usage_error naming the file.
[[nodiscard]] std::vector<std::byte> read_file(std::filesystem::path const& path);

/// Throws usage_error unless the path names a regular file that can be opened for reading.
void require_readable(std::filesystem::path const& path);

}  // namespace gridloom
