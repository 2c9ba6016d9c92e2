#pragma once
// Results files: one HDF5 file per program run, or several runs of one program appended to one
// file. Attributes of /meta say where the numbers come from. Each table is a group with one dataset
// per column. A file is written completely or not at all. Layout:
//
//   /meta                attributes schema_version, program, argv, ...: the first process
//   /meta/appended_<k>   the same attributes for the k-th appended process, k = 1, 2, ...
//   /<table>             attribute columns: the names in order, one per line
//   /<table>/<column>    int64, float64 or UTF-8 text; attributes unit, description
//
// The format is that of HDF5 1.10 with checksums. Texts have a fixed length, and a checksum of all
// bytes is appended to the file (common/files/src/checksum.cpp).
//
// The table "runs" has the additional column "process": 0 for rows of the first process, k for rows
// of the k-th appended one.
//
// One thread at a time may call the functions (HDF5 is not thread-safe). Several processes may
// append to one file at the same time: each waits for the previous one.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/run_meta.hpp"

namespace gridloom {

enum class write_mode { replace, append };

/// Writes the tables. write_mode::append extends an existing file or creates a new one. Tables that
/// only the file has are kept; tables that only the call has are created.
///
/// Appending throws usage_error unless the file is a results file with a right checksum. Schema
/// version, program, and the columns, types and units of each table must agree. Appending locks the
/// file (file_lock.hpp), and throws usage_error if it waits longer than the timeout. Throws
/// run_error if writing fails, and std::invalid_argument for two tables of one name or a "runs"
/// with its own column "process". After an error the old file is unchanged. Cost: writes the whole
/// file, which is in memory twice.
void write_results(std::filesystem::path const& path, run_meta const& meta,
                   std::span<result_table const> tables, write_mode mode,
                   double lock_timeout_s = 60);

/// Makes the checks of an append without writing, for use before a long run. Empty tables suffice.
/// An absent file passes. Throws like write_results.
void require_appendable(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables);

/// Checks before a long run that the folder exists and takes new files, and that the path is absent
/// or a writable regular file. Leaves no file there. Throws usage_error naming the option.
void require_writable(std::filesystem::path const& path, std::string_view option = "--output");

/// Throws usage_error naming both options if two options lead to the same file, even if it does not
/// exist yet. Empty names are skipped. Called before anything is written.
void require_different_files(
    std::vector<std::pair<std::string, std::filesystem::path>> const& files);

}  // namespace gridloom
