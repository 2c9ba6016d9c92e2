#include "gridloom/sparse/dense_file.hpp"

#include "gridloom/error.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom {
namespace {

// What the reading process sends first.
enum class found : std::uint64_t { group, float32, float64 };

void send_dataset(std::filesystem::path const& path, std::string const& name, hdf5::sender& to) {
  H5::H5File const file = hdf5::open_for_reading(path);
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
    return to.number(static_cast<std::uint64_t>(found::group));
  }
  H5::DataSet const data = hdf5::open_rows(file, name, place, std::filesystem::file_size(path));
  std::string const type = hdf5::type_name(data);
  bool const is_float = type == "float32";
  // Numbers are read without conversion: what of them it would lose, the reader could not see.
  if (!is_float && type != "float64") {
    throw usage_error(place + "/" + name + ": expected float32 or float64, got " + type +
                      "; convert it, in h5py by .astype(\"float64\")");
  }
  auto const [rows, cols] = hdf5::extent_of(data);
  to.number(static_cast<std::uint64_t>(is_float ? found::float32 : found::float64));
  to.number(rows);
  to.number(cols);
  if (is_float) return to.numbers<float>(data, place + "/" + name);
  to.numbers<double>(data, place + "/" + name);
}

dense_rows take_rows(std::filesystem::path const& path, bool is_float, hdf5::receiver& from) {
  dense_rows made;
  made.rows = from.number();
  made.cols = from.number();
  if (is_float) {
    std::vector<float> const values = from.numbers<float>();
    made.values.assign(values.begin(), values.end());
  } else {
    made.values = from.numbers<double>();
  }
  if (made.cols != 0 && made.values.size() / made.cols != made.rows)
    throw usage_error(path.string() + ": damaged HDF5 file");
  return made;
}

}  // namespace

std::optional<dense_rows> read_dense_rows(std::filesystem::path const& path,
                                          std::string const& name) {
  return hdf5::read_apart(
      path, [&](hdf5::sender& to) { send_dataset(path, name, to); },
      [&](hdf5::receiver& from) -> std::optional<dense_rows> {
        auto const what = static_cast<found>(from.number());
        if (what == found::group) return std::nullopt;
        return take_rows(path, what == found::float32, from);
      });
}

}  // namespace gridloom
