#pragma once
// How results name a file.

#include <filesystem>
#include <string>

namespace gridloom::juggler {

/// The name without folders.
inline std::string file_name(std::string const& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace gridloom::juggler
