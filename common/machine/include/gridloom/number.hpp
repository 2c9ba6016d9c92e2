#pragma once
// The only reader of numbers that users write, in options and in text files. std::from_chars alone
// does not accept '+', and reports numbers that are too small for their type as errors.

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace gridloom {

/// Reads a text that is one decimal number: an optional sign, then digits. A real number may also
/// have a point and an exponent, or be "nan" or "inf". Returns false, and leaves `number` alone,
/// for any other text and for a number beyond the range of its type. A real number that is too
/// small for its type becomes 0 or subnormal. Text is rounded directly to the type, because a
/// conversion through double could round a float twice.
template <typename Number>
[[nodiscard]] bool read_number(std::string_view text, Number& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  char const* const end = text.data() + text.size();
  Number value{};
  auto const [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) {
    if constexpr (!std::floating_point<Number>) return false;
    // strtod and strtof distinguish a number that is too small from one that is too large.
    std::string const copy{text};
    if constexpr (std::same_as<Number, float>) value = std::strtof(copy.c_str(), nullptr);
    if constexpr (std::same_as<Number, double>) value = std::strtod(copy.c_str(), nullptr);
    if (std::isinf(value)) return false;
  }
  number = value;
  return true;
}

}  // namespace gridloom
