#pragma once
// The checksum of a file's bytes, which the project's HDF5 files carry behind their end.
//
// HDF5 ignores what follows its end, and a damaged file can crash the library that opens it. So the
// bytes are compared before HDF5 sees them. The last 12 bytes of a file are the word GRIDLOOM and
// the CRC-32 (that of zlib, little-endian) of all bytes before. Scripts do the same
// (datasets/gridloom_datasets/hdf5.py).

#include <cstddef>
#include <filesystem>
#include <vector>

namespace gridloom {

/// Appends the checksum to the bytes of a file.
void add_checksum(std::vector<std::byte>& bytes);

/// Whether the file carries a checksum; without one it is foreign. Throws usage_error when the
/// bytes differ from it, and when the file is no readable regular file. Cost: reads the whole file.
[[nodiscard]] bool has_checksum(std::filesystem::path const& path);

}  // namespace gridloom
