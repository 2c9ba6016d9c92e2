#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "gridloom/bench/results.hpp"
#include "gridloom/file/apart.hpp"
#include "gridloom/file/atomic_file.hpp"
#include "gridloom/file/file_lock.hpp"
#include "gridloom/parse.hpp"
#include "results_layout.hpp"

namespace gridloom {
namespace {

H5::DataType file_type(column_type type) {
  switch (type) {
    case column_type::integer: return H5::PredType::STD_I64LE;
    case column_type::real: return H5::PredType::IEEE_F64LE;
    case column_type::text: return hdf5::text_type();
  }
  throw std::invalid_argument("column type out of range");
}

void write_values(H5::DataSet& dataset, result_table::values const& values, std::size_t offset) {
  if (auto const* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    hdf5::write_numbers(dataset, integers->data(), integers->size(), H5::PredType::NATIVE_INT64,
                        offset);
  } else if (auto const* reals = std::get_if<std::vector<double>>(&values)) {
    hdf5::write_numbers(dataset, reals->data(), reals->size(), H5::PredType::NATIVE_DOUBLE, offset);
  } else {
    hdf5::write_texts(dataset, std::get<std::vector<std::string>>(values), offset);
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

void create_table(H5::H5File& file, result_table const& table, std::size_t process) {
  H5::Group group = file.createGroup(table.name());
  std::vector<column> const columns = stored_columns(table);
  std::string names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names += (i == 0 ? "" : "\n") + columns[i].name;
    H5::DataSet dataset =
        hdf5::create_column(group, columns[i].name, file_type(columns[i].type), table.rows());
    hdf5::write_attribute(dataset, "unit", columns[i].unit);
    hdf5::write_attribute(dataset, "description", columns[i].description);
    write_values(dataset, stored_values(table, i, process), 0);
  }
  hdf5::write_attribute(group, "columns", names);
}

// The place of each of the table's columns in the file, or a usage_error saying what differs.
std::vector<std::size_t> match_columns(hdf5::stored_table const& stored,
                                       std::vector<column> const& columns) {
  auto const refuse = [&](std::string const& what) {
    throw usage_error(stored.place + ": " + what + "; cannot append, use another file");
  };
  std::vector<std::size_t> places;
  for (column const& wanted : columns) {
    auto const found = std::find_if(stored.columns.begin(), stored.columns.end(),
                                    [&](column const& c) { return c.name == wanted.name; });
    if (found == stored.columns.end()) refuse("has no column \"" + wanted.name + "\"");
    if (found->type != wanted.type) {
      refuse("column \"" + wanted.name + "\" is " + std::string{name_of(found->type)} +
             " in the file, " + std::string{name_of(wanted.type)} + " in this program");
    }
    if (found->unit != wanted.unit) {
      refuse("column \"" + wanted.name + "\" is in " + in_quotes(found->unit) +
             " in the file, in " + in_quotes(wanted.unit) + " in this program");
    }
    places.push_back(static_cast<std::size_t>(found - stored.columns.begin()));
  }
  auto const require_known = [&](std::string const& name) {
    auto const known = [&](column const& wanted) { return wanted.name == name; };
    if (std::none_of(columns.begin(), columns.end(), known)) {
      refuse("has a column \"" + name + "\" that this program lacks");
    }
  };
  for (column const& there : stored.columns) require_known(there.name);
  // Those that its attribute does not name would not grow.
  for (hsize_t i = 0; i < stored.group.getNumObjs(); ++i) {
    require_known(stored.group.getObjnameByIdx(i));
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

// An existing results file opened in memory, and how to extend it; nothing is changed before all
// checks passed. Only in a process apart: the file may be damaged.
struct append_plan {
  H5::H5File file;
  std::size_t process;
  std::vector<std::optional<hdf5::stored_table>> stored;  // one a table, none where it is new
  std::vector<std::vector<std::size_t>> places;
};

// Reads everything once, with its checksums: rows are not added to what cannot be read.
void read_through(hdf5::stored_table const& stored) {
  for (std::size_t i = 0; i < stored.columns.size(); ++i) {
    std::string const place = stored.place + "/" + stored.columns[i].name;
    switch (stored.columns[i].type) {
      case column_type::integer:
        (void)hdf5::read_numbers<std::int64_t>(stored.datasets[i], place);
        break;
      case column_type::real: (void)hdf5::read_numbers<double>(stored.datasets[i], place); break;
      case column_type::text: (void)hdf5::read_texts(stored.datasets[i], place); break;
    }
  }
}

append_plan plan_append(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables) {
  std::vector<std::byte> const bytes = read_file(path);
  append_plan plan;
  try {
    plan.file = hdf5::open_in_memory(bytes);
  } catch (H5::Exception const&) {
    throw usage_error(path.string() + ": expected an HDF5 file to append to");
  }
  H5::Group const group = hdf5::open_meta(plan.file, path.string());
  check_same(group, path.string(), meta, "schema_version");
  check_same(group, path.string(), meta, "program");
  plan.process = 1 + hdf5::count_appended(group, path.string());
  for (result_table const& table : tables) {
    plan.stored.emplace_back();
    plan.places.emplace_back();
    if (!hdf5::has_link(plan.file, table.name(), path.string() + ": ")) continue;
    plan.stored.back() = hdf5::open_table(plan.file, path.string(), table.name(), bytes.size());
    plan.places.back() = match_columns(*plan.stored.back(), stored_columns(table));
    read_through(*plan.stored.back());
  }
  return plan;
}

void extend_table(hdf5::stored_table& stored, std::vector<std::size_t> const& places,
                  result_table const& table, std::size_t process) {
  hsize_t const extent = stored.rows + table.rows();
  for (std::size_t i = 0; i < places.size(); ++i) {
    H5::DataSet& dataset = stored.datasets[places[i]];
    dataset.extend(&extent);
    write_values(dataset, stored_values(table, i, process), stored.rows);
  }
}

std::vector<std::byte> new_image(run_meta const& meta, std::span<result_table const> tables) {
  H5::H5File file = hdf5::create_in_memory();
  write_meta(file.createGroup("meta"), meta);
  for (result_table const& table : tables) create_table(file, table, 0);
  return hdf5::image_of(file);
}

std::vector<std::byte> extended_image(append_plan plan, run_meta const& meta,
                                      std::span<result_table const> tables) {
  write_meta(plan.file.openGroup("meta").createGroup(hdf5::appended_name(plan.process)), meta);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (plan.stored[i]) {
      extend_table(*plan.stored[i], plan.places[i], tables[i], plan.process);
    } else {
      create_table(plan.file, tables[i], plan.process);
    }
  }
  return hdf5::image_of(plan.file);
}

}  // namespace

void require_appendable(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables) {
  check_tables(tables);
  if (!std::filesystem::exists(path)) return;
  auto const send = [&](hdf5::sender& to) {
    (void)plan_append(path, meta, tables);
    to.number(1);
  };
  (void)hdf5::read_apart(path, send, [](hdf5::receiver& from) { return from.number(); });
}

void write_results(std::filesystem::path const& path, run_meta const& meta,
                   std::span<result_table const> tables, write_mode mode, double lock_timeout_s) {
  check_tables(tables);
  if (mode == write_mode::replace) {
    replace_file(path, hdf5::writing(path, [&] { return new_image(meta, tables); }));
    return;
  }
  // From before the old rows are read until the new ones are there.
  auto const alone = std::make_shared<file_lock const>(path, lock_timeout_s);
  until_in_place(alone);
  if (!std::filesystem::exists(path)) return write_results(path, meta, tables, write_mode::replace);
  auto const send = [&](hdf5::sender& to) {
    to.bytes(extended_image(plan_append(path, meta, tables), meta, tables));
  };
  std::vector<std::byte> const image =
      hdf5::read_apart(path, send, [](hdf5::receiver& from) { return from.bytes(); });
  replace_file(path, image);
}

}  // namespace gridloom
