#pragma once
// The options for input files, and the contents of these files.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/grid/image.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/graph_file.hpp"

namespace gridloom::juggler {

/// The inputs from files. Without a file, an input is null, and the application makes a random one.
struct inputs {
  /// Must be called before program::parse.
  void add_options(bench::program& app);
  /// Reads the files. Must be called after program::parse. Throws usage_error.
  void read(bench::program& app);

  std::shared_ptr<csr_graph const> graph{};
  std::optional<sparse::csr_matrix<double>> matrix{};
  std::shared_ptr<grey_image const> image{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  std::string graph_name{}, matrix_name{}, image_name{}, warped_name{}, aligned_name{};
  /// The scores for pairs of letters and for gaps.
  sw::scoring scores{};
  /// Whether dtw computes with float instead of double.
  [[nodiscard]] bool is_single() const { return precision_ == "float"; }
  /// For dtw and sw: columns of a tile per lane. 0 means chosen from the tile's size.
  [[nodiscard]] int lane_columns() const;

 private:
  void read_graph(bench::program& app);
  [[nodiscard]] sw::scoring read_scores(bench::program& app) const;

  bench::graph_input graph_file_;
  int jacobi_tiles_ = 0;
  std::string matrix_file_, image_file_, series_, precision_ = "double", scores_file_;
  std::vector<std::string> fasta_;
  std::vector<std::int64_t> pair_;
  int match_ = 2, mismatch_ = -3, gap_open_ = 5, gap_extend_ = 2;
  std::string lane_columns_ = "auto";
};

}  // namespace gridloom::juggler
