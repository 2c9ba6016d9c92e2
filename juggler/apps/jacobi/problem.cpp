#include <string>

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
                 kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        cut_{rows, rows, tile},
        steps_(steps),
        values_(make_field(rows, seed)),
        tiles_(to_tiles<double>(cut_, values_)),
        u_(machine.allocate<double>(tiles_.size())),
        next_(machine.allocate<double>(tiles_.size())),
        graph_(jacobi::inspect_jacobi(cut_, steps, u_.data(), next_.data())) {
    require_tile("jacobi", tile, jacobi::largest_tile);
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
    machine_->copy_to_device(next_, std::span<double const>(tiles_));
    machine_->fill_bytes(u_, 0xff);
  }
  void fetch() override { found_ = machine_->copy_to_host(next_); }
  double verify() override {
    std::vector<double> expected = values_;
    jacobi::iterate(cut_.rows, steps_, expected);
    require_same(cut_, found_, expected);
    return 0;
  }
  std::size_t bytes() const override { return u_.bytes() + next_.bytes(); }

 private:
  device* machine_;
  kernel_kind kernels_;
  tiling cut_;
  int steps_;
  std::vector<double> values_;
  std::vector<double> tiles_;
  buffer<double> u_, next_;
  inspected<tile_place> graph_;
  std::vector<double> found_;
};

}  // namespace

std::unique_ptr<problem> make_jacobi(device& machine, std::int64_t rows, int tile, int steps,
                                     std::uint64_t seed, kernel_kind kernels) {
  return std::make_unique<jacobi_problem>(machine, rows, tile, steps, seed, kernels);
}

}  // namespace gridloom::juggler
