#pragma once
// The lines of a text file, plain or gzip (told by its content), one after the other. Every reader of
// a text format stands on this one, so that all of them number lines, unpack, and refuse alike. It
// holds one block of the text: memory follows the text that is there, not what a header claims.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gridloom {

/// A longer line is refused, because a line is held as a whole.
inline constexpr std::size_t longest_line_bytes = std::size_t{1} << 26U;

/// Reads a file once, front to back. One thread at a time. Every error is a usage_error that begins
/// with the name of the file, followed by the number of the line where there is one.
class text_lines {
 public:
  /// Opens a regular file.
  explicit text_lines(std::filesystem::path const& path,
                      std::size_t longest_line = longest_line_bytes);
  text_lines(text_lines const&) = delete;
  text_lines& operator=(text_lines const&) = delete;
  ~text_lines();

  /// The next line without its end ("\n" or "\r\n"), valid until the next call; false behind the last
  /// one. Refuses a line that is too long and a gzip stream that is damaged or ends early.
  [[nodiscard]] bool next(std::string_view& line);

  /// Number of the line that was read last, from 1; 0 before the first.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }
  /// Bytes of the file on the disk.
  [[nodiscard]] std::uint64_t file_bytes() const;

  /// "FILE:LINE: message", of the line that was read last; of line 1 in an empty file.
  [[noreturn]] void refuse_line(std::string const& message) const;
  /// "FILE:LINE: expected ..., got "..."".
  [[noreturn]] void refuse(std::string const& expected, std::string_view got) const;
  /// "FILE: message".
  [[noreturn]] void refuse_file(std::string const& message) const;

 private:
  struct stream;

  bool read_more();

  std::filesystem::path path_;
  std::size_t longest_line_;
  std::unique_ptr<stream> stream_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
};

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Takes the next word off the front of a line; an empty one when only blanks are left.
inline std::string_view take_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  std::string_view const word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace gridloom
