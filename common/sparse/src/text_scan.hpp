#pragma once
// Tokens of one line. A cursor moves over a piece of text that ends with its line; all functions
// leave it where they stopped, so that the caller can say what stands there.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

namespace gridloom::sparse {

struct cursor {
  char const* at;
  char const* end;

  [[nodiscard]] bool done() const { return at == end; }
  [[nodiscard]] std::string_view rest() const { return {at, static_cast<std::size_t>(end - at)}; }
};

/// The next line of a text that is not done, without its '\n' (a '\r' before it counts as blank).
inline cursor take_line(cursor& text) {
  auto const* const found =
      static_cast<char const*>(std::memchr(text.at, '\n', text.rest().size()));
  cursor const line{text.at, found == nullptr ? text.end : found};
  text.at = found == nullptr ? text.end : found + 1;
  return line;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline void skip_blanks(cursor& line) {
  while (line.at != line.end && is_blank(*line.at)) ++line.at;
}

/// The text up to the next blank.
inline std::string_view take_word(cursor& line) {
  skip_blanks(line);
  char const* const begin = line.at;
  while (line.at != line.end && !is_blank(*line.at)) ++line.at;
  return {begin, static_cast<std::size_t>(line.at - begin)};
}

/// The digits of a whole number, whatever stands behind them; false when there is none or it
/// exceeds 64 bits.
inline bool take_digits(cursor& line, std::uint64_t& number) {
  skip_blanks(line);
  char const* const begin = line.at;
  std::uint64_t value = 0;
  while (line.at != line.end) {
    unsigned const digit = static_cast<unsigned char>(*line.at) - unsigned{'0'};
    if (digit > 9) break;
    // 19 digits always fit; the general case needs the check.
    if (line.at - begin >= 19) {
      auto const [last, error] = std::from_chars(begin, line.end, value);
      if (error != std::errc{}) {
        line.at = begin;
        return false;
      }
      line.at = last;
      break;
    }
    value = value * 10 + digit;
    ++line.at;
  }
  if (line.at == begin) return false;
  number = value;
  return true;
}

/// A decimal whole number without sign; false when there is none or it exceeds 64 bits. The number
/// must end at a blank or at the end.
inline bool take_unsigned(cursor& line, std::uint64_t& number) {
  skip_blanks(line);
  char const* const begin = line.at;
  std::uint64_t value = 0;
  if (!take_digits(line, value) || (line.at != line.end && !is_blank(*line.at))) {
    line.at = begin;
    return false;
  }
  number = value;
  return true;
}

/// Of a decimal number that is not 0 and out of the range of its type: whether it is too small.
inline bool is_tiny(std::string_view text) {
  auto const mantissa = text.substr(0, text.find_first_of("eE"));
  auto const point = std::min(mantissa.find('.'), mantissa.size());
  auto const first = mantissa.find_first_of("123456789");
  // The power of ten of the first digit, but for one: far from 0 in both cases.
  auto magnitude = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  if (mantissa.size() < text.size()) {
    std::string_view exponent = text.substr(mantissa.size() + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    std::int64_t power = 0;
    auto const parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
    if (parsed.ec != std::errc{}) return exponent.starts_with('-');
    constexpr std::int64_t beyond_any_mantissa = std::int64_t{1} << 60U;
    magnitude += std::clamp(power, -beyond_any_mantissa, beyond_any_mantissa);
  }
  return magnitude < 0;
}

/// A decimal number, NaN or infinity that ends at a blank or at the end; false when there is none
/// or it overflows. Values too small for the type become 0 or subnormal. A leading '+' is allowed.
/// Read as the type itself: by way of double, a float could be rounded twice.
template <std::floating_point Real>
bool take_real(cursor& line, Real& number) {
  skip_blanks(line);
  char const* begin = line.at;
  if (line.at != line.end && *line.at == '+' && line.end - line.at > 1 && line.at[1] != '-') {
    ++begin;
  }
  Real value = 0;
  auto const [last, error] = std::from_chars(begin, line.end, value);
  if (last == begin || (last != line.end && !is_blank(*last))) return false;
  std::string_view const text{begin, static_cast<std::size_t>(last - begin)};
  if (error == std::errc::result_out_of_range) {
    // from_chars reports tiny and huge alike and leaves the value.
    if (!is_tiny(text)) return false;
    value = text.front() == '-' ? -Real{0} : Real{0};
  } else if (error != std::errc{}) {
    return false;
  } else if (std::isinf(value) && text.find_first_of("0123456789") != std::string_view::npos) {
    return false;  // some libraries round to infinity instead of reporting it
  }
  number = value;
  line.at = last;
  return true;
}

}  // namespace gridloom::sparse
