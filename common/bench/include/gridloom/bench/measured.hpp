#pragma once
// The standard columns: what every program stores of every repetition, with one meaning in all.
// This is the place that says which.

#include <algorithm>

#include "gridloom/bench/column.hpp"

namespace gridloom::bench {

/// The standard columns of one row; the harness fills them. Times are in ms, and NaN in rows whose
/// status is not "ok".
struct measured {
  std::string experiment;  // --label
  std::string arm;         // its name, unique among the arms of its group
  std::string backend;     // where the arm ran: host or cuda
  std::int64_t repetition = 0;
  std::int64_t order = 0;  // place among the arms of this repetition
  double setup_ms = missing_real;
  double copy_in_ms = missing_real;
  double elapsed_ms = missing_real;
  double copy_out_ms = missing_real;
  double end_to_end_ms = missing_real;
  std::string verified = "off";
  std::string status = "ok";
};

/// Their names, units and descriptions.
[[nodiscard]] schema<measured> const& standard_columns();

/// The columns of `own` rows, and the standard ones that are not among them.
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
