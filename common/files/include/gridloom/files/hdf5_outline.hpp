#pragma once
// Large arrays into HDF5 files without copies of them, and without an error that HDF5 cannot stand.
//
// What HDF5 1.10 cannot flush when a file is closed (a full disk) it keeps open, and crashes when
// the program ends. So it is given a file whose room on the disk is already there: all but the
// arrays is made in memory, where the size of the whole is known from; that much is reserved beside
// the target, which is where a full disk is noticed; then HDF5 writes the arrays from the caller's
// memory into the reserved file. Not part of the public headers.

#include <H5Cpp.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gridloom::hdf5 {

/// A new file: its groups and attributes by HDF5 through file(), its arrays by add(). One thread at
/// a time.
class outline {
 public:
  outline();

  [[nodiscard]] H5::H5File& file() { return file_; }

  /// A contiguous 1-D dataset that will hold these bytes, which must stay until write_to is over
  /// and be as the type of the file says: nothing is converted.
  void add(H5::Group& group, std::string const& name, H5::DataType const& type,
           std::span<std::byte const> bytes);

  /// Closes the file and puts it on disk, whole or not at all (see replace_file). Throws what HDF5
  /// throws (see writing), and run_error.
  void write_to(std::filesystem::path const& path);

 private:
  struct array {
    std::string name;  // with its groups
    std::span<std::byte const> bytes;
  };

  H5::H5File file_;
  std::vector<array> arrays_;
};

}  // namespace gridloom::hdf5
