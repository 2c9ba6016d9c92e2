#include "gridloom/sparse/dense_file.hpp"

#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom {
namespace {

// Returns nothing for a group that may hold a sparse matrix.
std::optional<dense_rows> read_from(H5::H5File const& file, std::filesystem::path const& path,
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

std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                          std::string const& name) {
  return hdf5::read_file(path, [&](H5::H5File const& file) { return read_from(file, path, name); });
}

}  // namespace gridloom
