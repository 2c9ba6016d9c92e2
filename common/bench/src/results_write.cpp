#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "gridloom/bench/results.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/file_lock.hpp"
#include "gridloom/files/utf8.hpp"
#include "gridloom/parse.hpp"
#include "results_content.hpp"
#include "results_layout.hpp"

namespace gridloom {
namespace {

/// Texts are stored as long as the longest of them, where a checksum covers them. Of variable length are
/// only such beyond longest_fixed_text, and columns that padding would make larger than `most_bytes`.
H5::DataType file_type(column_type type, result_table::values const& values) {
  switch (type) {
    case column_type::integer: return H5::PredType::STD_I64LE;
    case column_type::real: return H5::PredType::IEEE_F64LE;
    case column_type::text: {
      constexpr std::size_t most_bytes = std::size_t{1} << 28U;
      auto const& texts = std::get<std::vector<std::string>>(values);
      std::size_t longest = 0;
      for (std::string const& text : texts) longest = std::max(longest, as_utf8(text).size());
      bool const is_fixed =
          longest <= hdf5::longest_fixed_text && longest * texts.size() <= most_bytes;
      return is_fixed ? hdf5::text_type(longest) : hdf5::text_type();
    }
  }
  throw std::invalid_argument("column type out of range");
}

void write_values(H5::DataSet& dataset, result_table::values const& values) {
  if (auto const* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    hdf5::write_numbers(dataset, integers->data(), integers->size(), H5::PredType::NATIVE_INT64, 0);
  } else if (auto const* reals = std::get_if<std::vector<double>>(&values)) {
    hdf5::write_numbers(dataset, reals->data(), reals->size(), H5::PredType::NATIVE_DOUBLE, 0);
  } else {
    hdf5::write_texts(dataset, std::get<std::vector<std::string>>(values), 0);
  }
}

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
          "results: the column \"process\" of \"runs\" is added on writing");
    }
  }
}

// The table as stored: "runs" with its implicit column.
std::vector<column> stored_columns(result_table const& table) {
  std::vector<column> columns = table.columns();
  if (table.name() == "runs") {
    columns.push_back({std::string{hdf5::process_column}, column_type::integer, "1",
                       "0 for the first process of the file, k for the k-th appended one"});
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

void create_table(H5::H5File& file, result_table const& table) {
  H5::Group group = file.createGroup(table.name());
  std::vector<column> const& columns = table.columns();
  std::string names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names += (i == 0 ? "" : "\n") + columns[i].name;
    H5::DataSet dataset = hdf5::create_column(
        group, columns[i].name, file_type(columns[i].type, table.values_at(i)), table.rows());
    hdf5::write_attribute(dataset, "unit", columns[i].unit);
    hdf5::write_attribute(dataset, "description", columns[i].description);
    write_values(dataset, table.values_at(i));
  }
  hdf5::write_attribute(group, "columns", names);
}

// The place of each of the wanted columns among those of the file, or a usage_error saying what
// differs; `place` is "FILE: /NAME".
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
             " in the file, " + std::string{name_of(wanted.type)} + " in this program");
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

void check_same(H5::Group const& group, std::string const& path, run_meta const& meta,
                std::string const& name) {
  std::string const there = hdf5::read_text_attribute(group, name, path + ": /meta");
  std::string const here = meta.get(name).value_or("");
  if (there != here) {
    throw usage_error(path + ": " + name + " is " + in_quotes(there) + " in the file, " +
                      in_quotes(here) + " in this program; cannot append, use another file");
  }
}

// A file of schema 1, which has no checksum, becomes one of this schema.
void check_schema(H5::Group const& group, std::string const& path, run_meta const& meta) {
  std::string const name = "schema_version";
  bool const is_current = meta.get(name) == std::string{results_schema_version};
  if (is_current && hdf5::read_text_attribute(group, name, path + ": /meta") == "1") return;
  check_same(group, path, meta, name);
}

// Everything of the file, read in a process apart. Rows are not added to what cannot be read.
hdf5::stored_results read_all(std::filesystem::path const& path, run_meta const& meta) {
  auto const send = [&](hdf5::sender& to) {
    H5::H5File const file = hdf5::open_for_reading(path);
    H5::Group const group = hdf5::open_meta(file, path.string());
    check_schema(group, path.string(), meta);
    check_same(group, path.string(), meta, "program");
    hdf5::send_all(to, file, path, hdf5::purpose::append);
  };
  return hdf5::read_apart(path, send,
                          [&](hdf5::receiver& from) { return hdf5::take_all(from, path); });
}

// The table with the rows of the new one, which came from the k-th process of the file, after its
// own.
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

// What the file will hold. Throws usage_error where the tables do not fit to it.
hdf5::stored_results merged(std::filesystem::path const& path, hdf5::stored_results all,
                            run_meta const& meta, std::span<result_table const> tables) {
  std::size_t const process = all.processes.size();
  if (auto const schema = meta.get("schema_version")) {
    all.processes.front().set("schema_version", *schema);  // of schema 1 before, maybe
  }
  all.processes.push_back(meta);
  for (result_table const& table : tables) {
    auto const found =
        std::find_if(all.tables.begin(), all.tables.end(),
                     [&](result_table const& there) { return there.name() == table.name(); });
    if (found == all.tables.end()) {
      all.tables.push_back(as_stored(table, process));
    } else {
      *found = extended(path, *found, table, process);
    }
  }
  return all;
}

// Always of a new file: HDF5 that extends a damaged one puts new blocks upon old ones.
std::vector<std::byte> image_of(hdf5::stored_results const& all) {
  H5::H5File file = hdf5::create_in_memory();
  H5::Group group = file.createGroup("meta");
  write_meta(group, all.processes.front());
  hdf5::write_attribute(group, std::string{hdf5::content_crc32_name}, hdf5::content_crc32_of(all));
  for (std::size_t k = 1; k < all.processes.size(); ++k) {
    write_meta(group.createGroup(hdf5::appended_name(k)), all.processes[k]);
  }
  for (result_table const& table : all.tables) create_table(file, table);
  return hdf5::image_of(file);
}

void replace_results(std::filesystem::path const& path, hdf5::stored_results const& all) {
  replace_file(path, hdf5::writing(path, [&] { return image_of(all); }));
}

}  // namespace

void require_appendable(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables) {
  check_tables(tables);
  if (!std::filesystem::exists(path)) return;
  (void)merged(path, read_all(path, meta), meta, tables);
}

void write_results(std::filesystem::path const& path, run_meta const& meta,
                   std::span<result_table const> tables, write_mode mode, double lock_timeout_s) {
  check_tables(tables);
  if (mode == write_mode::append) {
    // From before the old rows are read until the new ones are there.
    auto const alone = std::make_shared<file_lock const>(path, lock_timeout_s);
    until_in_place(alone);
    if (std::filesystem::exists(path)) {
      return replace_results(path, merged(path, read_all(path, meta), meta, tables));
    }
  }
  hdf5::stored_results all{{meta}, {}, {}};
  for (result_table const& table : tables) all.tables.push_back(as_stored(table, 0));
  replace_results(path, all);
}

}  // namespace gridloom
