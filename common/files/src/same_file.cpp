#include "gridloom/files/same_file.hpp"

#include <system_error>

namespace gridloom {

namespace fs = std::filesystem;

fs::path destination_of(fs::path const& path) {
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

bool lead_to_one_file(fs::path const& a, fs::path const& b) {
  std::error_code none_there;
  return destination_of(a) == destination_of(b) || fs::equivalent(a, b, none_there);
}

}  // namespace gridloom
