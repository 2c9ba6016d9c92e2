#include "gridloom/file/hdf5_sparse_bytes.hpp"

#include <algorithm>
#include <new>
#include <type_traits>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace gridloom::hdf5 {
namespace {

// What the access properties carry; HDF5 copies it byte by byte.
struct driver_info {
  sparse_bytes* bytes;
};

// What HDF5 takes for its H5FD_t, which must come first.
struct open_file {
  H5FD_t base;
  sparse_bytes* bytes;
  haddr_t end_of_allocation;
};

static_assert(std::is_standard_layout_v<open_file>);

open_file& opened(H5FD_t* file) { return *reinterpret_cast<open_file*>(file); }
open_file const& opened(H5FD_t const* file) { return *reinterpret_cast<open_file const*>(file); }

// The callbacks are C: no exception may pass them. 0 is success.
H5FD_t* open(char const*, unsigned, hid_t access, haddr_t) {
  auto const* info = static_cast<driver_info const*>(H5Pget_driver_info(access));
  auto* file = info == nullptr ? nullptr : new (std::nothrow) open_file{{}, info->bytes, 0};
  if (file == nullptr) return nullptr;
  file->bytes->open = true;
  return &file->base;
}

herr_t close(H5FD_t* file) {
  opened(file).bytes->open = false;
  delete &opened(file);
  return 0;
}

herr_t query(H5FD_t const*, unsigned long* flags) {
  // Metadata in blocks of some KiB, and a file like any other on disk.
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(H5FD_t const* file, H5FD_mem_t) { return opened(file).end_of_allocation; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  opened(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(H5FD_t const* file, H5FD_mem_t) { return opened(file).bytes->size; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t count, void* to) {
  opened(file).bytes->read(address, {static_cast<std::byte*>(to), count});
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t count,
             void const* from) {
  try {
    opened(file).bytes->write(address, {static_cast<std::byte const*>(from), count});
    return 0;
  } catch (std::bad_alloc const&) {
    return -1;
  }
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  opened(file).bytes->size = opened(file).end_of_allocation;
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 77);
#endif
  driver.name = "gridloom_sparse_bytes";
  driver.maxaddr = ~haddr_t{0} >> 1U;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(driver_info);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  H5FD_mem_t const shared_free_space[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(shared_free_space), std::end(shared_free_space), driver.fl_map);
  return H5FDregister(&driver);
}

}  // namespace

void sparse_bytes::read(std::uint64_t address, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    std::size_t const begin = address % page_bytes;
    std::size_t const count = std::min(bytes.size(), page_bytes - begin);
    auto const page = pages_.find(address / page_bytes);
    if (page == pages_.end()) {
      std::fill_n(bytes.begin(), count, std::byte{0});
    } else {
      std::copy_n(page->second.begin() + begin, count, bytes.begin());
    }
    address += count;
    bytes = bytes.subspan(count);
  }
}

void sparse_bytes::write(std::uint64_t address, std::span<std::byte const> bytes) {
  size = std::max(size, address + bytes.size());
  while (!bytes.empty()) {
    std::size_t const begin = address % page_bytes;
    std::size_t const count = std::min(bytes.size(), page_bytes - begin);
    std::copy_n(bytes.begin(), count, pages_[address / page_bytes].begin() + begin);
    address += count;
    bytes = bytes.subspan(count);
  }
}

H5::FileAccPropList sparse_driver(sparse_bytes& bytes) {
  static hid_t const driver = register_driver();
  H5::FileAccPropList access;
  driver_info const info{&bytes};
  if (driver < 0 || H5Pset_driver(access.getId(), driver, &info) < 0) {
    throw H5::FileIException("H5Pset_driver", "the driver was refused");
  }
  return access;
}

}  // namespace gridloom::hdf5
