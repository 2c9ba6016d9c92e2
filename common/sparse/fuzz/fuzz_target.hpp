#pragma once
// A fuzz target of a text reader, as libFuzzer and the seeds test run it. An input is one byte that
// says in which form the reader gets the text, then the text. The byte is written as a character, so
// that seeds can be read:
//
//   bits 0 and 1   '0' plain, '1' gzip, '2' gzip in two members, '3' gzip with a damaged byte
//   bits 2 and 3   options, for the target to use: '4' the first, '8' the second

#include <cstdint>
#include <span>
#include <stdexcept>

namespace gridloom::fuzz {

/// Thrown when the reader breaks its contract.
class broken_promise : public std::logic_error {
  using std::logic_error::logic_error;
};

enum class outcome { read, refused };

/// Reads an input; each target defines it. Throws broken_promise, or whatever else the reader should
/// not have thrown.
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

}  // namespace gridloom::fuzz
