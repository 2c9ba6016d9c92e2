#pragma once
// The inputs of dtw and sw: options, series and sequences.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::juggler {

struct subject;

/// The options of dtw and sw.
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

/// A part of class inputs, with the same members. Leaves subjects of other applications as they
/// are.
class strip_inputs {
 public:
  void add_options(bench::program& app);
  void read(bench::program& app, bool has_dtw, bool has_sw);
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  void describe(subject& what) const;
  void make(subject& what, std::uint64_t seed) const;

 private:
  void check(command_line const& line, bool has_dtw, bool has_sw) const;
  [[nodiscard]] sw::scoring make_scoring(command_line const& line) const;

  strip_request wanted_;
  sw::scoring by_;
  /// Inputs from files.
  std::shared_ptr<dtw::input const> warped_;
  std::shared_ptr<sw::input const> aligned_;
};

}  // namespace gridloom::juggler
