#include <string>

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
               kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        cut_{rows, rows, tile},
        steps_(steps),
        values_(make_field(rows, seed)),
        tiles_(to_tiles<double>(cut_, values_)),
        u_(machine.allocate<double>(tiles_.size())),
        graph_(heat::inspect_heat(cut_, steps, u_.data())) {
    require_tile("heat", tile, heat::largest_tile);
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
  void load() override { machine_->copy_to_device(u_, std::span<double const>(tiles_)); }
  void fetch() override { found_ = machine_->copy_to_host(u_); }
  double verify() override {
    std::vector<double> expected = values_;
    heat::simulate(cut_.rows, steps_, expected);
    require_same(cut_, found_, expected);
    return 0;
  }
  std::size_t bytes() const override { return u_.bytes(); }

 private:
  device* machine_;
  kernel_kind kernels_;
  tiling cut_;
  int steps_;
  std::vector<double> values_;
  std::vector<double> tiles_;
  buffer<double> u_;
  inspected<tile_place> graph_;
  std::vector<double> found_;
};

}  // namespace

std::unique_ptr<problem> make_heat(device& machine, std::int64_t rows, int tile, int steps,
                                   std::uint64_t seed, kernel_kind kernels) {
  return std::make_unique<heat_problem>(machine, rows, tile, steps, seed, kernels);
}

}  // namespace gridloom::juggler
