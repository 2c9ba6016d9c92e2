#pragma once
// Reading and writing HDF5 files: results, graphs and matrices.
//
// Written files have the format of HDF5 1.10 with checksums on metadata and values, texts of fixed
// length, and a checksum of all bytes behind their end (checksum.hpp), which is compared before
// HDF5 opens them. Files without one are read in a child first (foreign_file.hpp). What a file
// keeps in other files (external links, external or virtual datasets) is refused: reading a file
// opens no other. Every failure is one line that names the file. Not part of the public headers.
// The HDF5 library is not thread-safe: one thread at a time.

#include <H5Cpp.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/checksum.hpp"
#include "gridloom/files/foreign_file.hpp"

namespace gridloom::hdf5 {

/// Opens a file for reading. Throws usage_error when it is absent or not HDF5.
[[nodiscard]] H5::H5File open_for_reading(std::filesystem::path const& path);

/// Replaces the file, or creates it, by what `fill` makes in memory; whole or not at all (see
/// replace_file). Throws run_error. Cost: the file is held in memory twice.
void write_file(std::filesystem::path const& path, std::function<void(H5::H5File&)> const& fill);

/// What holds `name`, for messages: a place such as "results.h5: /meta", a slash and the name, shortened.
[[nodiscard]] std::string inside(std::string const& place, std::string const& name);

/// True when the group directly holds a link of this name. Throws usage_error when it leads into
/// another file; `place` names the group in messages, such as "results.h5: /meta", and is
/// "results.h5: " for the file itself.
[[nodiscard]] bool has_link(H5::Group const& group, std::string const& name,
                            std::string const& place);

/// Creates a group. It stores no time, so that the same contents make the same file.
[[nodiscard]] H5::Group create_group(H5::Group const& parent, std::string const& name);

/// Writes a scalar attribute; NUL ends a text.
void write_attribute(H5::H5Object& object, std::string const& name, std::string const& value);
void write_attribute(H5::H5Object& object, std::string const& name, std::uint64_t value);

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

/// Whether values are compressed; large matrices are not, for the sake of time.
enum class packing { none, deflate };

/// Writes numbers as a new 1-D dataset with checksums: std::uint32_t, std::uint64_t, std::int64_t,
/// float or double.
template <typename Number>
H5::DataSet write_numbers(H5::Group& group, std::string const& name,
                          std::span<Number const> numbers, packing how = packing::deflate);

/// The same for texts, as_utf8 and as long as the longest of them.
H5::DataSet write_texts(H5::Group& group, std::string const& name,
                        std::vector<std::string> const& texts);

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

/// All numbers of a dataset, row by row. Throws usage_error unless it stores numbers of this very
/// type, in either byte order: conversion between types would clamp or round in silence.
template <typename Number>
[[nodiscard]] std::vector<Number> read_numbers(H5::DataSet const& dataset,
                                               std::string const& place);

/// "uint32", "float64" and so on, for messages.
[[nodiscard]] std::string type_name(H5::DataSet const& dataset);

/// Reads texts of variable or fixed length. Throws usage_error unless the type is text.
[[nodiscard]] std::vector<std::string> read_texts(H5::DataSet const& dataset,
                                                  std::string const& place);

/// Calls the function; whatever HDF5 throws becomes a usage_error that names the file, and so does
/// running out of memory.
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

/// What `read(file)` returns of a file: it compares the checksum first, and reads a foreign file in
/// a child first. Throws usage_error in one line, also when the library fails on the file.
template <typename Read>
auto read_file(std::filesystem::path const& path, Read const& read) {
  auto const open_and_read = [&] {
    return reading(path, [&] { return read(open_for_reading(path)); });
  };
  if (!has_checksum(path)) try_in_child(path, [&] { (void)open_and_read(); });
  return open_and_read();
}

}  // namespace gridloom::hdf5
