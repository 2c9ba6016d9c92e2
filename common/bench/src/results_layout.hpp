#pragma once
// What reading and appending share of the layout of results files. Not part of the public headers.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/run_meta.hpp"
#include "gridloom/files/apart.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {

inline constexpr std::string_view process_column = "process";

/// Attribute of /meta: the checksum of results_content.hpp.
inline constexpr std::string_view content_crc32_name = "content_crc32";

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

/// All attributes of a group but this one, which must be texts.
[[nodiscard]] run_meta attributes_of(H5::Group const& group, std::string const& place,
                                     std::string_view but = {});

/// Names of a damaged file go into messages and must not command the terminal.
[[nodiscard]] bool is_printable(std::string const& name);

/// Attributes and whole tables through the pipe of read_apart.
void send_meta(sender& to, run_meta const& meta);
[[nodiscard]] run_meta take_meta(receiver& from);
void send_table(sender& to, stored_table const& stored);
[[nodiscard]] result_table take_table(receiver& from, std::string const& name);

/// All that a results file holds, out of the file: what is made of it shares nothing with the file.
struct stored_results {
  std::vector<run_meta> processes;            // the first, then the appended ones
  std::vector<result_table> tables;           // "runs" with its column "process"
  std::optional<std::uint32_t> stated_crc32;  // as the file says; not needed for writing
};

enum class purpose { read, append };

/// The same through the pipe. Sending throws usage_error when something cannot be read, and when
/// the file holds what stored_results has no place for: it would be lost.
void send_all(sender& to, H5::H5File const& file, std::filesystem::path const& path, purpose why);
/// Throws usage_error, too, when the contents are not those that were written.
[[nodiscard]] stored_results take_all(receiver& from, std::filesystem::path const& path);

/// Name of the group of the k-th appended process inside /meta.
[[nodiscard]] std::string appended_name(std::size_t k);

/// How many processes were appended; `path` is for messages.
[[nodiscard]] std::size_t count_appended(H5::Group const& meta, std::string const& path);

}  // namespace gridloom::hdf5
