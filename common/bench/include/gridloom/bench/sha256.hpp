#pragma once
// SHA-256 (FIPS 180-4) of the files that a program reads, so that a result names its input.
// Written out because no library that every GPU node has offers it.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gridloom::bench {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<std::byte const> data);

/// The same of a file's content, read in pieces. Throws run_error when it cannot be read.
[[nodiscard]] std::string sha256_of_file(std::filesystem::path const& path);

}  // namespace gridloom::bench
