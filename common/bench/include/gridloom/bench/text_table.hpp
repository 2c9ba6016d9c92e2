#pragma once
// Tables on a terminal. Each column is as wide as its widest cell.

#include <cstdio>
#include <string>
#include <vector>

namespace gridloom::bench {

/// The number with four significant digits; "-" for NaN.
[[nodiscard]] std::string shown_number(double value);

class text_table {
 public:
  explicit text_table(std::vector<std::string> titles) : rows_{std::move(titles)} {}

  void add_column(std::string title) { rows_.front().push_back(std::move(title)); }
  /// Adds one cell per column. Control characters are escaped.
  void add_row(std::vector<std::string> cells);
  /// Prints nothing if there are no rows. The first column is aligned left, the others right.
  void print(std::FILE* to) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gridloom::bench
