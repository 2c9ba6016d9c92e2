#pragma once
// Reading parts of results files, for appending and for tests.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/run_meta.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {

inline constexpr std::string_view process_column = "process";

/// Opens /meta. Throws usage_error if the file is not a results file.
[[nodiscard]] H5::Group open_meta(H5::H5File const& file, std::filesystem::path const& path);

/// Reads one table of a file. Throws usage_error if it is absent, or if its columns are not those
/// that its attribute "columns" names.
[[nodiscard]] result_table table_of(H5::H5File const& file, std::filesystem::path const& path,
                                    std::string const& name);

/// Name of the group of the k-th appended process inside /meta.
[[nodiscard]] std::string appended_name(std::size_t k);

/// Number of processes that wrote the file. `path` is for messages.
[[nodiscard]] std::size_t processes_of(H5::Group const& meta, std::filesystem::path const& path);

}  // namespace gridloom::hdf5
