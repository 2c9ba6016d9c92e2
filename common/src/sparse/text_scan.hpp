#pragma once
// Tokens of one line. A cursor moves over a piece of text that ends with its line; all functions
// leave it where they stopped, so that the caller can say what stands there.

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace gridloom::sparse {

struct cursor {
  char const* at;
  char const* end;

  [[nodiscard]] bool done() const { return at == end; }
  [[nodiscard]] std::string_view rest() const { return {at, static_cast<std::size_t>(end - at)}; }
};

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

/// A decimal whole number without sign; false when there is none or it exceeds 64 bits. The number
/// must end at a blank or at the end.
inline bool take_unsigned(cursor& line, std::uint64_t& number) {
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
  if (line.at == begin || (line.at != line.end && !is_blank(*line.at))) {
    line.at = begin;
    return false;
  }
  number = value;
  return true;
}

/// A decimal number, NaN or infinity; false when there is none or it overflows. Values too small
/// for the type become 0 or subnormal. Read as the type itself: by way of double, a float could be
/// rounded twice. A leading '+' is allowed.
template <std::floating_point Real>
bool take_real(cursor& line, Real& number) {
  skip_blanks(line);
  char const* begin = line.at;
  if (line.at != line.end && *line.at == '+' && line.end - line.at > 1 && line.at[1] != '-') {
    ++begin;
  }
  auto const [last, error] = std::from_chars(begin, line.end, number);
  if (last == begin || (last != line.end && !is_blank(*last))) return false;
  if (error == std::errc::result_out_of_range) {
    // from_chars reports tiny and huge alike and leaves the number: an exponent below 0 is tiny.
    std::string_view const text{begin, static_cast<std::size_t>(last - begin)};
    auto const exponent = text.find_first_of("eE");
    bool const tiny = exponent != std::string_view::npos ? text.substr(exponent + 1, 1) == "-"
                                                         : text.find('.') != std::string_view::npos;
    if (!tiny) return false;
    number = text.front() == '-' ? Real{-0.0F} : Real{0};
  } else if (error != std::errc{}) {
    return false;
  }
  line.at = last;
  return true;
}

}  // namespace gridloom::sparse
