#include <algorithm>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "results_layout.hpp"

namespace gridloom::hdf5 {
namespace {

std::vector<std::string> column_names(H5::Group const& group, std::string const& place) {
  // Column names have no line breaks, so each line is one name.
  std::string const text = read_text_attribute(group, "columns", place);
  std::vector<std::string> names;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t const end = std::min(text.find('\n', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

result_table::values values_of(H5::DataSet const& dataset, std::string const& place) {
  switch (dataset.getTypeClass()) {
    case H5T_INTEGER: return read_numbers<std::int64_t>(dataset, place);
    case H5T_FLOAT: return read_numbers<double>(dataset, place);
    case H5T_STRING: return read_texts(dataset, place);
    default: throw usage_error(place + ": expected whole numbers, reals or text");
  }
}

}  // namespace

H5::Group open_meta(H5::H5File const& file, std::filesystem::path const& path) {
  if (!has_link(file, "meta", path.string() + ": ") ||
      file.childObjType("meta") != H5O_TYPE_GROUP) {
    throw usage_error(path.string() + ": expected a Gridloom results file with a group /meta");
  }
  return file.openGroup("meta");
}

std::string appended_name(std::size_t k) { return "appended_" + std::to_string(k); }

std::size_t processes_of(H5::Group const& meta, std::filesystem::path const& path) {
  std::size_t count = 1;
  while (has_link(meta, appended_name(count), path.string() + ": /meta")) ++count;
  return count;
}

result_table table_of(H5::H5File const& file, std::filesystem::path const& path,
                      std::string const& name) {
  std::string const place = inside(path.string() + ": ", name);
  if (!has_link(file, name, path.string() + ": ") || file.childObjType(name) != H5O_TYPE_GROUP) {
    throw usage_error(place + ": expected a table");
  }
  H5::Group const group = file.openGroup(name);
  std::vector<column> columns;
  std::vector<result_table::values> contents;
  for (std::string const& one : column_names(group, place)) {
    std::string const here = inside(place, one);
    H5::DataSet const dataset = open_column(group, one, place, std::filesystem::file_size(path));
    contents.push_back(values_of(dataset, here));
    columns.push_back({one, static_cast<column_type>(contents.back().index()),
                       read_text_attribute(dataset, "unit", here),
                       read_text_attribute(dataset, "description", here)});
  }
  if (group.getNumObjs() != columns.size()) {
    throw usage_error(place + ": expected the columns that its attribute \"columns\" names");
  }
  try {
    return result_table::from_columns(name, std::move(columns), std::move(contents));
  } catch (std::invalid_argument const& error) {
    throw usage_error(path.string() + ": " + error.what());
  }
}

}  // namespace gridloom::hdf5
