#pragma once
// Comparison of file names, even of files that do not exist yet.

#include <filesystem>
#include <system_error>

namespace gridloom {

/// The file that writing to the path creates or replaces. Links are followed, even to files that do
/// not exist yet, and the folder gets its canonical name. Returns the path itself if a folder is
/// missing, and one of the links if links form a circle.
[[nodiscard]] inline std::filesystem::path destination_of(std::filesystem::path const& path) {
  namespace fs = std::filesystem;
  // Linux follows at most this many links.
  constexpr int most_links = 40;
  std::error_code failed;
  fs::path at = path;
  for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(at, failed)); ++k) {
    fs::path const next = fs::read_symlink(at, failed);
    if (failed) return path;
    // If `next` is absolute, it replaces the folder.
    at = at.parent_path() / next;
  }
  fs::path const folder = fs::canonical(at.has_parent_path() ? at.parent_path() : ".", failed);
  return failed ? path : folder / at.filename();
}

/// Whether two names lead to one file: destination_of is the same, or they are hard links.
[[nodiscard]] inline bool lead_to_one_file(std::filesystem::path const& a,
                                           std::filesystem::path const& b) {
  std::error_code none_there;
  return destination_of(a) == destination_of(b) || std::filesystem::equivalent(a, b, none_there);
}

}  // namespace gridloom
