#include <string>
#include <utility>

#include "apps/grid/grid_problem.hpp"
#include "apps/int_hist/inspection.hpp"
#include "apps/int_hist/loops.hpp"
#include "gridloom/error.hpp"
#include "juggler/ours/int_hist/carries.hpp"

namespace gridloom::juggler {

namespace {

class int_hist_problem final : public grid_problem<std::uint8_t, std::uint32_t, random_pixels> {
 public:
  int_hist_problem(device& machine, std::shared_ptr<grey_image const> image, int tile, int bins,
                   kernel_kind kernels)
      : grid_problem(machine, {image->rows, image->cols, tile}, image->random, kernels,
                     image->pixels.empty()),
        image_(std::move(image)),
        bins_(bins),
        counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.cells() * bins))),
        row_counts_(
            machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.tiles() * tile * bins))) {
    graph_ = int_hist::inspect_int_hist(app());
    require_parts("int_hist", tile, int_hist::largest_part);
  }

  inspection_times inspect(range_matching matching) const override {
    return int_hist::inspect_int_hist(app(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return by_loops(method, how,
                      int_hist::loops{input_.data(), counts_.data(), row_counts_.data(),
                                      static_cast<int>(cut_.tile_cols()), cut_.tile, bins_});
    return by_tasks(
        method, how, app(),
        std::pair{"carries", [&] { return int_hist::make_carries(*machine_, how, app()); }});
  }
  std::size_t bytes() const override {
    return input_.bytes() + counts_.bytes() + row_counts_.bytes();
  }

 private:
  [[nodiscard]] int_hist::app app() const {
    return {input_.data(), counts_.data(), row_counts_.data(), cut_, bins_};
  }
  std::vector<std::uint8_t> input_by_tiles() override {
    return to_tiles<std::uint8_t>(cut_, image_->pixels);
  }
  void clear() override { machine_->fill_bytes(counts_, 0xff); }
  buffer<std::uint32_t> const& result() const override { return counts_; }
  void check_all() const override {
    for (int bin = 0; bin < bins_; ++bin) {
      std::vector<std::uint32_t> const expected = int_hist::count_bin(*image_, bins_, bin);
      for_each_cell(cut_, [&](std::int64_t row, std::int64_t col, std::size_t) {
        std::int64_t const place = app().begin(row / cut_.tile, col / cut_.tile, bin) +
                                   row % cut_.tile * cut_.tile + col % cut_.tile;
        if (found_[static_cast<std::size_t>(place)] !=
            expected[static_cast<std::size_t>(row * cut_.cols + col)])
          refuse_count(bin, row, col);
      });
    }
  }
  /// Counts a tile again from its pixels and the counts above and to the left.
  void check_tile(std::int64_t i, std::int64_t j) const override {
    std::int64_t const cells = cut_.tile_cells();
    auto const counts_at = [&](std::int64_t row, std::int64_t col) {
      if (row < 0 || col < 0)
        return std::vector<std::uint32_t>(static_cast<std::size_t>(bins_ * cells));
      return copied(*machine_, counts_, app().begin(row, col, 0), bins_ * cells);
    };
    auto const own = counts_at(i, j), above = counts_at(i - 1, j), left = counts_at(i, j - 1),
               corner = counts_at(i - 1, j - 1);
    window const at(cut_, i, j, 0);
    int const tile = cut_.tile;
    for (int bin = 0; bin < bins_; ++bin) {
      // The count at a place of the tile, or beside it, where -1 is the row above or the column to
      // the left.
      auto const count = [&](std::int64_t row, std::int64_t col) {
        auto const& from = row < 0 ? (col < 0 ? corner : above) : (col < 0 ? left : own);
        return from[static_cast<std::size_t>(bin * cells + (row + tile) % tile * tile +
                                             (col + tile) % tile)];
      };
      for (std::int64_t row = 0; row < at.rows; ++row) {
        for (std::int64_t col = 0; col < at.cols; ++col) {
          bool const is_in = source_(at.row + row, at.col + col) * bins_ / 256 == bin;
          if (count(row, col) != count(row - 1, col) + count(row, col - 1) -
                                     count(row - 1, col - 1) + (is_in ? 1U : 0U))
            refuse_count(bin, at.row + row, at.col + col);
        }
      }
    }
  }
  [[noreturn]] static void refuse_count(int bin, std::int64_t row, std::int64_t col) {
    throw wrong_result("bin " + std::to_string(bin) + ", row " + std::to_string(row) + ", column " +
                       std::to_string(col) + " differs from the serial version");
  }

  std::shared_ptr<grey_image const> image_;
  int bins_;
  buffer<std::uint32_t> counts_, row_counts_;
};

}  // namespace

std::unique_ptr<problem> make_int_hist(device& machine, std::shared_ptr<grey_image const> image,
                                       int tile, int bins, kernel_kind kernels) {
  return std::make_unique<int_hist_problem>(machine, std::move(image), tile, bins, kernels);
}

}  // namespace gridloom::juggler
