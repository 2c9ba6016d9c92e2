#include <string>

#include "apps/grid/large.hpp"
#include "apps/heat/inspection.hpp"
#include "apps/heat/loops.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

class heat_problem final : public problem {
 public:
  heat_problem(device& machine, std::int64_t rows, int tile, int steps, std::uint64_t seed,
               kernel_kind kernels, checking how)
      : machine_(&machine),
        kernels_(kernels),
        how_(how),
        cut_{rows, rows, tile},
        steps_(steps),
        input_{seed, rows},
        u_(machine.allocate<double>(static_cast<std::size_t>(cut_.cells()))),
        graph_(heat::inspect_heat(cut_, steps, u_.data())) {
    if (how_ == checking::sampled) return;
    fill_tiles(machine, u_, cut_, input_);
    tiles_ = machine.copy_to_host(u_);
  }

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return heat::inspect_heat(cut_, steps_, u_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return methods_of_loops::make(
          method, *machine_, dag(), graph_.context.data(), how,
          heat::loops{u_.data(), static_cast<int>(cut_.tile_cols()), cut_.tile});
    return make_method(method, *machine_, dag(), graph_.context.data(), how,
                       heat::app{u_.data(), cut_});
  }
  void load() override {
    if (how_ == checking::sampled) return fill_tiles(*machine_, u_, cut_, input_);
    machine_->copy_to_device(u_, std::span<double const>(tiles_));
  }
  void fetch() override {
    if (how_ == checking::all) found_ = machine_->copy_to_host(u_);
  }
  double verify() override {
    if (how_ == checking::sampled) {
      hashes_.require(hashes_of(*machine_, u_, cut_.tiles()), cut_.tile_rows(), cut_.tile_cols(),
                      [&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
      return 0;
    }
    checked_.require(
        [&] {
          auto expected = window(cut_).filled<double>(input_);
          heat::simulate(cut_.rows, cut_.cols, steps_, expected);
          require_same(cut_, found_, expected);
        },
        found_);
    return 0;
  }
  std::size_t bytes() const override { return u_.bytes(); }

 private:
  [[nodiscard]] std::vector<double> tile_at(std::int64_t i, std::int64_t j) const {
    return copied(*machine_, u_, cut_.begin(i, j), cut_.tile_cells());
  }
  /// Computes a tile's only step again from the results above and to the left, and the input.
  void check_tile(std::int64_t i, std::int64_t j) const {
    window const around(cut_, i, j, 1);
    auto expected = around.filled<double>(input_);
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

  device* machine_;
  kernel_kind kernels_;
  checking how_;
  tiling cut_;
  int steps_;
  random_field input_;
  std::vector<double> tiles_;
  buffer<double> u_;
  inspected<tile_place> graph_;
  std::vector<double> found_;
  checked_results<double> checked_;
  checked_hashes hashes_;
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
