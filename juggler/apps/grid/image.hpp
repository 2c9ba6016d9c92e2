#pragma once
// Grey images of 8 bits: made by a seed, or read from a file of the Netpbm formats.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::juggler {

struct grey_image {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Pixels by rows.
  std::vector<std::uint8_t> pixels{};
};

/// Random pixels of 0 to `brightest`.
[[nodiscard]] grey_image make_image(std::int64_t rows, std::int64_t cols, int brightest,
                                    std::uint64_t seed);

/// Reads a PGM file, plain (P2) or raw (P5), with comments in its header. The first image of a file
/// counts; only white space may follow it. Throws usage_error "FILE: ..." if it is no such file, is
/// cut off, has a pixel above its own maximum, or has pixels of 16 bits.
[[nodiscard]] grey_image read_pgm(std::filesystem::path const& file);
/// Reads the bytes of such a file; `name` is for messages.
[[nodiscard]] grey_image parse_pgm(std::string_view bytes, std::string const& name);

}  // namespace gridloom::juggler
