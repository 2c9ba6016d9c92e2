#pragma once
// Columns of results files. A column is declared once, with its name, unit, description, and a
// function that gets its value. The list of columns creates and fills the table of a results file.
//
// A missing value (an empty std::optional) is stored as NaN (real), -1 (whole number) or "" (text).

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/bench/result_table.hpp"

namespace gridloom::bench {

inline constexpr double missing_real = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t missing_integer = -1;

/// The standard columns of a row; see measured.hpp.
struct measured;

namespace detail {

template <class Value>
struct plain {
  using type = Value;
};
template <class Value>
struct plain<std::optional<Value>> {
  using type = Value;
};

template <class Value>
[[nodiscard]] constexpr column_type type_of() {
  using type = typename plain<Value>::type;
  if constexpr (std::is_integral_v<type>) return column_type::integer;
  if constexpr (std::is_floating_point_v<type>) return column_type::real;
  return column_type::text;
}

template <class Value>
[[nodiscard]] cell to_cell(Value const& value) {
  if constexpr (std::is_integral_v<Value>) return static_cast<std::int64_t>(value);
  if constexpr (std::is_floating_point_v<Value>) return static_cast<double>(value);
  if constexpr (!std::is_arithmetic_v<Value>) return std::string(value);
}
template <class Value>
[[nodiscard]] cell to_cell(std::optional<Value> const& value) {
  if (value) return to_cell(*value);
  if constexpr (type_of<Value>() == column_type::integer) return missing_integer;
  if constexpr (type_of<Value>() == column_type::real) return missing_real;
  return std::string();
}

/// Applies a projection to the row, or to the row's problem if it does not take a row.
template <class Projection, class Row>
[[nodiscard]] decltype(auto) projected(Projection const& projection, Row const& row) {
  if constexpr (std::is_invocable_v<Projection, Row const&>) {
    return std::invoke(projection, row);
  } else {
    return std::invoke(projection, *row.problem);
  }
}

}  // namespace detail

/// The counters of programs that count nothing.
struct no_counters {};

/// A row of measurements. It consists of the problem of the run, the settings of the arm, and the
/// counters of the run. A column names a member of any of the three, so no fact is copied by hand.
template <class Problem, class Settings, class Counters = no_counters>
struct row_of : Settings, Counters {
  using problem_type = Problem;
  using settings_type = Settings;

  /// Name in the table of methods; see methods.hpp.
  std::string_view method;
  /// Must outlive harness::run.
  Problem const* problem;
};

/// One column of a table of rows. The result of the projection determines its type: a whole number
/// or bool, a real, or anything that converts to std::string.
template <class Row>
struct field {
  column described;
  std::function<cell(Row const&, measured const&)> value;

  field(column about, std::function<cell(Row const&, measured const&)> by)
      : described(std::move(about)), value(std::move(by)) {}
  /// `projection` is a member of Row or of its problem, or a function of one of these. It may also
  /// be a function of a row and its times, or of a row and elapsed_ms.
  template <class Projection>
  field(std::string name, std::string unit, std::string text, Projection projection) {
    // Generic, because `measured` is not complete here.
    auto const by = [projection](Row const& row, auto const& times) -> decltype(auto) {
      if constexpr (std::is_invocable_v<Projection, Row const&, measured const&>) {
        return std::invoke(projection, row, times);
      } else if constexpr (std::is_invocable_v<Projection, Row const&, double>) {
        return std::invoke(projection, row, times.elapsed_ms);
      } else {
        return detail::projected(projection, row);
      }
    };
    using type = std::decay_t<std::invoke_result_t<decltype(by), Row const&, measured const&>>;
    described = {std::move(name), detail::type_of<type>(), std::move(unit), std::move(text)};
    value = [by](Row const& row, measured const& times) {
      return detail::to_cell(static_cast<type>(by(row, times)));
    };
  }
  /// `inner` is a member or a function of what `outer` gives.
  template <class Outer, class Inner>
  field(std::string name, std::string unit, std::string text, Outer outer, Inner inner)
      : field(std::move(name), std::move(unit), std::move(text), [outer, inner](Row const& row) {
          return std::invoke(inner, detail::projected(outer, row));
        }) {}
};

/// The columns of a table, in order.
template <class Row>
using schema = std::vector<field<Row>>;

/// The descriptions of the columns, for result_table.
template <class Row>
[[nodiscard]] std::vector<column> columns_of(schema<Row> const& fields) {
  std::vector<column> columns;
  for (field<Row> const& one : fields) columns.push_back(one.described);
  return columns;
}

}  // namespace gridloom::bench
