#pragma once
// One CRC-32 over all that a results file says, stored as attribute `content_crc32` of /meta. HDF5 has no
// checksum for its own notes: a changed byte order, an address of another column or a changed name gives
// other values that can be read. So the checksum is of a stream that follows from the contents alone, and
// not from how HDF5 stores them (chunks, filters, texts of fixed or variable length). Scripts have the
// same in scripts/gridloom/content.py, and docs/results_files.md describes it:
//
//   C1. Groups and datasets come one after the other, by the bytes of their whole path ("/", "/meta",
//       "/meta/appended_1", "/runs", "/runs/arm").
//   C2. Each is its path as a text, then "g" for a group and a value for a dataset, then the number of its
//       attributes, then of each, by the bytes of their names: name as a text, value.
//   C3. A value is its kind ("t" text; "i", "u", "f" with a byte for its width: a number with sign, without,
//       real), the number of its dimensions, each of them, and the entries, row by row.
//   C4. Entries of numbers are little-endian. Entries of texts are the lengths of all, then the bytes of all.
//   C5. A text is the length of its UTF-8, then the bytes, without NUL. Lengths and numbers of something
//       are whole numbers of 64 bits, little-endian.
//   C6. The attribute content_crc32 of /meta is left out.

#include <cstdint>
#include <filesystem>

#include "results_layout.hpp"

namespace gridloom::hdf5 {

/// The CRC-32 (as of zlib) of the stream.
[[nodiscard]] std::uint32_t content_crc32_of(stored_results const& all);

/// Throws usage_error when the contents are not those that the file was written with. Files of schema 1
/// have no checksum and pass.
void require_content(stored_results const& all, std::filesystem::path const& path);

}  // namespace gridloom::hdf5
