#pragma once
// The processors that a graph of a file is scheduled on: how many, how fast, and how fast data go
// from one to another. Files of workflows have times in microseconds and data in bytes, which only
// a bandwidth relates. All conversions are exact and rounded up to whole units, so that no time of
// a schedule is shorter than it would be.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/task_graph.hpp"

namespace gridloom::pets {

/// What is asked for beside a file; an empty list: nothing.
struct platform {
  /// 0: as many as the file or the lists below have.
  std::uint32_t processors = 0;
  /// Of each processor, in millionths of the machine's that the file's times are of.
  std::vector<std::uint64_t> speeds{};
  /// Bytes a second: one number for all pairs of processors, or processors × processors, a row a
  /// sender. What stands on the diagonal is not looked at.
  std::vector<std::uint64_t> bandwidth{};
  /// Microseconds before the first byte, in the same way.
  std::vector<std::uint64_t> latency{};
};

/// Processors of a file with one time a task, where nothing tells how many.
inline constexpr std::uint32_t usual_processors = 8;

/// value × by / of, rounded up; most_total + 1 where that is more than most_total. `by` times `of`
/// must fit 64 bits.
[[nodiscard]] time_value scaled_up(time_value value, std::uint64_t by, std::uint64_t of);

/// "1,2,0.5", or the name of a file with such numbers, divided by commas or white space. At most 6
/// digits behind the point; more than 0, at most 10,000,000. Throws usage_error "--speeds: ...".
[[nodiscard]] std::vector<std::uint64_t> parse_speeds(std::string const& text);
/// MB/s (10^6 bytes): a number as above, or the name of a file with a row of them a processor.
[[nodiscard]] std::vector<std::uint64_t> parse_bandwidth(std::string const& text);
/// A whole number of microseconds, or the name of a file with a row of them a processor.
[[nodiscard]] std::vector<std::uint64_t> parse_latency(std::string const& text);

/// Times of a file, whose edges are checked, on those processors, and of its data between them, with `unit`, `links` and
/// `platform_text` set. `place` names the file's graph, `file` the file, in messages. Throws
/// usage_error, on units that nothing relates among others.
[[nodiscard]] task_graph on_platform(weighted_dag dag, platform const& wanted,
                                     std::string_view place, std::string_view file);

}  // namespace gridloom::pets
