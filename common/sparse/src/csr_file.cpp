#include "gridloom/sparse/csr_file.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "check.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::sparse {
namespace {

bool is_reserved(std::string const& name) {
  return name == "kind" || name == "num_rows" || name == "num_cols";
}

// The open datasets of a file. No array is allocated yet.
struct stored_matrix {
  std::string place;
  std::uint32_t num_rows = 0;
  std::uint32_t num_cols = 0;
  H5::DataSet row_offsets;
  H5::DataSet columns;
  // Not open for a pattern, which has no values.
  H5::DataSet values;
};

std::uint32_t read_dimension(H5::Group const& group, char const* name, std::string const& place) {
  std::uint64_t const size = hdf5::read_count_attribute(group, name, place);
  if (size > most_rows) {
    throw usage_error(place + ": expected the attribute " + name + " to be at most " +
                      std::to_string(most_rows) + ", got " + std::to_string(size));
  }
  return static_cast<std::uint32_t>(size);
}

H5::DataSet open_array(H5::Group const& group, char const* name, std::string const& place,
                       std::uint64_t file_bytes, std::uint64_t length) {
  H5::DataSet dataset = hdf5::open_column(group, name, place, file_bytes);
  if (hdf5::length_of(dataset) != length) {
    throw usage_error(hdf5::inside(place, name) + ": expected " + std::to_string(length) +
                      " entries, got " + std::to_string(hdf5::length_of(dataset)));
  }
  return dataset;
}

stored_matrix open_matrix(H5::H5File const& file, std::filesystem::path const& path) {
  stored_matrix stored;
  H5::Group const group = hdf5::open_kind(file, path, "matrix", "csr");
  stored.place = path.string() + ": /matrix";
  stored.num_rows = read_dimension(group, "num_rows", stored.place);
  stored.num_cols = read_dimension(group, "num_cols", stored.place);
  std::uint64_t const bytes = std::filesystem::file_size(path);
  stored.row_offsets =
      open_array(group, "row_offsets", stored.place, bytes, std::uint64_t{stored.num_rows} + 1);
  stored.columns = hdf5::open_column(group, "columns", stored.place, bytes);
  if (hdf5::has_link(group, "values", stored.place)) {
    stored.values =
        open_array(group, "values", stored.place, bytes, hdf5::length_of(stored.columns));
  }
  return stored;
}

template <matrix_value Value>
any_csr matrix_of(stored_matrix const& stored) {
  csr_matrix<Value> matrix;
  matrix.num_rows = stored.num_rows;
  matrix.num_cols = stored.num_cols;
  matrix.row_offsets =
      hdf5::read_numbers<std::uint64_t>(stored.row_offsets, stored.place + "/row_offsets");
  matrix.columns = hdf5::read_numbers<std::uint32_t>(stored.columns, stored.place + "/columns");
  if constexpr (has_values<Value>) {
    matrix.values = hdf5::read_numbers<Value>(stored.values, stored.place + "/values");
  }
  return matrix;
}

any_csr matrix_of(stored_matrix const& stored) {
  if (stored.values.getId() <= 0) return matrix_of<no_value>(stored);
  std::string const type = hdf5::type_name(stored.values);
  if (type == "float32") return matrix_of<float>(stored);
  if (type == "float64") return matrix_of<double>(stored);
  throw usage_error(stored.place + "/values: expected float32 or float64, got " + type);
}

provenance provenance_of(H5::Group const& group, std::string const& place) {
  provenance about;
  for (int k = 0; k < group.getNumAttrs(); ++k) {
    H5::Attribute const attribute = group.openAttribute(static_cast<unsigned>(k));
    std::string const name = attribute.getName();
    if (is_reserved(name) || attribute.getTypeClass() != H5T_STRING ||
        attribute.getSpace().getSimpleExtentNpoints() != 1) {
      continue;
    }
    about.emplace_back(name, hdf5::read_text_attribute(group, name, place));
  }
  std::sort(about.begin(), about.end());
  return about;
}

void check_provenance(provenance const& about) {
  for (auto const& [name, text] : about) {
    if (name.empty() || is_reserved(name) || name.find('\0') != std::string::npos) {
      throw std::invalid_argument("write_csr: \"" + name + "\" cannot be the name of a provenance");
    }
    if (text.find('\0') != std::string::npos) {
      throw std::invalid_argument("write_csr: the provenance \"" + name + "\" holds a NUL");
    }
    // The name is copied, because clang 14 cannot capture a structured binding by reference.
    auto const same = [wanted = std::string_view{name}](auto const& other) {
      return other.first == wanted;
    };
    if (std::count_if(about.begin(), about.end(), same) > 1) {
      throw std::invalid_argument("write_csr: the provenance \"" + name + "\" is given twice");
    }
  }
}

template <matrix_value Value>
void fill(H5::H5File& file, csr_matrix<Value> const& matrix, provenance const& about) {
  H5::Group group = hdf5::create_group(file, "matrix");
  hdf5::write_attribute(group, "kind", "csr");
  hdf5::write_attribute(group, "num_rows", std::uint64_t{matrix.num_rows});
  hdf5::write_attribute(group, "num_cols", std::uint64_t{matrix.num_cols});
  for (auto const& [name, text] : about) hdf5::write_attribute(group, name, text);
  auto const write = [&]<typename Number>(char const* name, std::vector<Number> const& numbers) {
    hdf5::write_numbers<Number>(group, name, numbers, hdf5::packing::none);
  };
  write("row_offsets", matrix.row_offsets);
  write("columns", matrix.columns);
  if constexpr (has_values<Value>) write("values", matrix.values);
}

}  // namespace

any_csr read_csr(std::filesystem::path const& path) {
  any_csr matrix = hdf5::read_file(
      path, [&](H5::H5File const& file) { return matrix_of(open_matrix(file, path)); });
  std::visit([&](auto const& read) { check(read, path.string()); }, matrix);
  return matrix;
}

provenance read_provenance(std::filesystem::path const& path) {
  return hdf5::read_file(path, [&](H5::H5File const& file) {
    return provenance_of(hdf5::open_kind(file, path, "matrix", "csr"), path.string() + ": /matrix");
  });
}

template <matrix_value Value>
void write_csr(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
               provenance const& about) {
  check(matrix, path.string());
  check_provenance(about);
  hdf5::write_file(path, [&](H5::H5File& file) { fill(file, matrix, about); });
}

template void write_csr(std::filesystem::path const&, csr_matrix<no_value> const&,
                        provenance const&);
template void write_csr(std::filesystem::path const&, csr_matrix<float> const&, provenance const&);
template void write_csr(std::filesystem::path const&, csr_matrix<double> const&, provenance const&);

}  // namespace gridloom::sparse
