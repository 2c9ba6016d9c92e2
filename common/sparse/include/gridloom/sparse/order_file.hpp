#pragma once
// Orders of rows (permutations) as text files: one row number per line, counted from 0. The first
// line has the row that comes first. Ordering programs write such files, and gridloom-matrix
// permute reads them.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace gridloom::sparse {

/// Reads an order, plain or gzip. Blank lines and lines that begin with '#' are skipped. Throws
/// usage_error "file:line: expected ..., got ..." unless it is a permutation of 0 .. count - 1.
[[nodiscard]] std::vector<std::uint32_t> read_order(std::filesystem::path const& path,
                                                    std::uint32_t count);

/// Writes an order, completely or not at all. Throws run_error if writing fails.
void write_order(std::filesystem::path const& path, std::span<std::uint32_t const> order);

}  // namespace gridloom::sparse
