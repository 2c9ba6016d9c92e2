#pragma once
// Local alignment of two joined texts: the input, the serial algorithm, and its parallel forms.

#include <memory>
#include <string>
#include <vector>

#include "../tiles/tile_way.hpp"
#include "gridloom/device.hpp"
#include "lane_rows.hpp"

namespace gridloom::wavefront::sw {

struct alignment_input {
  /// Padded with separators to whole strips.
  std::vector<residue> query;
  std::vector<residue> target;
  gap_costs gaps;

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(query.size()); }
  [[nodiscard]] std::uint32_t cols() const { return static_cast<std::uint32_t>(target.size()); }
  [[nodiscard]] std::uint64_t cells() const { return std::uint64_t{rows()} * cols(); }
};

/// Throws usage_error for an empty text, or if a best_key has no room for the cells or scores.
[[nodiscard]] alignment_input make_input(std::vector<residue> query, std::vector<residue> target,
                                         gap_costs gaps);

/// The results that are compared with those of the serial algorithm.
struct alignment_result {
  /// Array of the best_key of each strip of strip_rows rows.
  std::vector<std::uint64_t> best;
  /// H of the last row and of the last column.
  std::vector<std::int32_t> last_row;
  std::vector<std::int32_t> last_column;

  bool operator==(alignment_result const&) const = default;
  /// Best score of the whole lattice; 0 if nothing aligns.
  [[nodiscard]] std::int32_t score() const;
  /// The cell where the best alignment ends, in the padded texts.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> cell(alignment_input const& of) const;
};

/// Aligns row by row. Shares no code with the kernels.
[[nodiscard]] alignment_result align_serially(alignment_input const& of);

/// Used by one thread. The device must outlive the aligner.
class aligner {
 public:
  aligner() = default;
  aligner(aligner const&) = delete;
  aligner& operator=(aligner const&) = delete;
  virtual ~aligner() = default;
  /// Copies the texts to the device, and resets the words for the next run.
  virtual void load(alignment_input const& of) = 0;
  /// Overwrites the results of the last run.
  virtual void forget() = 0;
  virtual void run() = 0;
  [[nodiscard]] virtual alignment_result result() = 0;
  virtual void require_done() = 0;
  /// Number of levels of tiles; 0 if there are no tiles.
  [[nodiscard]] virtual std::uint32_t waves() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

struct aligner_options {
  /// Only strips use the number of threads. A tile has one warp.
  launch_shape shape{1, 1};
  std::uint32_t tile_cols = 256;
  double timeout_s = 60;
};

// All aligners take inputs of the size of `of`.

/// Makes an aligner that runs tiles in this way.
[[nodiscard]] std::unique_ptr<aligner> make_tiled(device& machine, alignment_input const& of,
                                                  tiles::tile_way how, aligner_options options);
/// Makes an aligner with one warp per strip of rows. If `free`, strips do not wait: the result is
/// wrong, and the time is a lower bound.
[[nodiscard]] std::unique_ptr<aligner> make_strips(device& machine, alignment_input const& of,
                                                   bool free, aligner_options const& options);

}  // namespace gridloom::wavefront::sw
