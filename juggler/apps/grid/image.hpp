#pragma once
// Grey images of 8 bits, random or read from PGM files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/portable.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler {

/// Random pixels from 0 to `brightest`.
struct random_pixels {
  std::uint64_t seed = 0;
  std::int64_t cols = 0;
  int brightest = 0;

  GRIDLOOM_FN std::uint8_t operator()(std::int64_t row, std::int64_t col) const {
    auto const k = static_cast<std::uint64_t>(row * cols + col);
    random_source random(seed);
    random.skip(k / of_word);
    return of(random.next(), static_cast<unsigned>(k % of_word));
  }
  /// A word gives eight pixels. The upper half of a product is faster than a remainder.
  static constexpr unsigned of_word = 8;
  GRIDLOOM_FN std::uint8_t of(std::uint64_t word, unsigned number) const {
    return static_cast<std::uint8_t>(
        (word >> 8U * number & 0xffU) * (static_cast<std::uint64_t>(brightest) + 1) >> 8U);
  }
};

struct grey_image {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Empty if the pixels are `random`, which are then made where they are needed.
  std::vector<std::uint8_t> pixels{};
  random_pixels random{};
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
