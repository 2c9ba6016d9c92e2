#pragma once
// The tables of a results file: one row per configuration and repetition. Columns hold whole
// numbers, reals or texts, each with a unit and a description. Tables are stored by column, as in
// the file.

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
  /// Unique in its table, such as "elapsed_ms".
  std::string name;
  column_type type;
  /// "ms", "bytes", or "1" for counts; empty for text.
  std::string unit;
  /// One sentence.
  std::string description;
};

/// A value, of the same type as its column: 1.0 fits a real column, but 1 does not.
using cell = std::variant<std::int64_t, double, std::string>;

/// One table. It is as thread-safe as a standard container.
class result_table {
 public:
  /// Throws std::invalid_argument for an empty or repeated name, and for a name that HDF5 cannot
  /// store ("/" inside, ".", or "meta" for the table).
  result_table(std::string name, std::vector<column> columns);

  /// Appends one row with its cells in column order. Text is UTF-8 without NUL. Throws
  /// std::invalid_argument naming the column if the number of cells or a type differs; the table is
  /// then unchanged.
  void add_row(std::vector<cell> row);

  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] std::vector<column> const& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool has_column(std::string_view column_name) const;

  /// The values of one column. Throws std::invalid_argument if there is no such column or it has
  /// another type.
  [[nodiscard]] std::vector<std::int64_t> const& integers(std::string_view column_name) const;
  [[nodiscard]] std::vector<double> const& reals(std::string_view column_name) const;
  [[nodiscard]] std::vector<std::string> const& texts(std::string_view column_name) const;

  /// The values of the column with this index.
  using values =
      std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;
  [[nodiscard]] values const& values_at(std::size_t index) const { return values_.at(index); }

  /// Makes a table from columns, as read from a file. Throws std::invalid_argument if lengths or
  /// types disagree.
  [[nodiscard]] static result_table from_columns(std::string name, std::vector<column> columns,
                                                 std::vector<values> contents);

 private:
  [[nodiscard]] std::size_t index_of(std::string_view column_name, column_type type) const;

  std::string name_;
  std::vector<column> columns_;
  /// The values of each column; every array has rows_ elements.
  std::vector<values> values_;
  std::size_t rows_ = 0;
};

}  // namespace gridloom
