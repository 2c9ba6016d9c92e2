#include <string>
#include <utility>

#include "apps/int_hist/inspection.hpp"
#include "apps/int_hist/loops.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"
#include "juggler/ours/int_hist/carries.hpp"

namespace gridloom::juggler {

namespace {

class int_hist_problem final : public problem {
 public:
  int_hist_problem(device& machine, std::shared_ptr<grey_image const> image, int tile, int bins,
                   kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        image_(std::move(image)),
        cut_{image_->rows, image_->cols, tile},
        bins_(bins),
        pixels_(machine.allocate<std::uint8_t>(static_cast<std::size_t>(cut_.cells()))),
        counts_(machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.cells() * bins))),
        row_counts_(
            machine.allocate<std::uint32_t>(static_cast<std::size_t>(cut_.tiles() * tile * bins))),
        graph_(int_hist::inspect_int_hist(app())) {
    require_tile("int_hist", tile, int_hist::largest_tile);
  }

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return int_hist::inspect_int_hist(app(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    if (kernels_ == kernel_kind::loops)
      return methods_of_loops::make(
          method, *machine_, dag(), graph_.context.data(), how,
          int_hist::loops{pixels_.data(), counts_.data(), row_counts_.data(),
                          static_cast<int>(cut_.tile_cols()), cut_.tile, bins_});
    return make_method(
        method, *machine_, dag(), graph_.context.data(), how, app(),
        std::pair{"carries", [&] { return int_hist::make_carries(*machine_, how, app()); }});
  }
  void load() override {
    if (tiles_.empty()) tiles_ = to_tiles<std::uint8_t>(cut_, image_->pixels);
    machine_->copy_to_device(pixels_, std::span<std::uint8_t const>(tiles_));
    machine_->fill_bytes(counts_, 0xff);
  }
  void fetch() override { found_ = machine_->copy_to_host(counts_); }
  double verify() override {
    for (int bin = 0; bin < bins_; ++bin) {
      std::vector<std::uint32_t> const expected = int_hist::count_bin(*image_, bins_, bin);
      for_each_cell(cut_, [&](std::int64_t row, std::int64_t col, std::size_t place) {
        // `place` assumes one count per cell; convert it to an index with all bins.
        auto const cells = static_cast<std::size_t>(cut_.tile_cells());
        std::size_t const tile = place / cells;
        std::size_t const bins_before =
            tile * static_cast<std::size_t>(bins_ - 1) + static_cast<std::size_t>(bin);
        if (found_[place + bins_before * cells] !=
            expected[static_cast<std::size_t>(row * cut_.cols + col)])
          throw wrong_result("bin " + std::to_string(bin) + ", row " + std::to_string(row) +
                             ", column " + std::to_string(col) +
                             " differs from the serial version");
      });
    }
    return 0;
  }
  std::size_t bytes() const override {
    return pixels_.bytes() + counts_.bytes() + row_counts_.bytes();
  }

 private:
  [[nodiscard]] int_hist::app app() const {
    return {pixels_.data(), counts_.data(), row_counts_.data(), cut_, bins_};
  }

  device* machine_;
  kernel_kind kernels_;
  std::shared_ptr<grey_image const> image_;
  tiling cut_;
  int bins_;
  std::vector<std::uint8_t> tiles_;
  buffer<std::uint8_t> pixels_;
  buffer<std::uint32_t> counts_, row_counts_;
  inspected<tile_place> graph_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

std::unique_ptr<problem> make_int_hist(device& machine, std::shared_ptr<grey_image const> image,
                                       int tile, int bins, kernel_kind kernels) {
  return std::make_unique<int_hist_problem>(machine, std::move(image), tile, bins, kernels);
}

}  // namespace gridloom::juggler
