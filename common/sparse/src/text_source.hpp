#pragma once
// Plain or gzip text in blocks of whole lines, with bounded memory whatever the file claims. What
// the readers of text formats stand on; not part of the public headers.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom::sparse {

/// A line longer than this is refused: the readers hold whole lines in memory.
inline constexpr std::size_t longest_line_bytes = std::size_t{1} << 26U;

/// A piece of the text that ends behind a line end, or at the end of the file.
struct text_block {
  std::vector<char> text;
  std::uint64_t first_line = 1;  // number of its first line, from 1
  std::uint64_t line_ends = 0;

  [[nodiscard]] std::string_view view() const { return {text.data(), text.size()}; }
};

/// Reads a file once, front to back. One thread at a time.
class text_source {
 public:
  /// Opens a regular file and looks whether it is gzip. Throws usage_error naming the file.
  explicit text_source(std::filesystem::path const& path,
                       std::size_t longest_line = longest_line_bytes);
  text_source(text_source const&) = delete;
  text_source& operator=(text_source const&) = delete;
  ~text_source();

  /// The next block, of about this many bytes and at least a line; false at the end. Throws
  /// usage_error on a damaged or truncated gzip stream, naming the line reached, and on a line that
  /// is too long. Of a truncated stream no begun line is handed out.
  [[nodiscard]] bool next(text_block& block, std::size_t bytes);

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

 private:
  struct stream;

  // Adds whole lines, or what is left, to the begun line in the text.
  void fill(std::vector<char>& text, std::size_t step);

  // Up to so many bytes of text behind what is there, fewer only at the end; returns how many.
  std::size_t append(std::vector<char>& text, std::size_t bytes);

  std::filesystem::path path_;
  std::size_t longest_line_;
  std::unique_ptr<stream> stream_;
  std::vector<char> rest_;  // begun line of the next block
  std::uint64_t next_line_ = 1;
};

/// usage_error "path:line: message".
[[noreturn]] void refuse_line(std::filesystem::path const& path, std::uint64_t line,
                              std::string const& message);

/// Calls the function, which reads the file; running out of memory becomes a usage_error.
template <typename Function>
auto within_memory(std::filesystem::path const& path, Function&& function) {
  try {
    return function();
  } catch (std::bad_alloc const&) {
    throw usage_error(path.string() + ": does not fit into memory");
  }
}

}  // namespace gridloom::sparse
