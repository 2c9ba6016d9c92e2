#pragma once
// What reading and appending share of the layout of results files. Not part of the public headers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/file/hdf5_io.hpp"

namespace gridloom::hdf5 {

inline constexpr std::string_view process_column = "process";

/// A table as the file describes it; `place` is "FILE: /NAME".
struct stored_table {
  std::string place;
  H5::Group group;
  std::vector<column> columns;
  std::vector<H5::DataSet> datasets;  // one a column, all of length rows
  std::size_t rows;
};

/// Throws usage_error when a column is missing, of another length or of a type that tables lack.
[[nodiscard]] stored_table open_table(H5::H5File const& file, std::string const& path,
                                      std::string const& name, std::uint64_t file_bytes);

/// Opens /meta. Throws usage_error when the file is no results file.
[[nodiscard]] H5::Group open_meta(H5::H5File const& file, std::string const& path);

/// Name of the group of the k-th appended process inside /meta.
[[nodiscard]] std::string appended_name(std::size_t k);

/// How many processes were appended; `path` is for messages.
[[nodiscard]] std::size_t count_appended(H5::Group const& meta, std::string const& path);

}  // namespace gridloom::hdf5
