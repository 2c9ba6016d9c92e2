#include <string>
#include <utility>

#include "apps/grid/large.hpp"
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
    if (is_sampled()) {
      fill_tiles(*machine_, pixels_, cut_, image_->random);
    } else {
      if (tiles_.empty()) tiles_ = to_tiles<std::uint32_t>(cut_, image_->pixels);
      machine_->copy_to_device(pixels_, std::span<std::uint32_t const>(tiles_));
    }
    machine_->fill_bytes(sums_, 0xff);
  }
  void fetch() override {
    if (!is_sampled()) found_ = machine_->copy_to_host(sums_);
  }
  double verify() override {
    if (is_sampled()) {
      hashes_.require(hashes_of(*machine_, sums_, cut_.tiles()), cut_.tile_rows(), cut_.tile_cols(),
                      [&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
    } else {
      checked_.require([&] { require_same(cut_, found_, sat::sum_up(*image_)); }, found_);
    }
    return 0;
  }
  std::size_t bytes() const override { return pixels_.bytes() + sums_.bytes() + row_sums_.bytes(); }

 private:
  [[nodiscard]] bool is_sampled() const { return image_->pixels.empty(); }
  /// Computes a tile again from its pixels and the sums above and to the left.
  void check_tile(std::int64_t i, std::int64_t j) const {
    window const around(cut_, i, j, 1);
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(around.rows * around.cols));
    for (auto const& [up, back] : {std::pair{1, 1}, std::pair{1, 0}, std::pair{0, 1}}) {
      if (i < up || j < back) continue;
      auto const from = copied(*machine_, sums_, cut_.begin(i - up, j - back), cut_.tile_cells());
      window const other(cut_, i - up, j - back, 0);
      for (std::int64_t row = std::max(other.row, around.row); row < other.row + other.rows;
           ++row) {
        for (std::int64_t col = std::max(other.col, around.col); col < other.col + other.cols;
             ++col)
          sums[around.place(row, col)] =
              from[static_cast<std::size_t>(row % cut_.tile * cut_.tile + col % cut_.tile)];
      }
    }
    require_tile_is(cut_, i, j, copied(*machine_, sums_, cut_.begin(i, j), cut_.tile_cells()),
                    [&](std::int64_t row, std::int64_t col) {
                      auto const at = [&](std::int64_t r, std::int64_t c) -> std::uint32_t {
                        return r < 0 || c < 0 ? 0 : sums[around.place(r, c)];
                      };
                      return sums[around.place(row, col)] = image_->random(row, col) +
                                                            at(row - 1, col) + at(row, col - 1) -
                                                            at(row - 1, col - 1);
                    });
  }
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
  checked_results<std::uint32_t> checked_;
  checked_hashes hashes_;
};

}  // namespace

std::unique_ptr<problem> make_sat(device& machine, std::shared_ptr<grey_image const> image,
                                  int tile, kernel_kind kernels) {
  return std::make_unique<sat_problem>(machine, std::move(image), tile, kernels);
}

}  // namespace gridloom::juggler
