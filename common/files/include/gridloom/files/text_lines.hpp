#pragma once
// The lines of a text file, plain or gzip (recognised by its content). All readers of text formats
// use this class, so that they number lines, unpack and report errors in the same way. Only one
// block of the text is in memory, whatever sizes a header claims.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gridloom {

/// Longer lines are refused, because a line is held in memory as a whole.
inline constexpr std::size_t longest_line_bytes = std::size_t{1} << 26U;

/// Reads a file once, from front to back. Used by one thread at a time. Every error is a
/// usage_error that begins with the file name and, if known, the line number.
class text_lines {
 public:
  /// Opens a regular file.
  explicit text_lines(std::filesystem::path const& path,
                      std::size_t longest_line = longest_line_bytes);
  text_lines(text_lines const&) = delete;
  text_lines& operator=(text_lines const&) = delete;
  ~text_lines();

  /// Gets the next line without its end ("\n" or "\r\n"), valid until the next call. Returns false
  /// after the last line. Refuses too long lines, and gzip streams that are damaged or end early.
  [[nodiscard]] bool next(std::string_view& line);

  /// Number of the last line read, counted from 1; 0 before the first.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }
  /// Size of the file on disk in bytes.
  [[nodiscard]] std::uint64_t file_bytes() const;

  /// Throws "FILE:LINE: message" for the last line read, or for line 1 if no line was read.
  [[noreturn]] void refuse_line(std::string const& message) const;
  /// Throws "FILE:LINE: expected ..., got "..."".
  [[noreturn]] void refuse(std::string const& expected, std::string_view got) const;
  /// Throws "FILE: message".
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

/// Removes the next word from the front of a line and returns it; empty if only blanks are left.
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
