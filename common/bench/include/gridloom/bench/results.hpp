#pragma once
// Results files: one HDF5 file a program run, or several runs of one program appended to each
// other. Attributes on /meta say where the numbers come from; each table is a group of one 1-D
// column a dataset. A file is there whole or not at all. Layout:
//
//   /meta                attributes schema_version, program, argv, ...: the first process
//   /meta/appended_<k>   the same of the k-th appended process, k = 1, 2, ...
//   /<table>             attribute columns: the names in order, one a line
//   /<table>/<column>    int64, float64 or UTF-8 text; attributes unit, description
//
// The format is that of HDF5 1.10 with checksums; texts are of fixed length, and a checksum of all
// bytes stands behind the end of the file (gridloom/files/checksum.hpp).
//
// The table "runs" gets a further column "process": 0 for rows of the first process, k for those of
// the k-th appended one.
//
// Concurrency of all functions: one thread at a time (HDF5 is not thread-safe). Processes may append
// to one file at a time: each waits for the one before it.

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

/// Writes the tables; append extends an existing file and creates an absent one. Tables that only
/// one side has are kept or created. Appending throws usage_error, saying which, when the file is
/// no results file, has no checksum or another one than its bytes, or when its schema version,
/// program, or a table's columns, types or units differ. Throws run_error when writing fails,
/// std::invalid_argument on two tables of one name or a "runs" with its own column "process". After
/// any error the old file is as it was and nothing else is left. Appending locks the file
/// (file_lock.hpp), and throws usage_error when another program adds to it for longer than the
/// timeout. Cost: writes the whole file anew, and holds it in memory twice.
void write_results(std::filesystem::path const& path, run_meta const& meta,
                   std::span<result_table const> tables, write_mode mode,
                   double lock_timeout_s = 60);

/// The checks of an append without the writing, for the time before a long run: empty tables will
/// do. An absent file passes. Throws like write_results.
void require_appendable(std::filesystem::path const& path, run_meta const& meta,
                        std::span<result_table const> tables);

/// Before a long run: the folder exists and takes new files, and the path is absent or a writable
/// regular file. Leaves nothing behind. Throws usage_error that names the option.
void require_writable(std::filesystem::path const& path, std::string_view option = "--output");

/// The files of different options are different ones, by what their names lead to (also of files to
/// come) and as the system knows them; an empty name is no file. Throws usage_error that names both options. Before anything is written.
void require_different_files(
    std::vector<std::pair<std::string, std::filesystem::path>> const& files);

/// One table with all its columns, also "process". Throws usage_error naming the file and what was
/// expected.
[[nodiscard]] result_table read_table(std::filesystem::path const& path, std::string const& name);

/// The attributes of one process of the file, 0 being the first. Throws usage_error.
[[nodiscard]] run_meta read_meta(std::filesystem::path const& path, std::size_t process = 0);

/// How many processes wrote the file; at least 1. Throws usage_error.
[[nodiscard]] std::size_t count_processes(std::filesystem::path const& path);

}  // namespace gridloom
