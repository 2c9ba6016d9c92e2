// Opening a dataset: what it claims of itself against what the file holds. A checksum covers the bytes
// of a chunk alone: the index of the chunks and the type say how they become values.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {
namespace {

// Before the extent is asked for, which a virtual dataset takes from other files.
void require_own_storage(H5::DataSet const& dataset, std::string const& place) {
  H5::DSetCreatPropList const layout = dataset.getCreatePlist();
  if (layout.getLayout() == H5D_VIRTUAL || H5Pget_external_count(layout.getId()) != 0) {
    throw usage_error(place + ": expected it in this file, got a dataset kept in others");
  }
}

// Deflate shrinks at most 1032-fold: an extent beyond that was never written by anybody.
void check_extent(H5::DataSet const& dataset, std::string const& place, std::uint64_t file_bytes) {
  std::uint64_t const entries = length_of(dataset);
  std::uint64_t const entry_bytes = std::max<std::size_t>(1, dataset.getDataType().getSize());
  bool const filtered = dataset.getCreatePlist().getNfilters() > 0;
  std::uint64_t const most_shrunk = filtered ? 1100 : 1;
  std::uint64_t const stored = std::min<std::uint64_t>(dataset.getStorageSize(), file_bytes);
  if (entries > stored * most_shrunk / entry_bytes) {
    throw usage_error(place + ": claims " + std::to_string(entries) +
                      " entries, more than the file holds");
  }
}

// The index says of each chunk which filters were left out. Only deflating ever is, where it would
// make a chunk longer, which then has its full length; what is damaged there gives packed or shuffled
// bytes as values.
bool has_its_filters(H5::DataSet const& dataset, H5::DSetCreatPropList const& layout,
                     unsigned left_out, hsize_t entries, hsize_t bytes) {
  H5::DataType const type = dataset.getDataType();
  // Texts of variable length are never shuffled.
  if (left_out == 0 || H5Tis_variable_str(type.getId()) > 0) return true;
  hsize_t full_bytes = entries * type.getSize();
  unsigned may_be_left_out = 0;
  for (int place = 0; place < layout.getNfilters(); ++place) {
    unsigned flags = 0;
    unsigned settings = 0;
    std::size_t count = 0;
    H5Z_filter_t const filter = H5Pget_filter2(layout.getId(), static_cast<unsigned>(place), &flags,
                                               &count, &settings, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_DEFLATE) may_be_left_out |= 1U << static_cast<unsigned>(place);
    if (filter == H5Z_FILTER_FLETCHER32) full_bytes += sizeof(std::uint32_t);
  }
  return (left_out & ~may_be_left_out) == 0 && bytes == full_bytes;
}

// A chunk whose key in the index is damaged is one that HDF5 does not find: it would give the fill
// value for all that is in it.
void require_every_chunk(H5::DataSet const& dataset, std::string const& place,
                         std::uint64_t file_bytes) {
  H5::DSetCreatPropList const layout = dataset.getCreatePlist();
  if (layout.getLayout() != H5D_CHUNKED || length_of(dataset) == 0) return;
  hsize_t extent[2] = {1, 1};
  hsize_t chunk[2] = {1, 1};
  dataset.getSpace().getSimpleExtentDims(extent);
  layout.getChunk(2, chunk);
  std::vector<std::byte> packed;
  for (hsize_t row = 0; row < extent[0]; row += chunk[0]) {
    for (hsize_t column = 0; column < extent[1]; column += chunk[1]) {
      hsize_t const offset[2] = {row, column};
      hsize_t bytes = 0;
      bool is_there = H5Dget_chunk_storage_size(dataset.getId(), offset, &bytes) >= 0 &&
                      bytes != 0 && bytes <= file_bytes;
      // Nothing else of HDF5 1.10 tells the filters of a chunk without going through all others.
      std::uint32_t left_out = 0;
      if (is_there) {
        packed.resize(bytes);
        is_there =
            H5Dread_chunk(dataset.getId(), H5P_DEFAULT, offset, &left_out, packed.data()) >= 0;
      }
      if (!is_there) {
        throw usage_error(place + ": damaged, lacks the values from " + std::to_string(row) +
                          " on");
      }
      if (!has_its_filters(dataset, layout, left_out, chunk[0] * chunk[1], bytes)) {
        throw usage_error(place + ": damaged, lacks filters of the values from " +
                          std::to_string(row) + " on");
      }
    }
  }
}

// The checksum covers the values, not how long each of them is: shuffling knows that from when the
// dataset was written.
void require_size_of_entry(H5::DataSet const& dataset, std::string const& place) {
  unsigned flags = 0;
  unsigned bytes = 0;
  std::size_t count = 1;
  bool const is_shuffled =
      H5Pget_filter_by_id2(dataset.getCreatePlist().getId(), H5Z_FILTER_SHUFFLE, &flags, &count,
                           &bytes, 0, nullptr, nullptr) >= 0 &&
      count == 1;
  if (is_shuffled && bytes != dataset.getDataType().getSize()) {
    throw usage_error(place + ": damaged, expected values of " + std::to_string(bytes) +
                      " bytes, got " + std::to_string(dataset.getDataType().getSize()));
  }
}

H5::DataSet open_dataset(H5::Group const& group, std::string const& name, std::string const& place,
                         std::uint64_t file_bytes, int dimensions) {
  std::string const here = inside(place, name);
  if (!has_link(group, name, place) || group.childObjType(name) != H5O_TYPE_DATASET) {
    throw usage_error(here + ": expected a dataset");
  }
  H5::DataSet dataset = group.openDataSet(name);
  require_own_storage(dataset, here);
  H5::DataSpace const space = dataset.getSpace();
  if (!space.isSimple() || space.getSimpleExtentNdims() != dimensions) {
    throw usage_error(here + ": expected " +
                      (dimensions == 1 ? "one dimension" : "two dimensions") + ", got " +
                      std::to_string(space.getSimpleExtentNdims()));
  }
  if (H5Tis_variable_str(dataset.getDataType().getId()) <= 0) require_size_of_entry(dataset, here);
  check_extent(dataset, here, file_bytes);
  require_every_chunk(dataset, here, file_bytes);
  return dataset;
}

}  // namespace

H5::DataSet open_column(H5::Group const& group, std::string const& name, std::string const& place,
                        std::uint64_t file_bytes) {
  return open_dataset(group, name, place, file_bytes, 1);
}

H5::DataSet open_rows(H5::Group const& group, std::string const& name, std::string const& place,
                      std::uint64_t file_bytes) {
  return open_dataset(group, name, place, file_bytes, 2);
}

}  // namespace gridloom::hdf5
