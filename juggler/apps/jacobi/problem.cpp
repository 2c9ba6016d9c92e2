#include <string>

#include "apps/grid/field.hpp"
#include "apps/grid/grid_problem.hpp"
#include "apps/jacobi/inspection.hpp"
#include "apps/jacobi/loops.hpp"
#include "gridloom/error.hpp"
#include "juggler/rivals/jacobi/temporal.hpp"

namespace gridloom::juggler {

namespace {

class jacobi_problem final : public grid_problem<double, double, random_field> {
 public:
  jacobi_problem(device& machine, std::int64_t rows, int tile, int steps, std::uint64_t seed,
                 kernel_kind kernels, checking how)
      : grid_problem(machine, {rows, rows, tile}, {seed, rows}, kernels, how == checking::sampled),
        steps_(steps),
        copy_(machine.allocate<double>(input_.size())) {
    graph_ = jacobi::inspect_jacobi(cut_, steps, copy_.data(), input_.data());
    require_tile("jacobi", tile, jacobi::largest_tile);
    if (!is_sampled_) tiles_ = input_by_tiles();
  }

  inspection_times inspect(range_matching matching) const override {
    return jacobi::inspect_jacobi(cut_, steps_, copy_.data(), input_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return by_loops(method, how,
                      jacobi::loops{copy_.data(), input_.data(), static_cast<int>(cut_.tile_cols()),
                                    cut_.tile});
    return by_tasks(
        method, how, jacobi::app{copy_.data(), input_.data(), cut_},
        std::pair{"temporal", [&] {
                    return jacobi::make_temporal(*machine_, how, {input_.data(), cut_, steps_});
                  }});
  }
  std::size_t bytes() const override { return copy_.bytes() + input_.bytes(); }

 private:
  void clear() override { machine_->fill_bytes(copy_, 0xff); }
  // The last step's field replaces the input.
  buffer<double> const& result() const override { return input_; }
  /// The edge of a window is not computed. What depends on it moves inwards by a cell per step.
  [[nodiscard]] std::vector<double> expected_in(window const& around) const {
    auto values = around.filled<double>(source_);
    jacobi::iterate(around.rows, around.cols, steps_, values);
    return values;
  }
  void check_all() const override { require_same(cut_, found_, expected_in(window(cut_))); }
  void check_tile(std::int64_t i, std::int64_t j) const override {
    window const around(cut_, i, j, steps_);
    auto const expected = expected_in(around);
    require_tile_is(cut_, i, j, tile_at(i, j), [&](std::int64_t row, std::int64_t col) {
      return expected[around.place(row, col)];
    });
  }

  int steps_;
  /// The copy of the field that tasks read.
  buffer<double> copy_;
};

}  // namespace

std::unique_ptr<problem> make_jacobi(device& machine, std::int64_t rows, int tile, int steps,
                                     std::uint64_t seed, kernel_kind kernels, checking how) {
  return std::make_unique<jacobi_problem>(machine, rows, tile, steps, seed, kernels, how);
}

}  // namespace gridloom::juggler
