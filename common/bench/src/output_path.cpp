#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <system_error>

#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/same_file.hpp"
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
  if (fs::is_directory(status)) refuse("expected a file name, but " + shown + " is a folder");
  if (!path.has_filename()) refuse("expected a file name at the end of " + shown);
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status))
      refuse("expected a regular file, but " + shown + " is not one");
    // A rename needs only the folder's permission, but a write-protected file must not change.
    if (::access(path.c_str(), W_OK) != 0)
      refuse("cannot write " + shown + ": the file is write-protected");
  }
  std::string const problem = probe_beside(path);
  if (!problem.empty()) refuse("cannot write " + shown + ": " + problem);
}

namespace fs = std::filesystem;

void require_different_files(
    std::vector<std::pair<std::string, std::filesystem::path>> const& files) {
  // This avoids comparing all pairs by lead_to_one_file, because there may be thousands of inputs.
  std::map<fs::path, std::string> by_name;
  std::map<std::pair<dev_t, ino_t>, std::string> by_number;
  for (auto const& [option, file] : files) {
    if (file.empty()) continue;
    auto const refuse = [&, &given = option, &path = file](std::string const& other) {
      throw usage_error(given + ": expected another file than " + other + ", got " +
                        in_quotes(path.string()));
    };
    auto const [named, first] = by_name.try_emplace(destination_of(file), option);
    if (!first) refuse(named->second);
    struct stat there {};
    if (::stat(file.c_str(), &there) != 0) continue;
    auto const [numbered, alone] = by_number.try_emplace({there.st_dev, there.st_ino}, option);
    if (!alone) refuse(numbered->second);
  }
}

}  // namespace gridloom
