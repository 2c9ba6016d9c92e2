#include <string>

#include "apps/grid/large.hpp"
#include "apps/jacobi/inspection.hpp"
#include "apps/jacobi/loops.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"
#include "juggler/rivals/jacobi/temporal.hpp"

namespace gridloom::juggler {

namespace {

class jacobi_problem final : public problem {
 public:
  jacobi_problem(device& machine, std::int64_t rows, int tile, int steps, std::uint64_t seed,
                 kernel_kind kernels, checking how)
      : machine_(&machine),
        kernels_(kernels),
        how_(how),
        cut_{rows, rows, tile},
        steps_(steps),
        input_{seed, rows},
        u_(machine.allocate<double>(static_cast<std::size_t>(cut_.cells()))),
        next_(machine.allocate<double>(static_cast<std::size_t>(cut_.cells()))),
        graph_(jacobi::inspect_jacobi(cut_, steps, u_.data(), next_.data())) {
    require_tile("jacobi", tile, jacobi::largest_tile);
    if (how_ == checking::sampled) return;
    fill_tiles(machine, next_, cut_, input_);
    tiles_ = machine.copy_to_host(next_);
  }

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return jacobi::inspect_jacobi(cut_, steps_, u_.data(), next_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return methods_of_loops::make(
          method, *machine_, dag(), graph_.context.data(), how,
          jacobi::loops{u_.data(), next_.data(), static_cast<int>(cut_.tile_cols()), cut_.tile});
    return make_method(
        method, *machine_, dag(), graph_.context.data(), how,
        jacobi::app{u_.data(), next_.data(), cut_},
        std::pair{"temporal", [&] {
                    return jacobi::make_temporal(*machine_, how, {next_.data(), cut_, steps_});
                  }});
  }
  void load() override {
    if (how_ == checking::sampled) {
      fill_tiles(*machine_, next_, cut_, input_);
    } else {
      machine_->copy_to_device(next_, std::span<double const>(tiles_));
    }
    machine_->fill_bytes(u_, 0xff);
  }
  void fetch() override {
    if (how_ == checking::all) found_ = machine_->copy_to_host(next_);
  }
  double verify() override {
    // The edge of a window is not computed. What depends on it moves inwards by a cell per step.
    auto const made = [&](window const& around) {
      auto values = around.filled<double>(input_);
      jacobi::iterate(around.rows, around.cols, steps_, values);
      return values;
    };
    if (how_ == checking::sampled) {
      hashes_.require(hashes_of(*machine_, next_, cut_.tiles()), cut_.tile_rows(), cut_.tile_cols(),
                      [&](std::int64_t i, std::int64_t j) {
                        window const around(cut_, i, j, steps_);
                        auto const expected = made(around);
                        require_tile_is(
                            cut_, i, j,
                            copied(*machine_, next_, cut_.begin(i, j), cut_.tile_cells()),
                            [&](std::int64_t row, std::int64_t col) {
                              return expected[around.place(row, col)];
                            });
                      });
      return 0;
    }
    checked_.require([&] { require_same(cut_, found_, made(window(cut_))); }, found_);
    return 0;
  }
  std::size_t bytes() const override { return u_.bytes() + next_.bytes(); }

 private:
  device* machine_;
  kernel_kind kernels_;
  checking how_;
  tiling cut_;
  int steps_;
  random_field input_;
  std::vector<double> tiles_;
  buffer<double> u_, next_;
  inspected<tile_place> graph_;
  std::vector<double> found_;
  checked_results<double> checked_;
  checked_hashes hashes_;
};

}  // namespace

std::unique_ptr<problem> make_jacobi(device& machine, std::int64_t rows, int tile, int steps,
                                     std::uint64_t seed, kernel_kind kernels, checking how) {
  return std::make_unique<jacobi_problem>(machine, rows, tile, steps, seed, kernels, how);
}

}  // namespace gridloom::juggler
