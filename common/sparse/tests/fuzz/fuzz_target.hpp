#pragma once
// A fuzz target of a text reader, run by libFuzzer and by the seeds test. The first byte of an
// input, a printable character, selects the form of the text. The text follows.
//
//   bits 0 and 1   '0' plain, '1' gzip, '2' gzip in two members, '3' gzip with a damaged byte
//   bits 2 and 3   options of the target: '4' for the first, '8' for the second

#include <cstdint>
#include <span>
#include <stdexcept>

namespace gridloom::fuzz {

/// Thrown when the reader breaks its contract.
class broken_promise : public std::logic_error {
  using std::logic_error::logic_error;
};

enum class outcome { read, refused };

/// Reads an input. Defined by each target. Throws broken_promise, or an exception that the reader
/// must not throw.
outcome fuzz_one(std::span<std::uint8_t const> input);

/// The options of an input, from its first byte. All are false for an empty input.
struct choices {
  bool first = false;
  bool second = false;
};
[[nodiscard]] inline choices choices_of(std::span<std::uint8_t const> input) {
  if (input.empty()) return {};
  return {(input.front() & 4U) != 0, (input.front() & 8U) != 0};
}

}  // namespace gridloom::fuzz
