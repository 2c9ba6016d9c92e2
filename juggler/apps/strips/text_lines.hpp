#pragma once
// The lines of a text file of a user's, with their numbers for messages.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gridloom::juggler {

/// Used by one thread. The whole file is read when it is made; usage_error names it where it cannot be.
class text_lines {
 public:
  explicit text_lines(std::filesystem::path path);

  /// The next line without its end, of either kind; false behind the last one.
  [[nodiscard]] bool next(std::string_view& line);
  [[nodiscard]] std::string const& name() const { return name_; }
  /// Throws usage_error "FILE:LINE: expected ..., got ...", of the line that was read last.
  [[noreturn]] void refuse(std::string const& expected, std::string_view got) const;
  /// The same of the file as a whole.
  [[noreturn]] void refuse_file(std::string const& message) const;

 private:
  std::string name_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace gridloom::juggler
