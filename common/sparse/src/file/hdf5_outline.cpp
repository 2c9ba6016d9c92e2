#include "gridloom/file/hdf5_outline.hpp"

#include <algorithm>
#include <stdexcept>

#include "gridloom/file/atomic_file.hpp"
#include "gridloom/file/hdf5_sparse_bytes.hpp"

namespace gridloom::hdf5 {

outline::outline()
    : rest_{std::make_unique<sparse_bytes>()},
      file_{"/nonexistent/gridloom-outline", H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT,
            sparse_driver(*rest_)} {}

outline::~outline() = default;

void outline::add(H5::Group& group, std::string const& name, H5::DataType const& type,
                  std::span<std::byte const> bytes) {
  H5::DSetCreatPropList layout;
  // A place at once, and nothing written there.
  layout.setAllocTime(H5D_ALLOC_TIME_EARLY);
  layout.setFillTime(H5D_FILL_TIME_NEVER);
  // The same arrays make the same file, byte by byte.
  H5Pset_obj_track_times(layout.getId(), false);
  hsize_t const extent = bytes.size() / type.getSize();
  H5::DataSet const dataset =
      group.createDataSet(name, type, H5::DataSpace{1, &extent, &extent}, layout);
  if (!bytes.empty()) arrays_.push_back({dataset.getOffset(), bytes});
}

void outline::write_to(std::filesystem::path const& path) {
  std::vector<std::vector<std::byte>> between(arrays_.size() + 1);
  std::vector<std::span<std::byte const>> pieces;
  file_.close();
  // A group still open would keep HDF5 from writing the rest, and make a damaged file.
  if (rest_->open) throw std::logic_error("outline::write_to: something is still open");
  std::sort(arrays_.begin(), arrays_.end(),
            [](array const& a, array const& b) { return a.address < b.address; });
  std::uint64_t done = 0;
  for (std::size_t k = 0; k <= arrays_.size(); ++k) {
    std::uint64_t const next = k < arrays_.size() ? arrays_[k].address : rest_->size;
    if (next < done) throw std::logic_error("outline::write_to: arrays overlap");
    between[k].resize(next - done);
    rest_->read(done, between[k]);
    pieces.push_back(between[k]);
    if (k == arrays_.size()) break;
    pieces.push_back(arrays_[k].bytes);
    done = next + arrays_[k].bytes.size();
  }
  replace_file(path, pieces);
}

}  // namespace gridloom::hdf5
