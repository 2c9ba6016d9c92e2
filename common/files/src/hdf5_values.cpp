#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <stdexcept>

#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/files/utf8.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are turned where they are not");

// Larger than any that is written: 64 KiB is what HDF5 holds in the header of an object.
constexpr std::size_t most_attribute_bytes = std::size_t{1} << 20U;

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

}  // namespace

void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value) {
  std::string valid = as_utf8(value);
  if (valid.size() > longest_fixed_text) {
    H5::StrType const type = text_type();
    char const* const text = valid.c_str();
    object.createAttribute(name, type, H5::DataSpace{H5S_SCALAR}).write(type, &text);
    return;
  }
  H5::StrType const type = text_type(valid.size());
  valid.resize(type.getSize(), '\0');
  object.createAttribute(name, type, H5::DataSpace{H5S_SCALAR}).write(type, valid.data());
}

void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value) {
  object.createAttribute(name, H5::PredType::STD_U64LE, H5::DataSpace{H5S_SCALAR})
      .write(H5::PredType::NATIVE_UINT64, &value);
}

void write_attribute(H5::H5Object& object, std::string const& name, std::uint32_t value) {
  object.createAttribute(name, H5::PredType::STD_U32LE, H5::DataSpace{H5S_SCALAR})
      .write(H5::PredType::NATIVE_UINT32, &value);
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
    throw usage_error(place + ": expected an attribute " + in_quotes(name) + " holding one text");
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
  if (dataset.getTypeClass() == H5T_STRING && is_text(dataset.getDataType(), false))
    return read_fixed_texts(dataset);
  if (dataset.getTypeClass() != H5T_STRING || !is_text(dataset.getDataType(), true)) {
    throw usage_error(place + ": expected text");
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
  H5::StrType const type = dataset.getStrType();
  if (!type.isVariableStr()) {
    std::size_t const bytes = type.getSize();
    std::string all;
    for (std::string const& text : valid) {
      if (text.size() > bytes) throw std::invalid_argument("write_texts: a text is too long");
      all += text;
      all.append(bytes - text.size(), '\0');
    }
    write_numbers(dataset, all.data(), valid.size(), type, offset);
    return;
  }
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
