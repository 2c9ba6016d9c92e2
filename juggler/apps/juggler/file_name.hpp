#pragma once
// What results say of a file.

#include <filesystem>
#include <string>

namespace gridloom::juggler {

/// Without its folders.
inline std::string file_name(std::string const& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace gridloom::juggler
