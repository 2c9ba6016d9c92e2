// Attributes and columns of HDF5 files.

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"

namespace gridloom::hdf5 {
namespace {

// Larger than every attribute that programs write.
constexpr std::size_t most_attribute_bytes = std::size_t{1} << 24U;

H5::Attribute open_scalar(H5::H5Object const& object, std::string const& name,
                          std::string const& place, H5T_class_t kind, char const* expected) {
  std::string const message =
      place + ": expected an attribute " + in_quotes(name) + " holding one " + expected;
  if (!object.attrExists(name)) throw usage_error(message);
  H5::Attribute attribute = object.openAttribute(name);
  H5::DataSpace const space = attribute.getSpace();
  if (attribute.getTypeClass() != kind || space.getSimpleExtentNdims() > 1 ||
      space.getSimpleExtentNpoints() != 1 ||
      std::max<std::size_t>(attribute.getStorageSize(), attribute.getDataType().getSize()) >
          most_attribute_bytes) {
    throw usage_error(message);
  }
  return attribute;
}

// Frees variable-length texts that HDF5 allocated, also if copying the texts throws.
struct texts_owner {
  H5::DataType const& type;
  H5::DataSpace const& space;
  std::vector<char*>& pointers;
  ~texts_owner() { H5Dvlen_reclaim(type.getId(), space.getId(), H5P_DEFAULT, pointers.data()); }
};

struct number_types {
  char const* name;
  H5::PredType const& little;
  H5::PredType const& big;
  H5::PredType const& native;
};

template <typename Number>
number_types types_of() {
  using type = H5::PredType;
  if constexpr (std::same_as<Number, std::uint32_t>) {
    return {"uint32", type::STD_U32LE, type::STD_U32BE, type::NATIVE_UINT32};
  } else if constexpr (std::same_as<Number, std::uint64_t>) {
    return {"uint64", type::STD_U64LE, type::STD_U64BE, type::NATIVE_UINT64};
  } else if constexpr (std::same_as<Number, std::int64_t>) {
    return {"int64", type::STD_I64LE, type::STD_I64BE, type::NATIVE_INT64};
  } else if constexpr (std::same_as<Number, float>) {
    return {"float32", type::IEEE_F32LE, type::IEEE_F32BE, type::NATIVE_FLOAT};
  } else {
    static_assert(std::same_as<Number, double>);
    return {"float64", type::IEEE_F64LE, type::IEEE_F64BE, type::NATIVE_DOUBLE};
  }
}

// The type of UTF-8 text of fixed length. HDF5 stores it among the values, which a checksum covers.
H5::StrType text_type(std::size_t bytes) {
  H5::StrType type{H5::PredType::C_S1, std::max<std::size_t>(1, bytes)};
  type.setCset(H5T_CSET_UTF8);
  type.setStrpad(H5T_STR_NULLPAD);
  return type;
}

H5::DataSet create_column(H5::Group& group, std::string const& name, H5::DataType const& type,
                          std::size_t length, packing how, std::size_t columns = 0) {
  constexpr std::size_t most_chunk_entries = std::size_t{1} << 16U;
  // Chunks are small, because HDF5 always reads whole chunks.
  constexpr std::size_t most_chunk_bytes = std::size_t{1} << 20U;
  hsize_t const chunk = std::clamp<std::size_t>(
      most_chunk_bytes / type.getSize(), 1, std::clamp(length, std::size_t{1}, most_chunk_entries));
  int const rank = columns == 0 ? 1 : 2;
  hsize_t const chunks[]{chunk, columns};
  hsize_t const extents[]{length, columns};
  // HDF5 requires that a chunk is not longer than the limit.
  hsize_t const limits[]{std::max<hsize_t>(length, chunk), columns};
  H5::DSetCreatPropList layout;
  // Without timestamps, the same contents make the same file.
  H5Pset_obj_track_times(layout.getId(), false);
  layout.setChunk(rank, chunks);
  if (how == packing::deflate) {
    layout.setShuffle();
    layout.setDeflate(4);
  }
  layout.setFletcher32();
  return group.createDataSet(name, type, H5::DataSpace{rank, extents, limits}, layout);
}

// Virtual and external datasets keep their values in other files. This is checked before the
// extent, because the extent of a virtual dataset comes from those files.
void require_own_storage(H5::DataSet const& dataset, std::string const& place) {
  H5::DSetCreatPropList const layout = dataset.getCreatePlist();
  if (layout.getLayout() == H5D_VIRTUAL || H5Pget_external_count(layout.getId()) != 0) {
    throw usage_error(
        place + ": expected the data in this file, got a dataset whose data is in other files");
  }
}

// Deflate shrinks data at most 1032-fold, so a larger extent must be wrong.
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
  check_extent(dataset, here, file_bytes);
  return dataset;
}

// Text such as ", got /graph of kind "dag"" for another group with an attribute "kind", or "".
std::string other_kind(H5::H5File const& file) {
  for (hsize_t k = 0; k < file.getNumObjs(); ++k) {
    std::string const name = file.getObjnameByIdx(k);
    H5L_info_t link{};
    bool const is_link = H5Lget_info(file.getId(), name.c_str(), &link, H5P_DEFAULT) < 0 ||
                         link.type != H5L_TYPE_HARD;
    if (is_link || file.childObjType(name) != H5O_TYPE_GROUP) continue;
    H5::Group const group = file.openGroup(name);
    if (!group.attrExists("kind")) continue;
    return ", got /" + name + " of kind " +
           in_quotes(read_text_attribute(group, "kind", "/" + name));
  }
  return {};
}

}  // namespace

void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value) {
  std::string valid = as_utf8(value);
  valid.resize(std::min(valid.size(), valid.find('\0')));
  H5::StrType const type = text_type(valid.size());
  valid.resize(type.getSize(), '\0');
  object.createAttribute(name, type, H5::DataSpace{H5S_SCALAR}).write(type, valid.data());
}

void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value) {
  object.createAttribute(name, H5::PredType::STD_U64LE, H5::DataSpace{H5S_SCALAR})
      .write(H5::PredType::NATIVE_UINT64, &value);
}

std::string read_text_attribute(H5::H5Object const& object, std::string const& name,
                                std::string const& place) {
  H5::Attribute const attribute = open_scalar(object, name, place, H5T_STRING, "text");
  H5::StrType const type = attribute.getStrType();
  if (type.isVariableStr()) {
    H5::DataSpace const space = attribute.getSpace();
    std::vector<char*> pointers(1, nullptr);
    attribute.read(type, pointers.data());
    texts_owner const owner{type, space, pointers};
    return pointers[0] == nullptr ? std::string{} : std::string{pointers[0]};
  }
  std::string text(type.getSize(), '\0');
  attribute.read(type, text.data());
  return text.substr(0, text.find('\0'));
}

std::uint64_t read_count_attribute(H5::H5Object const& object, std::string const& name,
                                   std::string const& place) {
  constexpr char const* expected = "whole number >= 0";
  H5::Attribute const attribute = open_scalar(object, name, place, H5T_INTEGER, expected);
  H5::IntType const type = attribute.getIntType();
  std::uint64_t value = 0;
  std::int64_t with_sign = 0;
  if (type.getSign() == H5T_SGN_NONE) {
    attribute.read(H5::PredType::NATIVE_UINT64, &value);
  } else {
    attribute.read(H5::PredType::NATIVE_INT64, &with_sign);
    value = static_cast<std::uint64_t>(with_sign);
  }
  if (with_sign >= 0 && type.getSize() <= sizeof value) return value;
  throw usage_error(place + ": expected an attribute " + in_quotes(name) + " holding one " +
                    expected);
}

H5::Group open_kind(H5::H5File const& file, std::filesystem::path const& path,
                    std::string const& name, std::string const& kind) {
  std::string const place = path.string() + ": /" + name;
  if (!has_link(file, name, path.string() + ": ") || file.childObjType(name) != H5O_TYPE_GROUP) {
    throw usage_error(place + ": expected a group" + other_kind(file));
  }
  H5::Group group = file.openGroup(name);
  std::string const stored = read_text_attribute(group, "kind", place);
  if (stored != kind) {
    throw usage_error(place + ": expected the attribute kind to be " + in_quotes(kind) + ", got " +
                      in_quotes(stored));
  }
  return group;
}

std::pair<std::size_t, std::size_t> extent_of(H5::DataSet const& dataset) {
  hsize_t lengths[2] = {0, 0};
  dataset.getSpace().getSimpleExtentDims(lengths);
  return {static_cast<std::size_t>(lengths[0]), static_cast<std::size_t>(lengths[1])};
}

std::size_t length_of(H5::DataSet const& dataset) {
  return static_cast<std::size_t>(dataset.getSpace().getSimpleExtentNpoints());
}

std::string type_name(H5::DataSet const& dataset) {
  std::string const bits = std::to_string(8 * dataset.getDataType().getSize());
  switch (dataset.getTypeClass()) {
    case H5T_INTEGER:
      return (dataset.getIntType().getSign() == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT: return "float" + bits;
    case H5T_STRING: return "text";
    default: return "another type";
  }
}

H5::DataSet open_column(H5::Group const& group, std::string const& name, std::string const& place,
                        std::uint64_t file_bytes) {
  return open_dataset(group, name, place, file_bytes, 1);
}

H5::DataSet open_rows(H5::Group const& group, std::string const& name, std::string const& place,
                      std::uint64_t file_bytes) {
  return open_dataset(group, name, place, file_bytes, 2);
}

template <typename Number>
H5::DataSet write_numbers(H5::Group& group, std::string const& name,
                          std::span<Number const> numbers, packing how, std::size_t columns) {
  number_types const types = types_of<Number>();
  std::size_t const length = columns == 0 ? numbers.size() : numbers.size() / columns;
  H5::DataSet dataset = create_column(group, name, types.little, length, how, columns);
  if (!numbers.empty()) dataset.write(numbers.data(), types.native);
  return dataset;
}

template <typename Number>
std::vector<Number> read_numbers(H5::DataSet const& dataset, std::string const& place) {
  number_types const types = types_of<Number>();
  H5::DataType const stored = dataset.getDataType();
  if (!(stored == types.little) && !(stored == types.big)) {
    throw usage_error(place + ": expected " + types.name + ", got " + type_name(dataset));
  }
  std::vector<Number> numbers(length_of(dataset));
  if (!numbers.empty()) dataset.read(numbers.data(), types.native);
  return numbers;
}

#define GRIDLOOM_COLUMNS_OF(Number)                                                           \
  template H5::DataSet write_numbers(H5::Group&, std::string const&, std::span<Number const>, \
                                     packing, std::size_t);                                   \
  template std::vector<Number> read_numbers(H5::DataSet const&, std::string const&)
GRIDLOOM_COLUMNS_OF(std::uint32_t);
GRIDLOOM_COLUMNS_OF(std::uint64_t);
GRIDLOOM_COLUMNS_OF(std::int64_t);
GRIDLOOM_COLUMNS_OF(float);
GRIDLOOM_COLUMNS_OF(double);
#undef GRIDLOOM_COLUMNS_OF

H5::DataSet write_texts(H5::Group& group, std::string const& name,
                        std::vector<std::string> const& texts) {
  std::vector<std::string> valid;
  std::transform(texts.begin(), texts.end(), std::back_inserter(valid), as_utf8);
  std::size_t longest = 0;
  for (std::string const& text : valid) longest = std::max(longest, text.size());
  H5::StrType const type = text_type(longest);
  std::string all;
  all.reserve(valid.size() * type.getSize());
  for (std::string& text : valid) {
    text.resize(type.getSize(), '\0');
    all += text;
  }
  H5::DataSet dataset = create_column(group, name, type, valid.size(), packing::deflate);
  if (!valid.empty()) dataset.write(all.data(), type);
  return dataset;
}

namespace {

std::vector<std::string> read_fixed_texts(H5::DataSet const& dataset) {
  H5::StrType const type = dataset.getStrType();
  std::size_t const bytes = type.getSize();
  std::size_t const count = length_of(dataset);
  std::string all(count * bytes, '\0');
  if (count != 0) dataset.read(all.data(), type);
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t begin = 0; begin < all.size(); begin += bytes) {
    std::size_t const end = std::min(all.find('\0', begin), begin + bytes);
    texts.push_back(all.substr(begin, end - begin));
  }
  return texts;
}

}  // namespace

std::vector<std::string> read_texts(H5::DataSet const& dataset, std::string const& place) {
  if (dataset.getTypeClass() != H5T_STRING) throw usage_error(place + ": expected text");
  if (!dataset.getStrType().isVariableStr()) return read_fixed_texts(dataset);
  std::vector<char*> pointers(length_of(dataset), nullptr);
  if (pointers.empty()) return {};
  H5::StrType const type = dataset.getStrType();
  H5::DataSpace const space = dataset.getSpace();
  dataset.read(pointers.data(), type);
  texts_owner const owner{type, space, pointers};
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (char const* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  return texts;
}

}  // namespace gridloom::hdf5
