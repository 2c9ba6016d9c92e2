#pragma once
// Helpers for tests of files and messages.

#include <stdlib.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom::test {

using boost::test_tools::per_element;

#if defined(__SANITIZE_THREAD__)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

/// Whether stress tests run at full length. scripts/test --full sets the variable.
inline bool full_stress() { return std::getenv("GRIDLOOM_FULL_STRESS") != nullptr; }

/// A temporary folder, removed at the end of the test.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gridloom-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
  }
  scratch_folder(scratch_folder const&) = delete;
  scratch_folder& operator=(scratch_folder const&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path operator/(std::string const& name) const {
    return path_ / name;
  }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

  /// Sorted names of the files in the folder.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : std::filesystem::directory_iterator{path_}) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

/// Writes and reads whole files of text or bytes.
inline std::filesystem::path write_text(std::filesystem::path const& path, std::string_view text) {
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  return path;
}
inline std::string read_text(std::filesystem::path const& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Whether the text contains the part. A failed check shows both.
inline boost::test_tools::assertion_result contains(std::string_view text, std::string_view part) {
  boost::test_tools::assertion_result found(text.find(part) != text.npos);
  found.message() << '"' << part << "\" is not in \"" << text << '"';
  return found;
}

/// The message of the Error that the function throws. If the function throws no Error, fails the
/// test and returns "".
template <typename Error>
std::string message_of(std::function<void()> const& function) {
  try {
    function();
  } catch (Error const& error) {
    return error.what();
  } catch (std::exception const& error) {
    BOOST_ERROR(std::string{"another type of exception: "} + error.what());
    return "";
  }
  BOOST_ERROR("no exception");
  return "";
}

/// The message of the usage_error of `read(path)`: one line that begins with the path. Returns what
/// stands behind the path.
template <typename Read>
std::string refusal_of(std::filesystem::path const& path, Read const& read) {
  std::string const message = message_of<usage_error>([&] { (void)read(path); });
  BOOST_TEST(message.starts_with(path.string()), message);
  BOOST_TEST(!contains(message, "\n"));
  return message.substr(std::min(message.size(), path.string().size()));
}

}  // namespace gridloom::test
