#pragma once
// What results, graph and matrix files need of HDF5, with two aims: every failure is one clear line
// that names the file, and a file that claims more than it holds is refused before anything is
// allocated. What a file keeps in other files (external links, external or virtual datasets) is
// refused, so that reading a file opens no other one. Not part of the public headers. The HDF5
// library is not thread-safe: one thread at a time. Nor is it hardened: what reads a file of others
// runs by read_apart (apart.hpp), in a process that the library may bring down. Every type is
// checked whole (class, size, byte order, sign) before its values are read, and they are read as
// they are stored: HDF5 converts nothing.

#include <H5Cpp.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom::hdf5 {

/// Stops HDF5 from printing its own error stacks, for the whole process.
void silence();

/// Opens a file for reading. Throws usage_error when it is absent or not HDF5.
[[nodiscard]] H5::H5File open_for_reading(std::filesystem::path const& path);

/// A file in memory: new, or opened for writing from the bytes of an existing one. The bytes must
/// outlive the call only.
[[nodiscard]] H5::H5File create_in_memory();
[[nodiscard]] H5::H5File open_in_memory(std::vector<std::byte> const& bytes);

/// The bytes of a file in memory, as they would be on disk.
[[nodiscard]] std::vector<std::byte> image_of(H5::H5File& file);

/// Variable-length UTF-8.
[[nodiscard]] H5::StrType text_type();
/// The same of a fixed length: such texts lie among the values, where a checksum covers them. HDF5 1.10
/// does not check where a text of variable length lies, and takes what it finds there.
[[nodiscard]] H5::StrType text_type(std::size_t bytes);

/// Texts up to so many bytes are stored at a fixed length: HDF5 holds attributes of 64 KiB.
inline constexpr std::size_t longest_fixed_text = 60'000;

/// What holds `name`, for messages: a place such as "results.h5: /meta", a slash and the name, shortened.
[[nodiscard]] std::string inside(std::string const& place, std::string const& name);

/// True when the group directly holds a link of this name. Throws usage_error when it leads into
/// another file; `place` names the group in messages, such as "results.h5: /meta", and is
/// "results.h5: " for the file itself.
[[nodiscard]] bool has_link(H5::Group const& group, std::string const& name,
                            std::string const& place);

/// Writes a scalar attribute; NUL ends a text, which is of fixed length up to longest_fixed_text.
void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value);
void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value);
void write_attribute(H5::H5Object& object, std::string const& name, std::uint32_t value);

/// Reads a scalar attribute. `place` names the object in messages, such as "results.h5: /meta".
/// Throws usage_error when it is absent, not scalar, or of another type.
[[nodiscard]] std::string read_text_attribute(H5::H5Object const& object, std::string const& name,
                                              std::string const& place);
[[nodiscard]] std::uint64_t read_count_attribute(H5::H5Object const& object,
                                                 std::string const& name, std::string const& place);

/// Opens the group of a file that holds one thing, such as /graph with the attribute kind = "dag".
/// `name` is without the slash. Throws usage_error naming the file, and what it holds instead.
[[nodiscard]] H5::Group open_kind(H5::H5File const& file, std::filesystem::path const& path,
                                  std::string const& name, std::string const& kind);

/// A resizable 1-D dataset of the given length, chunked and deflate-compressed; values have a
/// checksum unless they are text of variable length.
[[nodiscard]] H5::DataSet create_column(H5::Group& group, std::string const& name,
                                        H5::DataType const& type, std::size_t length);

/// Opens a dataset of a group. Throws usage_error when it is absent, not a dataset, not 1-D, keeps
/// its numbers in other files, or claims more entries than a file of this many bytes can hold.
[[nodiscard]] H5::DataSet open_column(H5::Group const& group, std::string const& name,
                                      std::string const& place, std::uint64_t file_bytes);

/// The same for a 2-D dataset, and its rows and columns.
[[nodiscard]] H5::DataSet open_rows(H5::Group const& group, std::string const& name,
                                    std::string const& place, std::uint64_t file_bytes);
[[nodiscard]] std::pair<std::size_t, std::size_t> extent_of(H5::DataSet const& dataset);

/// Numbers in a dataset; of a 1-D one its length.
[[nodiscard]] std::size_t length_of(H5::DataSet const& dataset);

/// Throws usage_error unless the dataset stores numbers of this very type: std::uint32_t,
/// std::uint64_t, std::int64_t, float or double; conversion between types would clamp or round
/// without a word. Returns whether they are stored in this machine's byte order; the other is taken
/// as well.
template <typename Number>
bool require_numbers(H5::DataSet const& dataset, std::string const& place);

/// All numbers of a dataset, row by row, which are what require_numbers takes.
template <typename Number>
[[nodiscard]] std::vector<Number> read_numbers(H5::DataSet const& dataset,
                                               std::string const& place);

/// "uint32", "float64" and so on, for messages.
[[nodiscard]] std::string type_name(H5::DataSet const& dataset);

/// Whether the type is text as HDF5 stores it: ASCII or UTF-8, of variable length or of a fixed one.
[[nodiscard]] bool is_text(H5::DataType const& type, bool variable_length);

/// Reads and writes text datasets, of variable length or of a fixed one. Reading throws usage_error
/// unless the type is text.
[[nodiscard]] std::vector<std::string> read_texts(H5::DataSet const& dataset,
                                                  std::string const& place);
/// Writes at [offset, offset + texts.size()), which must exist; as_utf8. Throws std::invalid_argument for a
/// text that is longer than a fixed length.
void write_texts(H5::DataSet& dataset, std::vector<std::string> const& texts, std::size_t offset);

/// The same for numbers; `type` is that of the memory.
void write_numbers(H5::DataSet& dataset, void const* numbers, std::size_t count,
                   H5::DataType const& type, std::size_t offset);

/// Calls the function; whatever HDF5 throws becomes a usage_error "file: cannot read: ...", and so
/// does running out of memory.
template <typename Function>
auto reading(std::filesystem::path const& path, Function&& function) {
  try {
    silence();
    return function();
  } catch (H5::Exception const& error) {
    throw usage_error(path.string() + ": damaged or not as expected (HDF5: " +
                      error.getDetailMsg() + " in " + error.getFuncName() + ")");
  } catch (std::bad_alloc const&) {
    throw usage_error(path.string() + ": does not fit into memory");
  }
}

/// The same for writing: run_error.
template <typename Function>
auto writing(std::filesystem::path const& path, Function&& function) {
  try {
    silence();
    return function();
  } catch (H5::Exception const& error) {
    throw run_error(path.string() + ": cannot write (HDF5: " + error.getDetailMsg() + " in " +
                    error.getFuncName() + ")");
  } catch (std::bad_alloc const&) {
    throw run_error(path.string() + ": cannot write: out of memory");
  }
}

}  // namespace gridloom::hdf5
