#pragma once
// The standard columns, which all programs store for every repetition with the same meaning.

#include <algorithm>

#include "gridloom/bench/column.hpp"

namespace gridloom::bench {

/// The standard columns of one row, filled by the harness. Times are in ms, and NaN if the status
/// is not "ok".
struct measured {
  /// Value of --label.
  std::string experiment;
  /// Name of the arm, unique in its group.
  std::string arm;
  /// Where the arm ran: host or cuda.
  std::string backend;
  std::int64_t repetition = 0;
  /// Place in the order of the arms in this repetition.
  std::int64_t order = 0;
  double setup_ms = missing_real;
  double copy_in_ms = missing_real;
  double elapsed_ms = missing_real;
  double copy_out_ms = missing_real;
  double end_to_end_ms = missing_real;
  std::string verified = "off";
  std::string status = "ok";
};

/// Names, units and descriptions of the standard columns.
[[nodiscard]] schema<measured> const& standard_columns();

/// The columns `own`, then the standard ones that are not among them.
template <class Row>
[[nodiscard]] schema<Row> with_standard_columns(schema<Row> own) {
  for (field<measured> const& one : standard_columns()) {
    if (std::any_of(own.begin(), own.end(), [&](field<Row> const& other) {
          return other.described.name == one.described.name;
        }))
      continue;
    own.emplace_back(one.described,
                     [one](Row const&, measured const& times) { return one.value(times, times); });
  }
  return own;
}

/// A table of a results file that is filled from structs.
template <class Row>
class table {
 public:
  table(std::string name, schema<Row> fields)
      : fields_(std::move(fields)), contents_(std::move(name), columns_of(fields_)) {}

  void add(Row const& row, measured const& times = {}) {
    std::vector<cell> cells;
    for (field<Row> const& one : fields_) cells.push_back(one.value(row, times));
    contents_.add_row(std::move(cells));
  }

  [[nodiscard]] result_table const& contents() const { return contents_; }

 private:
  schema<Row> fields_;
  result_table contents_;
};

}  // namespace gridloom::bench
