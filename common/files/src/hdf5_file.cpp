#include <atomic>
#include <cstdlib>
#include <cstring>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::hdf5 {
namespace {

// A file in memory needs a name that no file on disk has, because HDF5 checks that first.
std::string fresh_name() {
  static std::atomic<unsigned> count{0};
  return "/nonexistent/gridloom-" + std::to_string(count.fetch_add(1, std::memory_order_relaxed));
}

// The memory of a file. HDF5's memory driver hands it over when the file is closed.
// (H5Fget_file_image of an open file has a wrong checksum in its superblock.)
struct kept_memory {
  std::byte* bytes = nullptr;
  kept_memory() = default;
  kept_memory(kept_memory const&) = delete;
  kept_memory& operator=(kept_memory const&) = delete;
  ~kept_memory() { std::free(bytes); }
};

void* allocate(std::size_t bytes, H5FD_file_image_op_t, void*) { return std::malloc(bytes); }

void* reallocate(void* memory, std::size_t bytes, H5FD_file_image_op_t, void*) {
  return std::realloc(memory, bytes);
}

herr_t keep_or_free(void* memory, H5FD_file_image_op_t when, void* kept) {
  if (when == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
    static_cast<kept_memory*>(kept)->bytes = static_cast<std::byte*>(memory);
  } else {
    std::free(memory);
  }
  return 0;
}

void* share(void* kept) { return kept; }
herr_t leave(void*) { return 0; }

// Properties to create a file in memory, in the format of HDF5 1.10.
H5::FileAccPropList memory_driver(kept_memory& kept) {
  H5::FileAccPropList access;
  constexpr std::size_t growth_bytes = std::size_t{1} << 20U;
  access.setCore(growth_bytes, false);
  access.setLibverBounds(H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5FD_file_image_callbacks_t calls{allocate, nullptr, reallocate, keep_or_free,
                                    share,    leave,   &kept};
  if (H5Pset_file_image_callbacks(access.getId(), &calls) < 0) {
    throw H5::PropListIException("H5Pset_file_image_callbacks", "the callbacks were refused");
  }
  return access;
}

std::vector<std::byte> bytes_of(kept_memory const& kept) {
  // Offset of the file's size in a superblock of version 3.
  constexpr std::size_t end_of_file = 28;
  std::uint64_t size = 0;
  if (kept.bytes == nullptr) throw H5::FileIException("H5Fclose", "no memory was handed over");
  std::memcpy(&size, kept.bytes + end_of_file, sizeof size);
  return {kept.bytes, kept.bytes + size};
}

std::vector<std::byte> made_by(std::filesystem::path const& path,
                               std::function<void(H5::H5File&)> const& fill) {
  try {
    H5::Exception::dontPrint();
    kept_memory kept;
    {
      H5::FileCreatPropList create;
      H5Pset_obj_track_times(create.getId(), false);
      H5::H5File file{fresh_name(), H5F_ACC_TRUNC, create, memory_driver(kept)};
      fill(file);
      file.close();
    }
    return bytes_of(kept);
  } catch (H5::Exception const& error) {
    throw run_error(path.string() + ": cannot write (HDF5: " + error.getDetailMsg() + " in " +
                    error.getFuncName() + ")");
  } catch (std::bad_alloc const&) {
    throw run_error(path.string() + ": cannot write: out of memory");
  }
}

H5L_type_t type_of_link(H5::Group const& group, std::string const& name) {
  H5L_info_t link{};
  if (H5Lget_info(group.getId(), name.c_str(), &link, H5P_DEFAULT) < 0) {
    throw H5::GroupIException("H5Lget_info", "damaged link");
  }
  return link.type;
}

// A soft link can lead through an external link, which has_link does not see. So the class of
// external links is replaced, in the whole process, by one that leads nowhere.
hid_t refuse_link(char const*, hid_t, void const*, std::size_t, hid_t, hid_t) { return -1; }

void follow_no_external_links() {
  static bool const replaced = [] {
    H5L_class_t links{};
    links.version = H5L_LINK_CLASS_T_VERS;
    links.id = H5L_TYPE_EXTERNAL;
    links.comment = "external links are not followed";
    links.trav_func = refuse_link;
    return H5Lregister(&links) >= 0;
  }();
  if (!replaced) throw H5::LibraryIException("H5Lregister", "the class of links was refused");
}

}  // namespace

H5::H5File open_for_reading(std::filesystem::path const& path) {
  require_readable(path);
  follow_no_external_links();
  // isHdf5 checks only the signature. A truncated file has a signature but cannot be opened.
  bool is_hdf5 = false;
  try {
    is_hdf5 = H5::H5File::isHdf5(path.string());
  } catch (H5::Exception const&) {
    is_hdf5 = false;
  }
  if (!is_hdf5) throw usage_error(path.string() + ": expected an HDF5 file");
  try {
    return H5::H5File{path.string(), H5F_ACC_RDONLY};
  } catch (H5::Exception const&) {
    throw usage_error(path.string() + ": damaged HDF5 file (truncated?)");
  }
}

// The file is made in memory. After a failed write to a full disk, the HDF5 library has handles
// that it can neither flush nor close.
void write_file(std::filesystem::path const& path, std::function<void(H5::H5File&)> const& fill) {
  std::vector<std::byte> bytes = made_by(path, fill);
  add_checksum(bytes);
  replace_file(path, bytes);
}

std::string inside(std::string const& place, std::string const& name) {
  return place + "/" + shortened(name);
}

bool has_link(H5::Group const& group, std::string const& name, std::string const& place) {
  if (H5Lexists(group.getId(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_type_t const type = type_of_link(group, name);
  if (type != H5L_TYPE_HARD && type != H5L_TYPE_SOFT) {
    throw usage_error(inside(place, name) +
                      ": expected the data in this file, got a link to another file");
  }
  if (type == H5L_TYPE_SOFT && H5Oexists_by_name(group.getId(), name.c_str(), H5P_DEFAULT) <= 0) {
    throw usage_error(inside(place, name) +
                      ": expected the data in this file, got a link to a name that does not exist");
  }
  return true;
}

H5::Group create_group(H5::Group const& parent, std::string const& name) {
  H5::PropList const how{H5P_GROUP_CREATE};
  H5Pset_obj_track_times(how.getId(), false);
  hid_t const made =
      H5Gcreate2(parent.getId(), name.c_str(), H5P_DEFAULT, how.getId(), H5P_DEFAULT);
  if (made < 0) throw H5::GroupIException("H5Gcreate2", "no group " + name);
  H5::Group group{made};
  // `group` holds its own reference.
  H5Gclose(made);
  return group;
}

}  // namespace gridloom::hdf5
