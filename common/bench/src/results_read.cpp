#include <algorithm>
#include <set>
#include <utility>

#include "gridloom/bench/results.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/parse.hpp"
#include "results_layout.hpp"

namespace gridloom {
namespace hdf5 {
namespace {

// Only what the writers store: class, size and sign; either byte order.
column_type type_of(H5::DataSet const& dataset, std::string const& place) {
  switch (dataset.getTypeClass()) {
    case H5T_INTEGER:
      (void)require_numbers<std::int64_t>(dataset, place);
      return column_type::integer;
    case H5T_FLOAT: (void)require_numbers<double>(dataset, place); return column_type::real;
    case H5T_STRING:
      if (is_text(dataset.getDataType(), true) || is_text(dataset.getDataType(), false))
        return column_type::text;
      throw usage_error(place + ": expected text");
    default: throw usage_error(place + ": expected whole numbers, reals or text");
  }
}

std::vector<std::string> column_names(H5::Group const& group, std::string const& place) {
  std::string const message = place + ": expected an attribute \"columns\" with the column names";
  if (!group.attrExists("columns")) throw usage_error(message);
  H5::Attribute const attribute = group.openAttribute("columns");
  // One text, a name a line: column names have no line breaks.
  if (attribute.getTypeClass() != H5T_STRING) throw usage_error(message);
  std::string const text = read_text_attribute(group, "columns", place);
  std::vector<std::string> names;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t const end = std::min(text.find('\n', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

}  // namespace

H5::Group open_meta(H5::H5File const& file, std::string const& path) {
  if (!has_link(file, "meta", path + ": ") || file.childObjType("meta") != H5O_TYPE_GROUP) {
    throw usage_error(path + ": expected a Gridloom results file with a group /meta");
  }
  return file.openGroup("meta");
}

std::string appended_name(std::size_t k) { return "appended_" + std::to_string(k); }

std::size_t count_appended(H5::Group const& meta, std::string const& path) {
  std::size_t count = 0;
  while (has_link(meta, appended_name(count + 1), path + ": /meta")) ++count;
  return count;
}

stored_table open_table(H5::H5File const& file, std::string const& path, std::string const& name,
                        std::uint64_t file_bytes) {
  stored_table table{inside(path + ": ", name), {}, {}, {}, 0};
  if (!has_link(file, name, path + ": ") || file.childObjType(name) != H5O_TYPE_GROUP) {
    throw usage_error(table.place + ": expected a table");
  }
  table.group = file.openGroup(name);
  std::set<std::string> seen;
  for (std::string const& column_name : column_names(table.group, table.place)) {
    std::string const place = inside(table.place, column_name);
    if (!is_printable(column_name) || column_name == "." ||
        column_name.find('/') != std::string::npos || !seen.insert(column_name).second) {
      throw usage_error(table.place + ": expected other column names than " +
                        in_quotes(column_name));
    }
    H5::DataSet dataset = open_column(table.group, column_name, table.place, file_bytes);
    std::size_t const length = length_of(dataset);
    if (table.datasets.empty()) table.rows = length;
    if (length != table.rows) {
      throw usage_error(place + ": expected " + std::to_string(table.rows) +
                        " rows as in the first column, got " + std::to_string(length));
    }
    table.columns.push_back({column_name, type_of(dataset, place),
                             read_text_attribute(dataset, "unit", place),
                             read_text_attribute(dataset, "description", place)});
    table.datasets.push_back(std::move(dataset));
  }
  return table;
}

bool is_printable(std::string const& name) {
  auto const is_control = [](unsigned char c) { return c < 32 || c == 127; };
  return !name.empty() && std::none_of(name.begin(), name.end(), is_control);
}

void send_meta(sender& to, run_meta const& meta) {
  std::vector<std::string> both;
  for (auto const& [name, value] : meta.attributes) both.insert(both.end(), {name, value});
  to.texts(both);
}

run_meta take_meta(receiver& from) {
  std::vector<std::string> const both = from.texts();
  run_meta meta;
  for (std::size_t k = 0; k + 1 < both.size(); k += 2) meta.set(both[k], both[k + 1]);
  return meta;
}

run_meta attributes_of(H5::Group const& group, std::string const& place, std::string_view but) {
  run_meta found;
  for (int i = 0; i < group.getNumAttrs(); ++i) {
    std::string const name = group.openAttribute(static_cast<unsigned>(i)).getName();
    if (name == but) continue;
    found.attributes.push_back({name, read_text_attribute(group, name, place)});
  }
  return found;
}

void send_table(sender& to, stored_table const& stored) {
  to.number(stored.columns.size());
  for (std::size_t i = 0; i < stored.columns.size(); ++i) {
    column const& one = stored.columns[i];
    std::string const place = inside(stored.place, one.name);
    to.number(static_cast<std::uint64_t>(one.type));
    to.texts({one.name, one.unit, one.description});
    switch (one.type) {
      case column_type::integer: to.numbers<std::int64_t>(stored.datasets[i], place); break;
      case column_type::real: to.numbers<double>(stored.datasets[i], place); break;
      case column_type::text: to.texts(read_texts(stored.datasets[i], place)); break;
    }
  }
}

namespace {

result_table::values take_values(receiver& from, column_type type) {
  switch (type) {
    case column_type::integer: return from.numbers<std::int64_t>();
    case column_type::real: return from.numbers<double>();
    default: return from.texts();
  }
}

}  // namespace

result_table take_table(receiver& from, std::string const& name) {
  std::uint64_t const count = from.number();
  std::vector<column> columns;
  std::vector<result_table::values> contents;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto const type = static_cast<column_type>(from.number());
    std::vector<std::string> const said = from.texts();
    columns.push_back({said.at(0), type, said.at(1), said.at(2)});
    contents.push_back(take_values(from, type));
  }
  return result_table::from_columns(name, std::move(columns), std::move(contents));
}

}  // namespace hdf5

namespace {

// Whatever is wanted: the checksum is over all of the file.
hdf5::stored_results read_all(std::filesystem::path const& path) {
  auto const send = [&](hdf5::sender& to) {
    hdf5::send_all(to, hdf5::open_for_reading(path), path, hdf5::purpose::read);
  };
  return hdf5::read_apart(path, send,
                          [&](hdf5::receiver& from) { return hdf5::take_all(from, path); });
}

}  // namespace

result_table read_table(std::filesystem::path const& path, std::string const& name) {
  for (result_table& table : read_all(path).tables) {
    if (table.name() == name) return std::move(table);
  }
  throw usage_error(hdf5::inside(path.string() + ": ", name) + ": expected a table");
}

std::size_t count_processes(std::filesystem::path const& path) {
  return read_all(path).processes.size();
}

run_meta read_meta(std::filesystem::path const& path, std::size_t process) {
  auto const processes = read_all(path).processes;
  if (process < processes.size()) return processes[process];
  throw usage_error(path.string() + ": /meta: expected process " + std::to_string(process) +
                    ", there are " + std::to_string(processes.size()));
}

}  // namespace gridloom
