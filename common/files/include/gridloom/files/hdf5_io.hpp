#pragma once
// Reading and writing HDF5 files: results, graphs and matrices.
//
// Files are written in the format of HDF5 1.10, with HDF5's checksums on metadata and values, and
// texts of fixed length. A checksum of all bytes is appended (checksum.cpp) and compared before
// HDF5 opens the file. Files without a checksum are first read in a child process
// (foreign_file.cpp). Links and datasets that lead into other files are refused, so reading a file
// opens no other file. Every error is one line that names the file. One thread at a time may call
// these functions, because the HDF5 library is not thread-safe.

#include <H5Cpp.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom {

/// Appends the checksum to the bytes of a file.
void add_checksum(std::vector<std::byte>& bytes);

/// Whether the file carries a checksum; a file without one is called foreign. Throws usage_error if
/// the bytes do not match the checksum, or if the path names no readable regular file. Cost: reads
/// the whole file.
[[nodiscard]] bool has_checksum(std::filesystem::path const& path);

}  // namespace gridloom

namespace gridloom::hdf5 {

/// Runs `read` in a child process and rethrows its errors: a usage_error as such, others as
/// run_error. Throws usage_error if the library crashed or looped on the file, and run_error if
/// another process ended the child by a signal. The child ignores the same signals as this process.
void try_in_child(std::filesystem::path const& path, std::function<void()> const& read);

/// Opens a file for reading. Throws usage_error if it is absent or not HDF5.
[[nodiscard]] H5::H5File open_for_reading(std::filesystem::path const& path);

/// Replaces or creates a file with the contents that `fill` makes in memory (see replace_file).
/// Throws run_error. Cost: the file is in memory twice.
void write_file(std::filesystem::path const& path, std::function<void(H5::H5File&)> const& fill);

/// The place of `name` for messages, such as "results.h5: /meta/NAME", with the name shortened.
[[nodiscard]] std::string inside(std::string const& place, std::string const& name);

/// Whether the group directly holds a link of this name. Throws usage_error if the link leads into
/// another file. `place` names the group in messages, such as "results.h5: /meta". For the root
/// group it is "results.h5: ".
[[nodiscard]] bool has_link(H5::Group const& group, std::string const& name,
                            std::string const& place);

/// Creates a group without timestamps, so that the same contents make the same file.
[[nodiscard]] H5::Group create_group(H5::Group const& parent, std::string const& name);

/// Writes a scalar attribute. Texts end at their first NUL.
void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value);
void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value);

/// Reads a scalar attribute. `place` names the object in messages, such as "results.h5: /meta".
/// Throws usage_error if the attribute is absent, not scalar, or of another type.
[[nodiscard]] std::string read_text_attribute(H5::H5Object const& object, std::string const& name,
                                              std::string const& place);
[[nodiscard]] std::uint64_t read_count_attribute(H5::H5Object const& object,
                                                 std::string const& name, std::string const& place);

/// Opens the group `name` (without slash) and checks its attribute kind, such as /graph with kind =
/// "dag". Throws usage_error that names the file, and what the file holds instead.
[[nodiscard]] H5::Group open_kind(H5::H5File const& file, std::filesystem::path const& path,
                                  std::string const& name, std::string const& kind);

/// Whether values are compressed. Large matrices are not compressed, to save time.
enum class packing { none, deflate };

/// Writes numbers as a new dataset with checksums. `Number` is std::uint32_t, std::uint64_t,
/// std::int64_t, float or double. The dataset is 1-D, or 2-D in rows of `columns` numbers.
template <typename Number>
H5::DataSet write_numbers(H5::Group& group, std::string const& name,
                          std::span<Number const> numbers, packing how = packing::deflate,
                          std::size_t columns = 0);

/// Writes texts as a new dataset, converted by as_utf8. All get the length of the longest one.
H5::DataSet write_texts(H5::Group& group, std::string const& name,
                        std::vector<std::string> const& texts);

/// Opens a 1-D dataset of a group. Throws usage_error if there is none, if its values are in other
/// files, or if it claims more entries than the file can hold.
[[nodiscard]] H5::DataSet open_column(H5::Group const& group, std::string const& name,
                                      std::string const& place, std::uint64_t file_bytes);

/// Opens a 2-D dataset in the same way, and gets its numbers of rows and columns.
[[nodiscard]] H5::DataSet open_rows(H5::Group const& group, std::string const& name,
                                    std::string const& place, std::uint64_t file_bytes);
[[nodiscard]] std::pair<std::size_t, std::size_t> extent_of(H5::DataSet const& dataset);

/// Number of values in a dataset.
[[nodiscard]] std::size_t length_of(H5::DataSet const& dataset);

/// All numbers of a dataset, row by row. Throws usage_error unless the dataset stores exactly this
/// type, in any byte order, because a conversion could silently clamp or round.
template <typename Number>
[[nodiscard]] std::vector<Number> read_numbers(H5::DataSet const& dataset,
                                               std::string const& place);

/// Name of the type for messages, such as "uint32".
[[nodiscard]] std::string type_name(H5::DataSet const& dataset);

/// Reads texts of variable or fixed length. Throws usage_error unless the type is text.
[[nodiscard]] std::vector<std::string> read_texts(H5::DataSet const& dataset,
                                                  std::string const& place);

/// Calls the function. Exceptions of HDF5 and lack of memory become usage_errors naming the file.
template <typename Function>
auto reading(std::filesystem::path const& path, Function&& function) {
  try {
    H5::Exception::dontPrint();
    return function();
  } catch (H5::Exception const& error) {
    throw usage_error(path.string() + ": damaged or not as expected (HDF5: " +
                      error.getDetailMsg() + " in " + error.getFuncName() + ")");
  } catch (std::bad_alloc const&) {
    throw usage_error(path.string() + ": does not fit into memory");
  }
}

/// Returns `read(file)`. Before that, compares the checksum, or reads a foreign file in a child.
/// Throws a usage_error of one line, even if the library fails on the file.
template <typename Read>
auto read_file(std::filesystem::path const& path, Read const& read) {
  auto const open_and_read = [&] {
    return reading(path, [&] { return read(open_for_reading(path)); });
  };
  if (!has_checksum(path)) try_in_child(path, [&] { (void)open_and_read(); });
  return open_and_read();
}

}  // namespace gridloom::hdf5
