#pragma once
// Opening input files. Only regular files are accepted: a pipe or a device could block the reader
// forever, and a folder has no bytes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace gridloom {

/// A regular file that is open for reading. Used by one thread.
class input_file {
 public:
  /// Throws usage_error naming the file if it is absent, cannot be read, or is not a regular file.
  explicit input_file(std::filesystem::path const& path);
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;
  ~input_file();

  [[nodiscard]] int descriptor() const { return fd_; }
  /// Size of the file in bytes when it was opened.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Reads the next bytes. Returns fewer than requested only at the end. Throws usage_error naming
  /// the file.
  [[nodiscard]] std::size_t read(void* room, std::size_t bytes);
  /// Reads bytes from the given place in the file.
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
