// Fuzz target of the Matrix Market reader. Option '8' reads a pattern. The reader must return
// a valid matrix or throw a usage_error of one line that begins with the file name. A sound gzip
// stream must give the same result as the plain text.

#include <algorithm>
#include <utility>
#include <variant>

#include "check.hpp"
#include "fuzz_target.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "gzip.hpp"
#include "memory_file.hpp"

namespace gridloom::fuzz {
namespace {

// A matrix, or the message of the refusal.
using result = std::variant<sparse::any_csr, std::string>;

template <sparse::matrix_value Value>
sparse::any_csr read_as(std::filesystem::path const& path) {
  auto matrix = sparse::read_matrix_market<Value>(path);
  sparse::market_header const header = sparse::read_market_header(path);
  if (header.num_rows != matrix.num_rows || header.num_cols != matrix.num_cols) {
    throw broken_promise("the header has other dimensions than the matrix");
  }
  try {
    sparse::check(matrix, "matrix");
  } catch (usage_error const& error) {
    throw broken_promise(std::string{"returned an invalid "} + error.what());
  }
  return matrix;
}

result read_text(std::string_view text, choices const& options) {
  static memory_file const file;
  file.hold(text);
  std::string const name = file.name();
  try {
    return options.second ? read_as<sparse::no_value>(name) : read_as<double>(name);
  } catch (usage_error const& error) {
    std::string message = error.what();
    if (!message.starts_with(name + ":")) {
      throw broken_promise("refused without naming the file: " + message);
    }
    if (message.find('\n') != std::string::npos) {
      throw broken_promise("refused in more than one line: " + message);
    }
    return message;
  }
}

// Inverts one byte after the two bytes that mark gzip. Which byte depends on the text.
std::string damaged(std::string packed, std::string_view text) {
  std::size_t const hash = std::hash<std::string_view>{}(text);
  char& byte = packed[2 + hash % (packed.size() - 2)];
  byte = static_cast<char>(~byte);
  return packed;
}

// Whether the text has a number from 2^17 to 2^24, which the reader may take for the number of
// rows. Under sanitizers, checking that many rows would take most of the time. The reader refuses
// larger numbers in such a short text.
bool asks_for_many_rows(std::string_view text) {
  constexpr std::uint64_t least = std::uint64_t{1} << 17U;
  constexpr std::uint64_t most = (std::uint64_t{1} << 24U) + 1;
  std::uint64_t number = 0;
  for (char const c : text) {
    if (c >= '0' && c <= '9') {
      number = std::min(number * 10 + static_cast<std::uint64_t>(c - '0'), 2 * most);
    } else {
      if (number >= least && number <= most) return true;
      number = 0;
    }
  }
  return number >= least && number <= most;
}

}  // namespace

outcome fuzz_one(std::span<std::uint8_t const> input) {
  if (input.empty()) return outcome::refused;
  std::string_view const text{reinterpret_cast<char const*>(input.data() + 1), input.size() - 1};
  if (asks_for_many_rows(text)) return outcome::refused;
  choices const options = choices_of(input);
  result const plain = read_text(text, options);
  unsigned const form = input.front() & 3U;
  auto const packed = [](std::string_view part) { return test::gzip(part, 9); };
  if (form == 1 || form == 2) {
    std::size_t const cut = form == 1 ? text.size() : text.size() / 2;
    std::string const rest = form == 1 ? "" : packed(text.substr(cut));
    if (read_text(packed(text.substr(0, cut)) + rest, options) != plain) {
      throw broken_promise("gzip differs from the plain text");
    }
  } else if (form == 3) {
    (void)read_text(damaged(packed(text), text), options);
  }
  return plain.index() == 1 ? outcome::refused : outcome::read;
}

}  // namespace gridloom::fuzz
