#pragma once
// Line after line of a text_source, for readers that need no more than one thread, and which line
// a record stood on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/parse.hpp"
#include "text_scan.hpp"
#include "text_source.hpp"

namespace gridloom::sparse {

/// Calls take(cursor, number) for every line. Returns the number of the last one, which is where a
/// message places the end of the file; 1 for an empty file.
template <typename Take>
std::uint64_t for_each_line(text_source& source, Take&& take) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20U;
  text_block block;
  std::uint64_t last = 1;
  while (source.next(block, block_bytes)) {
    cursor text{block.text.data(), block.text.data() + block.text.size()};
    for (std::uint64_t number = block.first_line; !text.done(); ++number) {
      cursor const line = take_line(text);
      take(line, number);
      last = number;
    }
  }
  return last;
}

/// Error paths: the number of a file's last line. Reads the file once more.
inline std::uint64_t last_line_of(std::filesystem::path const& path) {
  text_source source{path};
  return for_each_line(source, [](cursor, std::uint64_t) {});
}

/// The line of each record, where a record is a line: only the jumps over comments take memory.
class line_map {
 public:
  /// The next record stands on this line, behind the line of the record before.
  void append(std::uint64_t line) {
    std::uint64_t const record = size_++;
    if (line != next_line_) jumps_.emplace_back(record, line);
    next_line_ = line + 1;
  }

  [[nodiscard]] std::uint64_t operator[](std::uint64_t record) const {
    auto const after = std::upper_bound(
        jumps_.begin(), jumps_.end(), record,
        [](std::uint64_t wanted, auto const& jump) { return wanted < jump.first; });
    if (after == jumps_.begin()) return record + 1;
    auto const& [first, line] = *std::prev(after);
    return line + (record - first);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> jumps_;  // record, its line
  std::uint64_t size_ = 0;
  std::uint64_t next_line_ = 1;
};

/// What a message says of the place where the cursor stands.
inline std::string word_at(cursor line) {
  std::string_view const word = take_word(line);
  return word.empty() ? "the end of the line" : in_quotes(word);
}

}  // namespace gridloom::sparse
