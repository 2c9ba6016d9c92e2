#pragma once
// A column is declared once: its name, unit, sentence of description, and how a row gives its
// value. Rows are structs; the list of their fields makes the table of a results file and fills it.
//
// What was not measured is stored by one rule: a real as NaN, a whole number as -1, a text as "".
// A member std::optional<T> follows the rule when it is empty.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/bench/result_table.hpp"

namespace gridloom::bench {

inline constexpr double missing_real = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t missing_integer = -1;

struct measured;  // the standard columns of a row, see measured.hpp

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

}  // namespace detail

/// One column of a table of rows. The type follows from the projection's: whole numbers and bool,
/// reals, or anything that makes a std::string.
template <class Row>
struct field {
  column described;
  std::function<cell(Row const&, measured const&)> value;

  field(column of, std::function<cell(Row const&, measured const&)> by)
      : described(std::move(of)), value(std::move(by)) {}
  /// `projection`: a member of Row, or what is called with a row, or with a row and its times.
  template <class Projection>
  field(std::string name, std::string unit, std::string text, Projection projection) {
    if constexpr (std::is_invocable_v<Projection, Row const&, measured const&>) {
      using type = std::decay_t<std::invoke_result_t<Projection, Row const&, measured const&>>;
      described = {std::move(name), detail::type_of<type>(), std::move(unit), std::move(text)};
      value = [projection](Row const& row, measured const& times) {
        return detail::to_cell(static_cast<type>(std::invoke(projection, row, times)));
      };
    } else {
      using type = std::decay_t<std::invoke_result_t<Projection, Row const&>>;
      described = {std::move(name), detail::type_of<type>(), std::move(unit), std::move(text)};
      value = [projection](Row const& row, measured const&) {
        return detail::to_cell(static_cast<type>(std::invoke(projection, row)));
      };
    }
  }
};

/// The columns of a table, in order.
template <class Row>
using schema = std::vector<field<Row>>;

/// The descriptions of the columns, as a result_table takes them.
template <class Row>
[[nodiscard]] std::vector<column> columns_of(schema<Row> const& fields) {
  std::vector<column> columns;
  for (field<Row> const& one : fields) columns.push_back(one.described);
  return columns;
}

}  // namespace gridloom::bench
