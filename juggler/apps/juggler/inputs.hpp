#pragma once
// The options for input files, and the contents of these files.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/grid/image.hpp"
#include "apps/lud/input.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::juggler {

/// An input of one application. Only that application's member is set.
struct app_input {
  /// Names of the files. Empty for a random input.
  std::string name{};
  std::int64_t rows = 0, cols = 0;
  /// A matrix from a file, which lud makes dense.
  std::shared_ptr<sparse::csr_matrix<double> const> sparse{};
  std::shared_ptr<lud::input const> matrix{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  std::shared_ptr<grey_image const> image{};
};

/// The inputs from files. Without a file, an application makes a random input.
struct inputs {
  /// Must be called before program::parse.
  void add_options(bench::program& app);
  /// Reads the files. Must be called after program::parse. Throws usage_error.
  void read(bench::program& app);

  /// The inputs; the key is the option that names the file.
  std::map<std::string, app_input> from_files{};
  /// The input of the first of these options that was given, or null.
  [[nodiscard]] app_input const* first_of(std::vector<std::string> const& options) const;
  /// The scores for pairs of letters and for gaps.
  sw::scoring scores{};
  /// Whether dtw computes with float instead of double.
  [[nodiscard]] bool is_single() const { return precision_ == "float"; }
  /// For dtw and sw: columns of a tile per lane. 0 means chosen from the tile's size.
  [[nodiscard]] int lane_columns() const;

 private:
  std::string matrix_file_, image_file_, series_, precision_ = "double", scores_file_;
  std::vector<std::string> fasta_;
  std::vector<std::int64_t> pair_;
  int match_ = 2, mismatch_ = -3, gap_open_ = 5, gap_extend_ = 2;
  std::string lane_columns_ = "auto";
};

}  // namespace gridloom::juggler
