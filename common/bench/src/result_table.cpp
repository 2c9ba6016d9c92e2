#include "gridloom/bench/result_table.hpp"

#include <stdexcept>
#include <utility>

namespace gridloom {
namespace {

// The alternatives of `cell` and `values` must have the order of the enumerators.
static_assert(static_cast<std::size_t>(column_type::integer) == 0);
static_assert(static_cast<std::size_t>(column_type::real) == 1);
static_assert(static_cast<std::size_t>(column_type::text) == 2);

void check_link_name(std::string const& name, std::string const& what) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos || name.find('\n') != std::string::npos) {
    throw std::invalid_argument(what + " \"" + name +
                                "\": expected a name without \"/\", line break or NUL");
  }
}

result_table::values empty_values(column_type type) {
  switch (type) {
    case column_type::integer: return std::vector<std::int64_t>{};
    case column_type::real: return std::vector<double>{};
    case column_type::text: return std::vector<std::string>{};
  }
  throw std::invalid_argument("column type out of range");
}

std::size_t length_of(result_table::values const& values) {
  return std::visit([](auto const& vector) { return vector.size(); }, values);
}

}  // namespace

std::string_view name_of(column_type type) {
  switch (type) {
    case column_type::integer: return "integer";
    case column_type::real: return "real";
    case column_type::text: return "text";
  }
  throw std::invalid_argument("column type out of range");
}

result_table::result_table(std::string name, std::vector<column> columns)
    : name_{std::move(name)}, columns_{std::move(columns)} {
  check_link_name(name_, "table");
  if (name_ == "meta") throw std::invalid_argument("table \"meta\": the name is taken");
  values_.reserve(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    check_link_name(columns_[i].name, "table \"" + name_ + "\", column");
    for (std::size_t j = 0; j < i; ++j) {
      if (columns_[i].name == columns_[j].name) {
        throw std::invalid_argument("table \"" + name_ + "\": column \"" + columns_[i].name +
                                    "\" occurs twice");
      }
    }
    values_.push_back(empty_values(columns_[i].type));
  }
}

void result_table::add_row(std::vector<cell> row) {
  if (row.size() != columns_.size()) {
    throw std::invalid_argument("table \"" + name_ + "\": expected " +
                                std::to_string(columns_.size()) + " cells in a row, got " +
                                std::to_string(row.size()));
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    auto const got = static_cast<column_type>(row[i].index());
    std::string const place = "table \"" + name_ + "\", column \"" + columns_[i].name + "\": ";
    if (got != columns_[i].type) {
      throw std::invalid_argument(place + "expected " + std::string{name_of(columns_[i].type)} +
                                  ", got " + std::string{name_of(got)});
    }
    auto const* text = std::get_if<std::string>(&row[i]);
    if (text != nullptr && text->find('\0') != std::string::npos) {
      throw std::invalid_argument(place + "expected text without NUL");
    }
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::visit(
        [&]<typename Value>(Value& value) {
          std::get<std::vector<Value>>(values_[i]).push_back(std::move(value));
        },
        row[i]);
  }
  ++rows_;
}

result_table result_table::from_columns(std::string name, std::vector<column> columns,
                                        std::vector<values> contents) {
  result_table table{std::move(name), std::move(columns)};
  if (contents.size() != table.columns_.size()) {
    throw std::invalid_argument("table \"" + table.name_ + "\": expected contents of " +
                                std::to_string(table.columns_.size()) + " columns, got " +
                                std::to_string(contents.size()));
  }
  for (std::size_t i = 0; i < contents.size(); ++i) {
    column const& described = table.columns_[i];
    if (contents[i].index() != static_cast<std::size_t>(described.type) ||
        length_of(contents[i]) != length_of(contents[0])) {
      throw std::invalid_argument("table \"" + table.name_ + "\", column \"" + described.name +
                                  "\": type or length differs from what was described");
    }
  }
  table.rows_ = contents.empty() ? 0 : length_of(contents[0]);
  table.values_ = std::move(contents);
  return table;
}

bool result_table::has_column(std::string_view column_name) const {
  for (column const& candidate : columns_) {
    if (candidate.name == column_name) return true;
  }
  return false;
}

std::size_t result_table::index_of(std::string_view column_name, column_type type) const {
  std::string const place =
      "table \"" + name_ + "\", column \"" + std::string{column_name} + "\": ";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name != column_name) continue;
    if (columns_[i].type == type) return i;
    throw std::invalid_argument(place + "expected " + std::string{name_of(type)} + ", but it is " +
                                std::string{name_of(columns_[i].type)});
  }
  throw std::invalid_argument(place + "there is no such column");
}

std::vector<std::int64_t> const& result_table::integers(std::string_view column_name) const {
  return std::get<0>(values_[index_of(column_name, column_type::integer)]);
}

std::vector<double> const& result_table::reals(std::string_view column_name) const {
  return std::get<1>(values_[index_of(column_name, column_type::real)]);
}

std::vector<std::string> const& result_table::texts(std::string_view column_name) const {
  return std::get<2>(values_[index_of(column_name, column_type::text)]);
}

}  // namespace gridloom
