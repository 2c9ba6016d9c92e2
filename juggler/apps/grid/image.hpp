#pragma once
// Grey images of 8 bits, random or read from PGM files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::juggler {

struct grey_image {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::uint8_t> pixels{};
};

/// Makes random pixels from 0 to `brightest`.
[[nodiscard]] grey_image make_image(std::int64_t rows, std::int64_t cols, int brightest,
                                    std::uint64_t seed);

/// Reads the first image of a PGM file, plain (P2) or raw (P5), with comments in its header. Only
/// white space may follow it. Throws usage_error "FILE: ..." for other files, missing pixels,
/// pixels above the maximum in the header, and pixels of 16 bits.
[[nodiscard]] grey_image read_pgm(std::filesystem::path const& file);
/// Reads the bytes of such a file; messages use `name`.
[[nodiscard]] grey_image parse_pgm(std::string_view bytes, std::string const& name);

}  // namespace gridloom::juggler
