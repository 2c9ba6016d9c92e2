#include <string>
#include <utility>

#include "apps/grid/grid_problem.hpp"
#include "apps/sat/inspection.hpp"
#include "apps/sat/loops.hpp"
#include "gridloom/error.hpp"
#include "juggler/ours/sat/carries.hpp"
#include "juggler/rivals/sat/look_back.hpp"

namespace gridloom::juggler {

namespace {

class sat_problem final : public grid_problem<std::uint32_t, std::uint32_t, random_pixels> {
 public:
  sat_problem(device& machine, std::shared_ptr<grey_image const> image, int tile,
              kernel_kind kernels)
      : grid_problem(machine, {image->rows, image->cols, tile}, image->random, kernels,
                     image->pixels.empty()),
        image_(std::move(image)),
        sums_(machine.allocate<std::uint32_t>(input_.size())),
        row_sums_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.tiles() * tile))) {
    graph_ = sat::inspect_sat(cut_, sums_.data(), row_sums_.data());
    require_tile("sat", tile, sat::largest_tile);
  }

  inspection_times inspect(range_matching matching) const override {
    return sat::inspect_sat(cut_, sums_.data(), row_sums_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return by_loops(method, how,
                      sat::loops{input_.data(), sums_.data(), row_sums_.data(),
                                 static_cast<int>(cut_.tile_cols()), cut_.tile});
    // With these sizes, 256 threads hold the whole tile if it fits. Vector accesses need aligned
    // rows.
    if (cut_.tile <= 32) return make<1, 4>(method, how);
    if (cut_.tile <= 64 && cut_.tile % 2 == 0) return make<2, 8>(method, how);
    if (cut_.tile % 4 == 0) return make<4, 16>(method, how);
    return make<1, 16>(method, how);
  }
  std::size_t bytes() const override { return input_.bytes() + sums_.bytes() + row_sums_.bytes(); }

 private:
  std::vector<std::uint32_t> input_by_tiles() override {
    return to_tiles<std::uint32_t>(cut_, image_->pixels);
  }
  void clear() override { machine_->fill_bytes(sums_, 0xff); }
  buffer<std::uint32_t> const& result() const override { return sums_; }
  void check_all() const override { require_same(cut_, found_, sat::sum_up(*image_)); }
  /// Computes a tile again from its pixels and the sums above and to the left.
  void check_tile(std::int64_t i, std::int64_t j) const override {
    window const around(cut_, i, j, 1);
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(around.rows * around.cols));
    for (auto const& [up, back] : {std::pair{1, 1}, std::pair{1, 0}, std::pair{0, 1}}) {
      if (i < up || j < back) continue;
      auto const from = tile_at(i - up, j - back);
      window const other(cut_, i - up, j - back, 0);
      for (std::int64_t row = std::max(other.row, around.row); row < other.row + other.rows;
           ++row) {
        for (std::int64_t col = std::max(other.col, around.col); col < other.col + other.cols;
             ++col)
          sums[around.place(row, col)] =
              from[static_cast<std::size_t>(row % cut_.tile * cut_.tile + col % cut_.tile)];
      }
    }
    require_tile_is(cut_, i, j, tile_at(i, j), [&](std::int64_t row, std::int64_t col) {
      auto const at = [&](std::int64_t r, std::int64_t c) -> std::uint32_t {
        return r < 0 || c < 0 ? 0 : sums[around.place(r, c)];
      };
      return sums[around.place(row, col)] =
                 source_(row, col) + at(row - 1, col) + at(row, col - 1) - at(row - 1, col - 1);
    });
  }
  template <int Width, int Rows>
  std::unique_ptr<executor> make(std::string_view method, execution_settings const& how) {
    sat::table_ref const table{input_.data(), sums_.data(), cut_};
    return by_tasks(
        method, how, sat::app<Width, Rows>{input_.data(), sums_.data(), row_sums_.data(), cut_},
        std::pair{"look_back", [&] { return sat::make_look_back(*machine_, how, table); }},
        std::pair{"carries", [&] { return sat::make_carries(*machine_, how, table); }});
  }

  std::shared_ptr<grey_image const> image_;
  buffer<std::uint32_t> sums_, row_sums_;
};

}  // namespace

std::unique_ptr<problem> make_sat(device& machine, std::shared_ptr<grey_image const> image,
                                  int tile, kernel_kind kernels) {
  return std::make_unique<sat_problem>(machine, std::move(image), tile, kernels);
}

}  // namespace gridloom::juggler
