#pragma once
// The tables of a results file: one row a configuration and repetition, columns of whole numbers,
// reals or text, each with a unit and a sentence of description. Stored by column, as in the file.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gridloom {

enum class column_type { integer, real, text };

/// "integer", "real" or "text".
[[nodiscard]] std::string_view name_of(column_type type);

struct column {
  std::string name;  // unique in its table, such as "elapsed_ms"
  column_type type;
  std::string unit;         // "ms", "bytes", "1" for counts; empty for text
  std::string description;  // one sentence
};

/// The alternative must be that of the column: 1 does not fit a real column, 1.0 does.
using cell = std::variant<std::int64_t, double, std::string>;

/// Concurrency: like a standard container, many readers or one writer.
class result_table {
 public:
  /// Throws std::invalid_argument on an empty or repeated name and on one that HDF5 cannot hold
  /// ("/" inside, ".", or "meta" for the table).
  result_table(std::string name, std::vector<column> columns);

  /// Appends one row, cells in column order; text is UTF-8 without NUL. Throws
  /// std::invalid_argument naming the column when the count or a type differs; the table is then
  /// unchanged.
  void add_row(std::vector<cell> row);

  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] std::vector<column> const& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool has_column(std::string_view column_name) const;

  /// All rows() values of one column. Throws std::invalid_argument when there is no such column or
  /// it is of another type.
  [[nodiscard]] std::vector<std::int64_t> const& integers(std::string_view column_name) const;
  [[nodiscard]] std::vector<double> const& reals(std::string_view column_name) const;
  [[nodiscard]] std::vector<std::string> const& texts(std::string_view column_name) const;

  /// The values of one column by its place; index must be less than columns().size().
  using values =
      std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;
  [[nodiscard]] values const& values_at(std::size_t index) const { return values_.at(index); }

  /// A table of whole columns, as read from a file. Throws std::invalid_argument when lengths or
  /// types disagree.
  [[nodiscard]] static result_table from_columns(std::string name, std::vector<column> columns,
                                                 std::vector<values> contents);

 private:
  [[nodiscard]] std::size_t index_of(std::string_view column_name, column_type type) const;

  std::string name_;
  std::vector<column> columns_;
  std::vector<values> values_;  // one a column, all of length rows_
  std::size_t rows_ = 0;
};

}  // namespace gridloom
