#pragma once
// Tables for a reader on a terminal: columns as wide as their widest cell.

#include <cstdio>
#include <string>
#include <vector>

namespace gridloom::bench {

/// Four significant digits; "-" for NaN.
[[nodiscard]] std::string shown_number(double value);

class text_table {
 public:
  explicit text_table(std::vector<std::string> titles) : rows_{std::move(titles)} {}

  void add_column(std::string title) { rows_.front().push_back(std::move(title)); }
  /// As many cells as there are columns; what would command a terminal is escaped.
  void add_row(std::vector<std::string> cells);
  /// Nothing but titles is not printed. The first column stands left, the others right.
  void print(std::FILE* to) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gridloom::bench
