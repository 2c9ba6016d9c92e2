#pragma once
// A virtual file driver for HDF5: a file in memory with holes. The core driver of HDF5 would
// allocate and clear the holes, too. Part of hdf5_outline.

#include <H5Cpp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace gridloom::hdf5 {

/// Bytes at addresses of a file of any size; what was not written reads as zeros and takes no room.
class sparse_bytes {
 public:
  void read(std::uint64_t address, std::span<std::byte> bytes) const;
  void write(std::uint64_t address, std::span<std::byte const> bytes);

  /// Length of the file.
  std::uint64_t size = 0;
  /// True while HDF5 has the file open.
  bool open = false;

 private:
  static constexpr std::size_t page_bytes = 4096;
  /// By number.
  std::map<std::uint64_t, std::array<std::byte, page_bytes>> pages_;
};

/// The access properties under which HDF5 creates its file in these bytes, which must outlive it.
[[nodiscard]] H5::FileAccPropList sparse_driver(sparse_bytes& bytes);

}  // namespace gridloom::hdf5
