#pragma once
// The processors for a graph from a file: their number, their speeds, and the bandwidth and latency
// between them. Workflow files have times in microseconds and data in bytes, so they need a
// bandwidth. All conversions are exact and round up to whole units, so no time in a schedule is too
// short.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// The processors that the command line asks for. An empty list means that the property is not
/// given.
struct platform {
  /// Number of processors; 0 means the number in the file or in the lists below.
  std::uint32_t processors = 0;
  /// Speed of each processor, in millionths of the speed of the machine where the file was
  /// recorded.
  std::vector<std::uint64_t> speeds{};
  /// Bytes per second: one number for all pairs of processors, or a matrix with one row per sender.
  /// The diagonal is ignored.
  std::vector<std::uint64_t> bandwidth{};
  /// Microseconds before the first byte, one number or a matrix.
  std::vector<std::uint64_t> latency{};
};

/// Number of processors for a file with one time per task, if nothing else determines it.
inline constexpr std::uint32_t usual_processors = 8;

/// Returns value × by / of, rounded up; most_total + 1 if that exceeds most_total. `by` × `of` must
/// fit 64 bits.
[[nodiscard]] time_value scaled_up(time_value value, std::uint64_t by, std::uint64_t of);

/// Parses a list such as "1,2,0.5", or a file of such numbers, separated by commas or white space.
/// A number has at most 6 digits after the point, and is above 0 and at most 10,000,000. Throws
/// usage_error "--speeds: ...".
[[nodiscard]] std::vector<std::uint64_t> parse_speeds(std::string const& text);
/// Parses bandwidths in MB/s (10^6 bytes per second): one number, or a file with one row of numbers
/// per processor.
[[nodiscard]] std::vector<std::uint64_t> parse_bandwidth(std::string const& text);
/// Parses latencies: a whole number of microseconds, or a file with one row of numbers per
/// processor.
[[nodiscard]] std::vector<std::uint64_t> parse_latency(std::string const& text);

/// Converts the times and data of a file to a graph for these processors. Its edges must be
/// checked. Sets `unit`, `links` and `platform_text`. Messages call the graph `place` and the file
/// `file`. Throws usage_error, for example if bytes need a bandwidth.
[[nodiscard]] task_graph on_platform(weighted_dag dag, platform const& wanted,
                                     std::string_view place, std::string_view file);

}  // namespace gridloom::pets
