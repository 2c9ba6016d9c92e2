#include "gridloom/files/hdf5_outline.hpp"

#include <fstream>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {
namespace {

// More than HDF5 adds when it opens a file and gives its datasets their places; what is left over
// it cuts off.
constexpr std::size_t spare_bytes = std::size_t{1} << 16U;

void overwrite_begin(std::filesystem::path const& path, std::vector<std::byte> const& bytes) {
  std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
  file.write(reinterpret_cast<char const*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw H5::FileIException("overwrite_begin", "the outline was not written");
}

}  // namespace

outline::outline() : file_{create_in_memory()} {}

void outline::add(H5::Group& group, std::string const& name, H5::DataType const& type,
                  std::span<std::byte const> bytes) {
  H5::DSetCreatPropList layout;
  // A place when the array is written, and nothing written there before.
  layout.setAllocTime(H5D_ALLOC_TIME_LATE);
  layout.setFillTime(H5D_FILL_TIME_NEVER);
  // The same arrays make the same file, byte by byte.
  H5Pset_obj_track_times(layout.getId(), false);
  hsize_t const extent = bytes.size() / type.getSize();
  H5::DataSet const dataset =
      group.createDataSet(name, type, H5::DataSpace{1, &extent, &extent}, layout);
  if (!bytes.empty()) arrays_.push_back({dataset.getObjName(), bytes});
}

void outline::write_to(std::filesystem::path const& path) {
  std::vector<std::byte> const image = image_of(file_);
  file_.close();
  std::size_t reserved = image.size() + spare_bytes;
  for (array const& part : arrays_) reserved += part.bytes.size();
  replace_file(path, reserved, [&](std::filesystem::path const& temporary) {
    overwrite_begin(temporary, image);
    H5::H5File file{temporary.string(), H5F_ACC_RDWR};
    for (array const& part : arrays_) {
      H5::DataSet dataset = file.openDataSet(part.name);
      dataset.write(part.bytes.data(), dataset.getDataType());
    }
    file.close();
  });
}

}  // namespace gridloom::hdf5
