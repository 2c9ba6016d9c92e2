#include <unistd.h>

#include <system_error>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/file/atomic_file.hpp"
#include "gridloom/file/same_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom {

void require_writable(std::filesystem::path const& path, std::string_view option) {
  namespace fs = std::filesystem;
  std::string const shown = "\"" + path.string() + "\"";
  auto const refuse = [&](std::string const& what) {
    throw usage_error(std::string{option} + ": " + what);
  };
  if (path.empty()) refuse("expected a file name, got an empty one");
  fs::path const folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    refuse("cannot write " + shown + ": there is no folder \"" + folder.string() + "\"");
  }
  fs::file_status const status = fs::status(path, failed);
  if (fs::is_directory(status)) refuse("expected a file, " + shown + " is a folder");
  if (!path.has_filename()) refuse("expected a file name at the end of " + shown);
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status)) refuse("expected a regular file, " + shown + " is not one");
    // The folder alone decides whether a rename succeeds; a write-protected file means hands off.
    if (::access(path.c_str(), W_OK) != 0) refuse("cannot write " + shown + ": write-protected");
  }
  std::string const problem = probe_beside(path);
  if (!problem.empty()) refuse("cannot write " + shown + ": " + problem);
}

void require_different_files(
    std::vector<std::pair<std::string, std::filesystem::path>> const& files) {
  for (std::size_t k = 0; k < files.size(); ++k) {
    for (std::size_t before = 0; before < k; ++before) {
      auto const& [option, file] = files[k];
      auto const& [other, other_file] = files[before];
      if (file.empty() || other_file.empty() || !lead_to_one_file(file, other_file)) continue;
      throw usage_error(option + ": expected another file than " + other + ", got " +
                        in_quotes(file.string()));
    }
  }
}

}  // namespace gridloom
