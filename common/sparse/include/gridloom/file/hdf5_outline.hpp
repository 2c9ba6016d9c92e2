#pragma once
// Large arrays into HDF5 files without copies of them. HDF5 lays the file out in memory, where only
// what is written takes room: the few KiB of its metadata. The arrays go straight from the caller's
// memory to their places in the file. So a failed write (a full disk) never reaches HDF5, as with
// files built in memory, but the arrays are not held twice. Not part of the public headers.

#include <H5Cpp.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridloom::hdf5 {

/// Bytes at addresses of a file of any size; what was not written reads as zeros.
class sparse_bytes;

/// A new file: its groups and attributes by HDF5 through file(), its arrays by add(). One thread at
/// a time.
class outline {
 public:
  outline();
  outline(outline const&) = delete;
  outline& operator=(outline const&) = delete;
  ~outline();

  [[nodiscard]] H5::H5File& file() { return file_; }

  /// A contiguous 1-D dataset that will hold these bytes, which must stay until write_to is over
  /// and be as the type of the file says: nothing is converted.
  void add(H5::Group& group, std::string const& name, H5::DataType const& type,
           std::span<std::byte const> bytes);

  /// Closes the file and puts it on disk, whole or not at all (see replace_file). All groups and
  /// datasets must be closed before. Throws what HDF5 throws (see writing), and run_error.
  void write_to(std::filesystem::path const& path);

 private:
  struct array {
    std::size_t address;
    std::span<std::byte const> bytes;
  };

  /// Outlives the file.
  std::unique_ptr<sparse_bytes> rest_;
  H5::H5File file_;
  std::vector<array> arrays_;
};

}  // namespace gridloom::hdf5
