#pragma once
// SHA-256 (FIPS 180-4) of input files, so that a result identifies its input. It is implemented
// here because GPU nodes have no common library that offers it.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gridloom::bench {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<std::byte const> data);

/// The hash of a file, which is read in pieces. Throws run_error if it cannot be read.
[[nodiscard]] std::string sha256_of_file(std::filesystem::path const& path);

}  // namespace gridloom::bench
