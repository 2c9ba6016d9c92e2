#pragma once
// The options for inputs, and the contents of the files that they name.

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

/// The inputs from files; null without a file, and then applications.hpp makes one.
struct inputs {
  /// Called before program::parse.
  void add_options(bench::program& app);
  /// Reads the files. Called after program::parse. Throws usage_error.
  void read(bench::program& app);

  std::shared_ptr<csr_graph const> graph{};
  std::optional<sparse::csr_matrix<double>> matrix{};
  std::shared_ptr<grey_image const> image{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  /// Names of their files, without folders.
  std::string graph_name{}, matrix_name{}, image_name{}, warped_name{}, aligned_name{};
  /// How random sequences are scored.
  sw::scoring scores{};
  /// dtw: float instead of double.
  [[nodiscard]] bool is_single() const { return precision_ == "float"; }
  /// dtw, sw: columns of a tile in the registers of a lane; 0: chosen from the size of the tile.
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
