#pragma once
// What dtw and sw work on: options, and the series and sequences that they ask for.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::juggler {

struct subject;

/// What a user asks for.
struct strip_request {
  std::string series{};
  std::string precision = "double";
  std::vector<std::string> fasta{};
  std::vector<std::int64_t> pair{};
  std::string matrix{};
  int match = 2;
  int mismatch = -3;
  int gap_open = 5;
  int gap_extend = 2;
  std::string lane_columns = "auto";
};

/// Owner of the inputs. Used by one thread.
class strip_inputs {
 public:
  /// Before program::parse.
  void add_options(bench::program& app);
  /// After it: refuses what would be ignored, and reads files. Throws usage_error.
  void read(bench::program& app, bool has_dtw, bool has_sw);

  /// Whether the application has its input from a file; then it has one size.
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  /// The size of it, and its files; `what.app` is dtw or sw.
  void describe(subject& what) const;
  /// Random ones of that size, where there is no file; what the subject points to lives with this.
  void make(subject& what, std::uint64_t seed);

 private:
  void check(command_line const& line, bool has_dtw, bool has_sw) const;
  [[nodiscard]] sw::scoring make_scoring(command_line const& line) const;

  strip_request wanted_;
  sw::scoring by_;
  std::deque<dtw::input> warped_;
  std::deque<sw::input> aligned_;
};

}  // namespace gridloom::juggler
