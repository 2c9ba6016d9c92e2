#include "gridloom/sparse/matrix_source.hpp"

#include <cctype>
#include <string>
#include <string_view>

#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/sparse/csr_file.hpp"

namespace gridloom::sparse {
namespace {

// Whether a name, without a final .gz, ends with one of the endings, in upper or lower case.
template <typename... Endings>
bool ends_with(std::filesystem::path const& path, Endings... endings) {
  std::string name = path.filename().string();
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string_view bare = name;
  if (bare.ends_with(".gz")) bare.remove_suffix(3);
  return (bare.ends_with(endings) || ...);
}

// Returns nothing for a group that may hold a sparse matrix.
std::optional<dense_rows> read_dense_from(H5::H5File const& file, std::filesystem::path const& path,
                                          std::string const& name) {
  std::string const place = path.string() + ": ";
  if (!hdf5::has_link(file, name, place))
    throw usage_error(path.string() + ": has no dataset /" + name);
  if (file.childObjType(name) == H5O_TYPE_GROUP) {
    if (!file.openGroup(name).attrExists("kind")) {
      throw usage_error(place + "/" + name +
                        ": expected a dataset with two dimensions of float32 or float64, or a "
                        "sparse matrix, which is a group with an attribute \"kind\"; got a group "
                        "without it");
    }
    return std::nullopt;
  }
  H5::DataSet const data = hdf5::open_rows(file, name, place, std::filesystem::file_size(path));
  std::string const type = hdf5::type_name(data);
  // A conversion could lose digits without notice.
  if (type != "float32" && type != "float64") {
    throw usage_error(place + "/" + name + ": expected float32 or float64, got " + type +
                      "; convert it, in h5py by .astype(\"float64\")");
  }
  auto const [rows, cols] = hdf5::extent_of(data);
  dense_rows made{rows, cols, {}};
  if (type == "float32") {
    std::vector<float> const values = hdf5::read_numbers<float>(data, place + "/" + name);
    made.values.assign(values.begin(), values.end());
  } else {
    made.values = hdf5::read_numbers<double>(data, place + "/" + name);
  }
  return made;
}

}  // namespace

bool is_csr_name(std::filesystem::path const& path) { return ends_with(path, ".h5", ".hdf5"); }

bool is_market_name(std::filesystem::path const& path) { return ends_with(path, ".mtx"); }

any_csr read_matrix(std::filesystem::path const& path) {
  if (is_csr_name(path)) return read_csr(path);
  if (is_market_name(path)) {
    if (read_market_header(path).field == market_field::pattern) {
      return read_matrix_market<no_value>(path);
    }
    return read_matrix_market<double>(path);
  }
  if (ends_with(path, ".graph", ".metis", ".txt", ".edges", ".el", ".tsv", ".csv")) {
    throw usage_error(path.string() +
                      ": expected HDF5 or Matrix Market; METIS graphs and edge lists are converted "
                      "by scripts/datasets import FILE OUT.h5 (a .csv with --as edges)");
  }
  throw usage_error(path.string() + ": expected a name that ends with .h5, .hdf5, .mtx or .mtx.gz");
}

std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                          std::string const& name) {
  return hdf5::read_file(path,
                         [&](H5::H5File const& file) { return read_dense_from(file, path, name); });
}

}  // namespace gridloom::sparse
