#include "gridloom/sparse/csr_file.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>

#include "check.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/files/hdf5_outline.hpp"

namespace gridloom::sparse {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");

bool is_reserved(std::string const& name) {
  return name == "kind" || name == "num_rows" || name == "num_cols";
}

// What is known of the file before an array is allocated.
struct stored_matrix {
  std::string place;
  std::uint32_t num_rows = 0;
  std::uint32_t num_cols = 0;
  H5::DataSet row_offsets;
  H5::DataSet columns;
  H5::DataSet values;  // not open for a pattern
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

// What the reading process sends of the values.
enum class stored_values : std::uint64_t { none, float32, float64 };

stored_values values_of(stored_matrix const& stored) {
  if (stored.values.getId() <= 0) return stored_values::none;
  std::string const type = hdf5::type_name(stored.values);
  if (type == "float32") return stored_values::float32;
  if (type == "float64") return stored_values::float64;
  throw usage_error(stored.place + "/values: expected float32 or float64, got " + type);
}

void send_matrix(std::filesystem::path const& path, hdf5::sender& to) {
  H5::H5File const file = hdf5::open_for_reading(path);
  stored_matrix const stored = open_matrix(file, path);
  stored_values const values = values_of(stored);
  to.number(static_cast<std::uint64_t>(values));
  to.number(stored.num_rows);
  to.number(stored.num_cols);
  to.numbers<std::uint64_t>(stored.row_offsets, stored.place + "/row_offsets");
  to.numbers<std::uint32_t>(stored.columns, stored.place + "/columns");
  if (values == stored_values::float32) to.numbers<float>(stored.values, stored.place + "/values");
  if (values == stored_values::float64) to.numbers<double>(stored.values, stored.place + "/values");
}

template <matrix_value Value>
any_csr take_as(hdf5::receiver& from, std::filesystem::path const& path) {
  csr_matrix<Value> matrix;
  matrix.num_rows = static_cast<std::uint32_t>(from.number());
  matrix.num_cols = static_cast<std::uint32_t>(from.number());
  matrix.row_offsets = from.numbers<std::uint64_t>();
  matrix.columns = from.numbers<std::uint32_t>();
  if constexpr (has_values<Value>) matrix.values = from.numbers<Value>();
  check(matrix, path.string());
  return matrix;
}

any_csr take_matrix(hdf5::receiver& from, std::filesystem::path const& path) {
  switch (static_cast<stored_values>(from.number())) {
    case stored_values::float32: return take_as<float>(from, path);
    case stored_values::float64: return take_as<double>(from, path);
    default: return take_as<no_value>(from, path);
  }
}

void send_provenance(std::filesystem::path const& path, hdf5::sender& to) {
  H5::H5File const file = hdf5::open_for_reading(path);
  H5::Group const group = hdf5::open_kind(file, path, "matrix", "csr");
  provenance about;
  for (int k = 0; k < group.getNumAttrs(); ++k) {
    H5::Attribute const attribute = group.openAttribute(static_cast<unsigned>(k));
    std::string const name = attribute.getName();
    if (is_reserved(name) || attribute.getTypeClass() != H5T_STRING ||
        attribute.getSpace().getSimpleExtentNpoints() != 1) {
      continue;
    }
    about.emplace_back(name, hdf5::read_text_attribute(group, name, path.string() + ": /matrix"));
  }
  std::sort(about.begin(), about.end());
  std::vector<std::string> both;
  for (auto const& [name, text] : about) both.insert(both.end(), {name, text});
  to.texts(both);
}

void check_provenance(provenance const& about) {
  for (auto const& [name, text] : about) {
    if (name.empty() || is_reserved(name) || name.find('\0') != std::string::npos) {
      throw std::invalid_argument("write_csr: \"" + name + "\" cannot name a provenance");
    }
    if (text.find('\0') != std::string::npos) {
      throw std::invalid_argument("write_csr: the provenance \"" + name + "\" holds a NUL");
    }
    // Copied, because clang 14 cannot capture a structured binding by reference.
    auto const same = [wanted = std::string_view{name}](auto const& other) {
      return other.first == wanted;
    };
    if (std::count_if(about.begin(), about.end(), same) > 1) {
      throw std::invalid_argument("write_csr: the provenance \"" + name + "\" is given twice");
    }
  }
}

template <matrix_value Value>
void describe(hdf5::outline& outline, csr_matrix<Value> const& matrix, provenance const& about) {
  H5::Group group = outline.file().createGroup("matrix");
  hdf5::write_attribute(group, "kind", "csr");
  hdf5::write_attribute(group, "num_rows", std::uint64_t{matrix.num_rows});
  hdf5::write_attribute(group, "num_cols", std::uint64_t{matrix.num_cols});
  for (auto const& [name, text] : about) hdf5::write_attribute(group, name, text);
  outline.add(group, "row_offsets", H5::PredType::STD_U64LE,
              std::as_bytes(std::span{matrix.row_offsets}));
  outline.add(group, "columns", H5::PredType::STD_U32LE, std::as_bytes(std::span{matrix.columns}));
  if constexpr (has_values<Value>) {
    outline.add(group, "values",
                std::same_as<Value, float> ? H5::PredType::IEEE_F32LE : H5::PredType::IEEE_F64LE,
                std::as_bytes(std::span{matrix.values}));
  }
}

}  // namespace

any_csr read_csr(std::filesystem::path const& path) {
  return hdf5::read_apart(
      path, [&](hdf5::sender& to) { send_matrix(path, to); },
      [&](hdf5::receiver& from) { return take_matrix(from, path); });
}

provenance read_provenance(std::filesystem::path const& path) {
  return hdf5::read_apart(
      path, [&](hdf5::sender& to) { send_provenance(path, to); },
      [](hdf5::receiver& from) {
        std::vector<std::string> const both = from.texts();
        provenance about;
        for (std::size_t k = 0; k + 1 < both.size(); k += 2) {
          about.emplace_back(both[k], both[k + 1]);
        }
        return about;
      });
}

template <matrix_value Value>
void write_csr(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
               provenance const& about) {
  check(matrix, path.string());
  check_provenance(about);
  hdf5::writing(path, [&] {
    hdf5::outline file;
    describe(file, matrix, about);
    file.write_to(path);
  });
}

template void write_csr(std::filesystem::path const&, csr_matrix<no_value> const&,
                        provenance const&);
template void write_csr(std::filesystem::path const&, csr_matrix<float> const&, provenance const&);
template void write_csr(std::filesystem::path const&, csr_matrix<double> const&, provenance const&);

}  // namespace gridloom::sparse
