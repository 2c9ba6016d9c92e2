#pragma once
// Orders of rows (permutations) as text: one row number per line, counted from 0, the row that comes
// first on the first line. gridloom-matrix permute reads them, ordering programs write them.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace gridloom::sparse {

/// Reads an order, plain or gzip; blank lines and lines that start with '#' are skipped. Throws
/// usage_error "file:line: expected ..., got ..." unless it is a permutation of 0 .. count - 1.
[[nodiscard]] std::vector<std::uint32_t> read_order(std::filesystem::path const& path,
                                                    std::uint32_t count);

/// Writes an order; the file is there whole or not at all. Throws run_error when writing fails.
void write_order(std::filesystem::path const& path, std::span<std::uint32_t const> order);

}  // namespace gridloom::sparse
