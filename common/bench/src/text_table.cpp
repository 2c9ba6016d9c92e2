#include "gridloom/bench/text_table.hpp"

#include <algorithm>
#include <cmath>

#include "gridloom/printable.hpp"

namespace gridloom::bench {

std::string shown_number(double value) {
  if (std::isnan(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// Cells may hold names from files, whose control characters must not reach the terminal.
void text_table::add_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void text_table::print(std::FILE* to) const {
  if (rows_.size() < 2) return;
  std::vector<int> widths(rows_.front().size(), 0);
  for (auto const& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths.at(i) = std::max(widths.at(i), static_cast<int>(row[i].size()));
    }
  }
  for (auto const& row : rows_) {
    std::fprintf(to, "%-*s", widths[0], row[0].c_str());
    for (std::size_t i = 1; i < row.size(); ++i) {
      std::fprintf(to, "  %*s", widths[i], row[i].c_str());
    }
    std::fputc('\n', to);
  }
}

}  // namespace gridloom::bench
