#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "gridloom/bench/results.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/file_lock.hpp"
#include "gridloom/parse.hpp"
#include "results_layout.hpp"

namespace gridloom {
namespace {

void write_meta(H5::Group group, run_meta const& meta) {
  for (auto const& [name, value] : meta.attributes) hdf5::write_attribute(group, name, value);
}

void check_tables(std::span<result_table const> tables) {
  std::set<std::string> names;
  for (result_table const& table : tables) {
    if (!names.insert(table.name()).second) {
      throw std::invalid_argument("results: two tables \"" + table.name() + "\"");
    }
    if (table.name() == "runs" && table.has_column(hdf5::process_column)) {
      throw std::invalid_argument(
          "results: the column \"process\" of \"runs\" is added when the file is written");
    }
  }
}

// The columns in the file. The table "runs" has one more there than in memory.
std::vector<column> stored_columns(result_table const& table) {
  std::vector<column> columns = table.columns();
  if (table.name() == "runs") {
    columns.push_back(
        {std::string{hdf5::process_column}, column_type::integer, "1",
         "number of the process that wrote the row: 0, then 1, 2, ... for appended ones"});
  }
  return columns;
}

result_table::values stored_values(result_table const& table, std::size_t index,
                                   std::size_t process) {
  if (index < table.columns().size()) return table.values_at(index);
  return std::vector<std::int64_t>(table.rows(), static_cast<std::int64_t>(process));
}

result_table as_stored(result_table const& table, std::size_t process) {
  std::vector<column> columns = stored_columns(table);
  std::vector<result_table::values> contents;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    contents.push_back(stored_values(table, i, process));
  }
  return result_table::from_columns(table.name(), std::move(columns), std::move(contents));
}

H5::DataSet write_values(H5::Group& group, std::string const& name,
                         result_table::values const& values) {
  if (auto const* texts = std::get_if<std::vector<std::string>>(&values)) {
    return hdf5::write_texts(group, name, *texts);
  }
  if (auto const* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    return hdf5::write_numbers<std::int64_t>(group, name, *integers);
  }
  return hdf5::write_numbers<double>(group, name, std::get<std::vector<double>>(values));
}

void write_table(H5::H5File& file, result_table const& table) {
  H5::Group group = hdf5::create_group(file, table.name());
  std::vector<column> const& columns = table.columns();
  std::string names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names += (i == 0 ? "" : "\n") + columns[i].name;
    H5::DataSet dataset = write_values(group, columns[i].name, table.values_at(i));
    hdf5::write_attribute(dataset, "unit", columns[i].unit);
    hdf5::write_attribute(dataset, "description", columns[i].description);
  }
  hdf5::write_attribute(group, "columns", names);
}

// The index in the file of each wanted column. Throws a usage_error that says what differs. `place`
// is "FILE: /NAME".
std::vector<std::size_t> match_columns(std::string const& place, std::vector<column> const& stored,
                                       std::vector<column> const& wanted_columns) {
  auto const refuse = [&](std::string const& what) {
    throw usage_error(place + ": " + what + "; cannot append, use another file");
  };
  std::vector<std::size_t> places;
  for (column const& wanted : wanted_columns) {
    auto const found = std::find_if(stored.begin(), stored.end(),
                                    [&](column const& c) { return c.name == wanted.name; });
    if (found == stored.end()) refuse("has no column " + in_quotes(wanted.name));
    if (found->type != wanted.type) {
      refuse("column " + in_quotes(wanted.name) + " is " + std::string{name_of(found->type)} +
             " in the file, but " + std::string{name_of(wanted.type)} + " in this program");
    }
    if (found->unit != wanted.unit) {
      refuse("column " + in_quotes(wanted.name) + " is in " + in_quotes(found->unit) +
             " in the file, in " + in_quotes(wanted.unit) + " in this program");
    }
    places.push_back(static_cast<std::size_t>(found - stored.begin()));
  }
  for (column const& there : stored) {
    auto const known = [&](column const& wanted) { return wanted.name == there.name; };
    if (std::none_of(wanted_columns.begin(), wanted_columns.end(), known)) {
      refuse("has a column " + in_quotes(there.name) + " that this program lacks");
    }
  }
  return places;
}

void check_same(H5::Group const& group, std::filesystem::path const& path, run_meta const& meta,
                std::string const& name) {
  std::string const there = hdf5::read_text_attribute(group, name, path.string() + ": /meta");
  std::string const here = meta.get(name).value_or("");
  if (there != here) {
    throw usage_error(path.string() + ": " + name + " is " + in_quotes(there) +
                      " in the file, but " + in_quotes(here) +
                      " in this program; cannot append, use another file");
  }
}

// The stored table, followed by the rows that this process adds.
result_table extended(std::filesystem::path const& path, result_table const& stored,
                      result_table const& added, std::size_t process) {
  std::vector<std::size_t> const places = match_columns(
      hdf5::inside(path.string() + ": ", stored.name()), stored.columns(), stored_columns(added));
  std::vector<result_table::values> contents(stored.columns().size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    contents[places[i]] = std::visit(
        [&]<typename Values>(Values all) -> result_table::values {
          auto const more = std::get<Values>(stored_values(added, i, process));
          all.insert(all.end(), more.begin(), more.end());
          return all;
        },
        stored.values_at(places[i]));
  }
  return result_table::from_columns(stored.name(), stored.columns(), std::move(contents));
}

// The tables with the rows of the file before the new ones. Throws usage_error if the file and the
// tables do not fit together.
std::vector<result_table> extended(H5::H5File const& file, std::filesystem::path const& path,
                                   run_meta const& meta, std::span<result_table const> tables) {
  H5::Group const group = hdf5::open_meta(file, path);
  for (std::string const name : {"schema_version", "program"}) check_same(group, path, meta, name);
  std::size_t const process = hdf5::processes_of(group, path);
  std::vector<result_table> all;
  for (result_table const& table : tables) {
    bool const is_there = hdf5::has_link(file, table.name(), path.string() + ": ");
    all.push_back(is_there
                      ? extended(path, hdf5::table_of(file, path, table.name()), table, process)
                      : as_stored(table, process));
  }
  return all;
}

// Fills a new file with the groups of the old one, the new process and these tables. Tables that
// grow in place would leave unused space in the file.
void fill(H5::H5File& file, H5::H5File const& old, std::filesystem::path const& path,
          run_meta const& meta, std::vector<result_table> const& tables) {
  for (hsize_t i = 0; i < old.getNumObjs(); ++i) {
    std::string const name = old.getObjnameByIdx(i);
    auto const is_named = [&](result_table const& table) { return table.name() == name; };
    if (std::any_of(tables.begin(), tables.end(), is_named)) continue;
    if (H5Ocopy(old.getId(), name.c_str(), file.getId(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) <
        0)
      throw H5::GroupIException("H5Ocopy", "cannot copy /" + name);
  }
  H5::Group const group = file.openGroup("meta");
  write_meta(hdf5::create_group(group, hdf5::appended_name(hdf5::processes_of(group, path))), meta);
  for (result_table const& table : tables) write_table(file, table);
}

// Rows are added only to files with a checksum. Otherwise a damaged foreign file would get a
// checksum that declares it undamaged.
void require_own_file(std::filesystem::path const& path) {
  if (has_checksum(path)) return;
  throw usage_error(path.string() +
                    ": has no checksum, so another program or an older version wrote it; cannot "
                    "append. If the file is sound, run scripts/renew_checksum " +
                    path.string());
}

}  // namespace

void require_appendable(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables) {
  check_tables(tables);
  if (!std::filesystem::exists(path)) return;
  require_own_file(path);
  (void)hdf5::read_file(path,
                        [&](H5::H5File const& file) { return extended(file, path, meta, tables); });
}

void write_results(std::filesystem::path const& path, run_meta const& meta,
                   std::span<result_table const> tables, write_mode mode, double lock_timeout_s) {
  check_tables(tables);
  if (mode == write_mode::append) {
    // The lock is held from here until the new file is in place.
    auto const alone = std::make_shared<file_lock const>(path, lock_timeout_s);
    until_in_place(alone);
    if (std::filesystem::exists(path)) {
      require_own_file(path);
      return hdf5::read_file(path, [&](H5::H5File const& old) {
        std::vector<result_table> const all = extended(old, path, meta, tables);
        hdf5::write_file(path, [&](H5::H5File& file) { fill(file, old, path, meta, all); });
        return;
      });
    }
  }
  hdf5::write_file(path, [&](H5::H5File& file) {
    write_meta(hdf5::create_group(file, "meta"), meta);
    for (result_table const& table : tables) write_table(file, as_stored(table, 0));
  });
}

}  // namespace gridloom
