#include <string>
#include <utility>

#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/sat/inspection.hpp"
#include "apps/sat/loops.hpp"
#include "gridloom/error.hpp"
#include "juggler/ours/sat/carries.hpp"
#include "juggler/rivals/sat/look_back.hpp"

namespace gridloom::juggler {

namespace {

class sat_problem final : public problem {
 public:
  sat_problem(device& machine, std::shared_ptr<grey_image const> image, int tile,
              kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        image_(std::move(image)),
        cut_{image_->rows, image_->cols, tile},
        pixels_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.cells()))),
        sums_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.cells()))),
        row_sums_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.tiles() * tile))),
        graph_(sat::inspect_sat(cut_, sums_.data(), row_sums_.data())) {
    require_tile("sat", tile, sat::largest_tile);
  }

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return sat::inspect_sat(cut_, sums_.data(), row_sums_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return methods_of_loops::make(method, *machine_, dag(), graph_.context.data(), how,
                                    sat::loops{pixels_.data(), sums_.data(), row_sums_.data(),
                                               static_cast<int>(cut_.tile_cols()), cut_.tile});
    // With these sizes, 256 threads hold the whole tile if it fits. Vector accesses need aligned
    // rows.
    if (cut_.tile <= 32) return make<1, 4>(method, how);
    if (cut_.tile <= 64 && cut_.tile % 2 == 0) return make<2, 8>(method, how);
    if (cut_.tile % 4 == 0) return make<4, 16>(method, how);
    return make<1, 16>(method, how);
  }
  void load() override {
    if (tiles_.empty()) tiles_ = to_tiles<std::uint32_t>(cut_, image_->pixels);
    machine_->copy_to_device(pixels_, std::span<std::uint32_t const>(tiles_));
    machine_->fill_bytes(sums_, 0xff);
  }
  void fetch() override { found_ = machine_->copy_to_host(sums_); }
  double verify() override {
    require_same(cut_, found_, sat::sum_up(*image_));
    return 0;
  }
  std::size_t bytes() const override { return pixels_.bytes() + sums_.bytes() + row_sums_.bytes(); }

 private:
  template <int Width, int Rows>
  std::unique_ptr<executor> make(std::string_view method, execution_settings const& how) {
    sat::table_ref const table{pixels_.data(), sums_.data(), cut_};
    return make_method(
        method, *machine_, dag(), graph_.context.data(), how,
        sat::app<Width, Rows>{pixels_.data(), sums_.data(), row_sums_.data(), cut_},
        std::pair{"look_back", [&] { return sat::make_look_back(*machine_, how, table); }},
        std::pair{"carries", [&] { return sat::make_carries(*machine_, how, table); }});
  }

  device* machine_;
  kernel_kind kernels_;
  std::shared_ptr<grey_image const> image_;
  tiling cut_;
  std::vector<std::uint32_t> tiles_;
  buffer<std::uint32_t> pixels_, sums_, row_sums_;
  inspected<tile_place> graph_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

std::unique_ptr<problem> make_sat(device& machine, std::shared_ptr<grey_image const> image,
                                  int tile, kernel_kind kernels) {
  return std::make_unique<sat_problem>(machine, std::move(image), tile, kernels);
}

}  // namespace gridloom::juggler
