#include <algorithm>
#include <atomic>

#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::hdf5 {
namespace {

// The memory driver first looks whether a file of this name is on disk; a fresh name never is.
std::string fresh_name() {
  static std::atomic<unsigned> count{0};
  return "/nonexistent/gridloom-" + std::to_string(count.fetch_add(1, std::memory_order_relaxed));
}

H5::FileAccPropList memory_driver() {
  H5::FileAccPropList access;
  constexpr std::size_t growth_bytes = std::size_t{1} << 20U;
  access.setCore(growth_bytes, false);
  return access;
}

H5L_type_t type_of_link(H5::Group const& group, std::string const& name) {
  H5L_info_t link{};
  if (H5Lget_info(group.getId(), name.c_str(), &link, H5P_DEFAULT) < 0) {
    throw H5::GroupIException("H5Lget_info", "damaged link");
  }
  return link.type;
}

// Soft links may lead over external ones, out of sight of has_link, so the whole process follows
// none: the class of these links is replaced by one that leads nowhere.
hid_t lead_nowhere(char const*, hid_t, void const*, std::size_t, hid_t, hid_t) { return -1; }

void follow_no_external_links() {
  static bool const replaced = [] {
    H5L_class_t links{};
    links.version = H5L_LINK_CLASS_T_VERS;
    links.id = H5L_TYPE_EXTERNAL;
    links.comment = "external links are not followed";
    links.trav_func = lead_nowhere;
    return H5Lregister(&links) >= 0;
  }();
  if (!replaced) throw H5::LibraryIException("H5Lregister", "the class of links was refused");
}

}  // namespace

void silence() { H5::Exception::dontPrint(); }

H5::H5File open_for_reading(std::filesystem::path const& path) {
  require_readable(path);
  follow_no_external_links();
  // H5Fis_hdf5 looks for the signature only; a truncated file has it and fails to open.
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

H5::H5File create_in_memory() {
  return H5::H5File{fresh_name(), H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, memory_driver()};
}

H5::H5File open_in_memory(std::vector<std::byte> const& bytes) {
  follow_no_external_links();
  H5::FileAccPropList const access = memory_driver();
  // HDF5 copies the image; its interface merely lacks the const.
  if (H5Pset_file_image(access.getId(), const_cast<std::byte*>(bytes.data()), bytes.size()) < 0) {
    throw H5::FileIException("H5Pset_file_image", "the image was refused");
  }
  return H5::H5File{fresh_name(), H5F_ACC_RDWR, H5::FileCreatPropList::DEFAULT, access};
}

std::vector<std::byte> image_of(H5::H5File& file) {
  file.flush(H5F_SCOPE_GLOBAL);
  ssize_t const size = H5Fget_file_image(file.getId(), nullptr, 0);
  if (size <= 0) throw H5::FileIException("H5Fget_file_image", "no image");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file.getId(), bytes.data(), bytes.size()) != size) {
    throw H5::FileIException("H5Fget_file_image", "the image changed its size");
  }
  return bytes;
}

H5::StrType text_type() {
  H5::StrType type{H5::PredType::C_S1, H5T_VARIABLE};
  type.setCset(H5T_CSET_UTF8);
  return type;
}

H5::StrType text_type(std::size_t bytes) {
  H5::StrType type{H5::PredType::C_S1, std::max<std::size_t>(1, bytes)};
  type.setCset(H5T_CSET_UTF8);
  type.setStrpad(H5T_STR_NULLPAD);
  return type;
}

std::string inside(std::string const& place, std::string const& name) {
  return place + "/" + shortened(name);
}

bool has_link(H5::Group const& group, std::string const& name, std::string const& place) {
  if (H5Lexists(group.getId(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_type_t const type = type_of_link(group, name);
  if (type != H5L_TYPE_HARD && type != H5L_TYPE_SOFT) {
    throw usage_error(inside(place, name) +
                      ": expected it in this file, got a link to another one");
  }
  if (type == H5L_TYPE_SOFT && H5Oexists_by_name(group.getId(), name.c_str(), H5P_DEFAULT) <= 0) {
    throw usage_error(inside(place, name) +
                      ": expected it in this file, got a link to what is not in it");
  }
  return true;
}

H5::DataSet create_column(H5::Group& group, std::string const& name, H5::DataType const& type,
                          std::size_t length) {
  constexpr std::size_t smallest_chunk = 1024;
  constexpr std::size_t largest_chunk = std::size_t{1} << 16U;
  std::size_t chunk = smallest_chunk;
  while (chunk < length && chunk < largest_chunk) chunk *= 2;
  // Long texts: a chunk is taken into memory whole.
  constexpr std::size_t most_chunk_bytes = std::size_t{1} << 20U;
  while (chunk > 1 && chunk * type.getSize() > most_chunk_bytes) chunk /= 2;
  hsize_t const chunk_extent = chunk;
  hsize_t const extent = length;
  hsize_t const limit = H5S_UNLIMITED;
  H5::DSetCreatPropList layout;
  layout.setChunk(1, &chunk_extent);
  layout.setShuffle();
  layout.setDeflate(4);
  // HDF5 has no checksums for texts of variable length.
  if (H5Tis_variable_str(type.getId()) <= 0) layout.setFletcher32();
  return group.createDataSet(name, type, H5::DataSpace{1, &extent, &limit}, layout);
}

}  // namespace gridloom::hdf5
