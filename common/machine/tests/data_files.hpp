#pragma once
// The folder of real inputs and the table in its README.md.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace gridloom::test {

inline std::filesystem::path data_dir() { return std::getenv("GRIDLOOM_DATA_DIR"); }

inline std::filesystem::path data_matrix(std::string const& name) {
  return data_dir() / "matrices" / (name + ".mtx.gz");
}

inline std::vector<std::string> split(std::string const& line, char separator) {
  std::vector<std::string> cells;
  std::istringstream row{line};
  for (std::string cell; std::getline(row, cell, separator);) cells.push_back(cell);
  return cells;
}

/// The cells of rows such as "| `LFAT5` | Oberwolfach/LFAT5 | values | 14 | 46 | 5 | 3 | 3 |". The
/// first cell is empty.
inline std::vector<std::vector<std::string>> data_table() {
  std::vector<std::vector<std::string>> rows;
  std::ifstream readme{data_dir() / "README.md"};
  for (std::string line; std::getline(readme, line);) {
    if (!line.starts_with("| `")) continue;
    std::erase_if(line, [](char c) { return c == ' ' || c == '`'; });
    std::vector<std::string> cells = split(line, '|');
    if (cells.size() >= 9) rows.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace gridloom::test
