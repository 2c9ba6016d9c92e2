#pragma once
// What the fuzz targets of the text readers share. An input is one byte that says in which form the
// reader gets the text, then the text. Written as a character, so that seeds can be read:
//
//   bits 0 and 1   '0' plain, '1' gzip, '2' gzip in two members, '3' gzip with a damaged byte
//   bits 2 and 3   options, for the target to use: '4' the first, '8' the second
//
// The promise that is checked: a reader throws a usage_error of one line that begins with the name
// of the file, or returns a valid matrix; and a sound gzip stream gives what the plain text gives.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::fuzz {

/// The reader broke its promise.
class broken_promise : public std::logic_error {
  using std::logic_error::logic_error;
};

enum class outcome { read, refused };

/// Reads an input by the reader that the target is for; each target defines it. Throws
/// broken_promise, or whatever else the reader should not have thrown.
outcome fuzz_one(std::span<std::uint8_t const> input);

/// The options of an input, from its first byte; false for an empty one.
struct choices {
  bool first = false;
  bool second = false;
};
[[nodiscard]] inline choices choices_of(std::span<std::uint8_t const> input) {
  if (input.empty()) return {};
  return {(input.front() & 4U) != 0, (input.front() & 8U) != 0};
}

/// Whether a number of the text is one of those that a reader may take for so many rows that
/// checking them, and not the reading, would be what is done all day under sanitizers: from 2^17 to
/// 2^24, what is always_plausible_rows. Larger numbers are refused for a text as short as these.
[[nodiscard]] bool asks_for_many_rows(std::span<std::uint8_t const> input);

/// Hands the text to the reader as a file in memory and checks the promise. `extra`, where given,
/// checks more of a matrix that was read, and returns what is wrong with it or nothing.
outcome check_reader(std::span<std::uint8_t const> input,
                     std::function<sparse::any_csr(std::filesystem::path const&)> const& read,
                     std::function<std::string(sparse::any_csr const&)> const& extra = {});

/// Says which entry of a matrix has no equal at the other side of the diagonal; "" if none.
[[nodiscard]] std::string first_one_sided(sparse::any_csr const& matrix);

}  // namespace gridloom::fuzz
