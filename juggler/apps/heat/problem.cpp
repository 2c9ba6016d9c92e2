#include <string>

#include "apps/grid/field.hpp"
#include "apps/grid/grid_problem.hpp"
#include "apps/heat/inspection.hpp"
#include "apps/heat/loops.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

class heat_problem final : public grid_problem<double, double, random_field> {
 public:
  heat_problem(device& machine, std::int64_t rows, int tile, int steps, std::uint64_t seed,
               kernel_kind kernels, checking how)
      : grid_problem(machine, {rows, rows, tile}, {seed, rows}, kernels, how == checking::sampled),
        steps_(steps) {
    graph_ = heat::inspect_heat(cut_, steps, input_.data());
    if (!is_sampled_) tiles_ = input_by_tiles();
  }

  inspection_times inspect(range_matching matching) const override {
    return heat::inspect_heat(cut_, steps_, input_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return by_loops(method, how,
                      heat::loops{input_.data(), static_cast<int>(cut_.tile_cols()), cut_.tile});
    return by_tasks(method, how, heat::app{input_.data(), cut_});
  }
  std::size_t bytes() const override { return input_.bytes(); }

 private:
  // Tasks compute the field in place.
  buffer<double> const& result() const override { return input_; }
  void check_all() const override {
    auto expected = window(cut_).filled<double>(source_);
    heat::simulate(cut_.rows, cut_.cols, steps_, expected);
    require_same(cut_, found_, expected);
  }
  /// Computes a tile's only step again from the results above and to the left, and the input.
  void check_tile(std::int64_t i, std::int64_t j) const override {
    window const around(cut_, i, j, 1);
    auto expected = around.filled<double>(source_);
    std::int64_t const top = i * cut_.tile, left = j * cut_.tile, last = cut_.tile - 1;
    auto const take = [&](std::vector<double> const& from, std::int64_t row, std::int64_t col) {
      if (row < cut_.rows && col < cut_.cols)
        expected[around.place(row, col)] =
            from[static_cast<std::size_t>(row % cut_.tile * cut_.tile + col % cut_.tile)];
    };
    if (i > 0) {
      auto const above = tile_at(i - 1, j);
      for (std::int64_t k = 0; k <= last; ++k) take(above, top - 1, left + k);
    }
    if (j > 0) {
      auto const before = tile_at(i, j - 1);
      for (std::int64_t k = 0; k <= last; ++k) take(before, top + k, left - 1);
    }
    heat::simulate(around.rows, around.cols, 1, expected);
    require_tile_is(cut_, i, j, tile_at(i, j), [&](std::int64_t row, std::int64_t col) {
      return expected[around.place(row, col)];
    });
  }

  int steps_;
};

}  // namespace

std::unique_ptr<problem> make_heat(device& machine, std::int64_t rows, int tile, int steps,
                                   std::uint64_t seed, kernel_kind kernels, checking how) {
  if (how == checking::sampled && steps != 1)
    throw usage_error("--steps: --check sampled of heat needs 1 step, got " +
                      std::to_string(steps));
  return std::make_unique<heat_problem>(machine, rows, tile, steps, seed, kernels, how);
}

}  // namespace gridloom::juggler
