#pragma once
// Comparison of file names, even of files that do not exist yet.

#include <filesystem>

namespace gridloom {

/// The file that writing to the path creates or replaces. Links are followed, even to files that do
/// not exist yet, and the folder gets its canonical name. Returns the path itself if a folder is
/// missing, and one of the links if links form a circle.
[[nodiscard]] std::filesystem::path destination_of(std::filesystem::path const& path);

/// Whether two names lead to one file: destination_of is the same, or they are hard links.
[[nodiscard]] bool lead_to_one_file(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace gridloom
