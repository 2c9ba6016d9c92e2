#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>

#include "gridloom/file/hdf5_io.hpp"
#include "gridloom/file/utf8.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are turned where they are not");

// Larger than any that is written: 64 KiB is what HDF5 holds in the header of an object.
constexpr std::size_t most_attribute_bytes = std::size_t{1} << 20U;

H5::Attribute open_scalar(H5::H5Object const& object, std::string const& name,
                          std::string const& place, H5T_class_t kind, char const* expected) {
  std::string const message =
      place + ": expected an attribute \"" + name + "\" holding one " + expected;
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

// Gives back what HDF5 allocated for variable-length text, also when copying it out throws.
struct texts_owner {
  H5::DataType const& type;
  H5::DataSpace const& space;
  std::vector<char*>& pointers;
  ~texts_owner() { H5Dvlen_reclaim(type.getId(), space.getId(), H5P_DEFAULT, pointers.data()); }
};

H5::DataSpace select(H5::DataSet const& dataset, std::size_t offset, std::size_t count) {
  H5::DataSpace space = dataset.getSpace();
  hsize_t const start = offset;
  hsize_t const length = count;
  space.selectHyperslab(H5S_SELECT_SET, &length, &start);
  return space;
}

struct number_types {
  char const* name;
  H5::PredType const& little;
  H5::PredType const& big;
};

template <typename Number>
number_types types_of() {
  using type = H5::PredType;
  if constexpr (std::same_as<Number, std::uint32_t>) {
    return {"uint32", type::STD_U32LE, type::STD_U32BE};
  } else if constexpr (std::same_as<Number, std::uint64_t>) {
    return {"uint64", type::STD_U64LE, type::STD_U64BE};
  } else if constexpr (std::same_as<Number, std::int64_t>) {
    return {"int64", type::STD_I64LE, type::STD_I64BE};
  } else if constexpr (std::same_as<Number, float>) {
    return {"float32", type::IEEE_F32LE, type::IEEE_F32BE};
  } else {
    static_assert(std::same_as<Number, double>);
    return {"float64", type::IEEE_F64LE, type::IEEE_F64BE};
  }
}

// How whole numbers may be stored in an attribute: every writer has its own habit.
struct whole_number_type {
  H5::PredType const& type;
  std::size_t bytes;
  bool has_sign;
  bool big_endian;
};

std::array<whole_number_type, 16> whole_number_types() {
  using type = H5::PredType;
  return {{{type::STD_U64LE, 8, false, false},
           {type::STD_U64BE, 8, false, true},
           {type::STD_I64LE, 8, true, false},
           {type::STD_I64BE, 8, true, true},
           {type::STD_U32LE, 4, false, false},
           {type::STD_U32BE, 4, false, true},
           {type::STD_I32LE, 4, true, false},
           {type::STD_I32BE, 4, true, true},
           {type::STD_U16LE, 2, false, false},
           {type::STD_U16BE, 2, false, true},
           {type::STD_I16LE, 2, true, false},
           {type::STD_I16BE, 2, true, true},
           {type::STD_U8LE, 1, false, false},
           {type::STD_U8BE, 1, false, true},
           {type::STD_I8LE, 1, true, false},
           {type::STD_I8BE, 1, true, true}}};
}

// Of another group of the file with an attribute "kind": ", got /graph of kind "dag"", or "".
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

// A chunk whose key in the index is damaged is one that HDF5 does not find: it would give the fill
// value for all that is in it.
void require_every_chunk(H5::DataSet const& dataset, std::string const& place) {
  H5::DSetCreatPropList const layout = dataset.getCreatePlist();
  if (layout.getLayout() != H5D_CHUNKED || length_of(dataset) == 0) return;
  hsize_t extent[2] = {1, 1};
  hsize_t chunk[2] = {1, 1};
  dataset.getSpace().getSimpleExtentDims(extent);
  layout.getChunk(2, chunk);
  for (hsize_t row = 0; row < extent[0]; row += chunk[0]) {
    for (hsize_t column = 0; column < extent[1]; column += chunk[1]) {
      hsize_t const offset[2] = {row, column};
      hsize_t bytes = 0;
      if (H5Dget_chunk_storage_size(dataset.getId(), offset, &bytes) < 0 || bytes == 0) {
        throw usage_error(place + ": damaged, lacks the values from " + std::to_string(row) +
                          " on");
      }
    }
  }
}

}  // namespace

void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value) {
  H5::StrType const type = text_type();
  std::string const valid = as_utf8(value);
  char const* text = valid.c_str();
  object.createAttribute(name, type, H5::DataSpace{H5S_SCALAR}).write(type, &text);
}

void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value) {
  object.createAttribute(name, H5::PredType::STD_U64LE, H5::DataSpace{H5S_SCALAR})
      .write(H5::PredType::NATIVE_UINT64, &value);
}

bool is_text(H5::DataType const& type, bool variable_length) {
  for (H5T_cset_t const letters : {H5T_CSET_ASCII, H5T_CSET_UTF8}) {
    for (H5T_str_t const padding : {H5T_STR_NULLTERM, H5T_STR_NULLPAD, H5T_STR_SPACEPAD}) {
      H5::StrType known{H5::PredType::C_S1, variable_length ? H5T_VARIABLE : type.getSize()};
      known.setCset(letters);
      known.setStrpad(padding);
      if (type == known) return true;
    }
  }
  return false;
}

std::string read_text_attribute(H5::H5Object const& object, std::string const& name,
                                std::string const& place) {
  H5::Attribute const attribute = open_scalar(object, name, place, H5T_STRING, "text");
  H5::StrType const type = attribute.getStrType();
  bool const variable_length = type.isVariableStr();
  if (!is_text(type, variable_length)) {
    throw usage_error(place + ": expected an attribute \"" + name + "\" holding one text");
  }
  if (variable_length) {
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
  H5::DataType const stored = attribute.getDataType();
  auto const known = whole_number_types();
  auto const found = std::find_if(known.begin(), known.end(),
                                  [&](whole_number_type const& one) { return stored == one.type; });
  std::array<unsigned char, sizeof(std::uint64_t)> bytes{};
  if (found != known.end()) {
    attribute.read(found->type, bytes.data());
    if (found->big_endian) std::reverse(bytes.data(), bytes.data() + found->bytes);
    bool const negative = found->has_sign && (bytes[found->bytes - 1] & 0x80U) != 0;
    if (!negative) return std::bit_cast<std::uint64_t>(bytes);
  }
  throw usage_error(place + ": expected an attribute \"" + name + "\" holding one " + expected);
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

namespace {

H5::DataSet open_dataset(H5::Group const& group, std::string const& name, std::string const& place,
                         std::uint64_t file_bytes, int dimensions) {
  std::string const here = place + "/" + name;
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
  require_every_chunk(dataset, here);
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

template <typename Number>
bool require_numbers(H5::DataSet const& dataset, std::string const& place) {
  number_types const types = types_of<Number>();
  H5::DataType const stored = dataset.getDataType();
  if (stored == types.little) return true;
  if (stored == types.big) return false;
  throw usage_error(place + ": expected " + types.name + ", got " + type_name(dataset));
}

template <typename Number>
std::vector<Number> read_numbers(H5::DataSet const& dataset, std::string const& place) {
  number_types const types = types_of<Number>();
  bool const as_in_memory = require_numbers<Number>(dataset, place);
  std::vector<Number> numbers(length_of(dataset));
  if (numbers.empty()) return numbers;
  dataset.read(numbers.data(), as_in_memory ? types.little : types.big);
  if (as_in_memory) return numbers;
  for (Number& number : numbers) {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(Number)>>(number);
    std::reverse(bytes.begin(), bytes.end());
    number = std::bit_cast<Number>(bytes);
  }
  return numbers;
}

template bool require_numbers<std::uint32_t>(H5::DataSet const&, std::string const&);
template bool require_numbers<std::uint64_t>(H5::DataSet const&, std::string const&);
template bool require_numbers<std::int64_t>(H5::DataSet const&, std::string const&);
template bool require_numbers<float>(H5::DataSet const&, std::string const&);
template bool require_numbers<double>(H5::DataSet const&, std::string const&);
template std::vector<std::uint32_t> read_numbers(H5::DataSet const&, std::string const&);
template std::vector<std::uint64_t> read_numbers(H5::DataSet const&, std::string const&);
template std::vector<std::int64_t> read_numbers(H5::DataSet const&, std::string const&);
template std::vector<float> read_numbers(H5::DataSet const&, std::string const&);
template std::vector<double> read_numbers(H5::DataSet const&, std::string const&);

std::vector<std::string> read_texts(H5::DataSet const& dataset, std::string const& place) {
  if (dataset.getTypeClass() != H5T_STRING || !is_text(dataset.getDataType(), true)) {
    throw usage_error(place + ": expected text of variable length");
  }
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

void write_texts(H5::DataSet& dataset, std::vector<std::string> const& texts, std::size_t offset) {
  // Readers refuse a file with one byte that is none.
  std::vector<std::string> valid;
  std::transform(texts.begin(), texts.end(), std::back_inserter(valid), as_utf8);
  std::vector<char const*> pointers;
  pointers.reserve(valid.size());
  for (std::string const& text : valid) pointers.push_back(text.c_str());
  write_numbers(dataset, pointers.data(), pointers.size(), text_type(), offset);
}

void write_numbers(H5::DataSet& dataset, void const* numbers, std::size_t count,
                   H5::DataType const& type, std::size_t offset) {
  if (count == 0) return;
  hsize_t const extent = count;
  dataset.write(numbers, type, H5::DataSpace{1, &extent}, select(dataset, offset, count));
}

}  // namespace gridloom::hdf5
