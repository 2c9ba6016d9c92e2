#pragma once
// Where names of files lead, whether or not there is a file yet.

#include <filesystem>

namespace gridloom {

/// The file that writing to the path creates or replaces: links are followed, also those that lead
/// to no file yet, and the folder is spelled in the one canonical way. The path itself where a
/// folder on the way is missing; a link where links lead in a circle.
[[nodiscard]] std::filesystem::path destination_of(std::filesystem::path const& path);

/// Whether two names are of one file: by destination_of, or because the system knows them as one
/// (several hard links).
[[nodiscard]] bool lead_to_one_file(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace gridloom
