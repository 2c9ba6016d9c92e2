#pragma once
// Orders of rows (permutations) as text files: one row number per line, counted from 0. The first
// line has the row that comes first. Ordering programs write such files, and gridloom-matrix
// permute reads them.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"

namespace gridloom::sparse {

/// Reads an order, plain or gzip. Blank lines and lines that begin with '#' are skipped. Throws
/// usage_error "file:line: expected ..., got ..." unless it is a permutation of 0 .. count - 1.
[[nodiscard]] inline std::vector<std::uint32_t> read_order(std::filesystem::path const& path,
                                                           std::uint32_t count) {
  text_lines lines{path};
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(count, false);
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::string_view const word = take_word(rest);
    if (word.empty() || word.front() == '#') continue;
    std::uint32_t row = 0;
    if (!read_number(word, row) || !take_word(rest).empty() || row >= count) {
      lines.refuse("a row number from 0 to " + std::to_string(count) + " - 1", line);
    }
    if (seen[row]) {
      lines.refuse_line("expected each row once, got " + std::to_string(row) + " again");
    }
    seen[row] = true;
    order.push_back(row);
  }
  if (order.size() != count) {
    lines.refuse_line("expected " + std::to_string(count) + " row numbers, got " +
                      std::to_string(order.size()));
  }
  return order;
}

/// Writes an order, completely or not at all. Throws run_error if writing fails.
inline void write_order(std::filesystem::path const& path, std::span<std::uint32_t const> order) {
  std::string text;
  for (std::uint32_t const row : order) text += std::to_string(row) + "\n";
  replace_file(path, std::as_bytes(std::span{text}));
}

}  // namespace gridloom::sparse
