#include "apps/juggler/problem.hpp"

#include <string>

#include "apps/dtw/inspection.hpp"
#include "apps/juggler/methods.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

class dtw_problem final : public problem {
 public:
  dtw_problem(device& machine, std::int64_t length, int tile, std::uint64_t seed)
      : machine_(&machine),
        cut_{length, tile},
        series_{dtw::make_series(length, seed), dtw::make_series(length, seed + 1)},
        x_(machine.allocate<double>(series_[0].size())),
        y_(machine.allocate<double>(series_[1].size())),
        costs_(machine.allocate<double>(static_cast<std::size_t>(cut_.elements()))),
        graph_(dtw::inspect_dtw(cut_, costs_.data())) {
    if (tile > dtw::largest_tile)
      throw usage_error("--tile: expected at most " + std::to_string(dtw::largest_tile) +
                        " for dtw, got " + std::to_string(tile));
  }

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times const& inspection() const override { return graph_.times; }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    return make_method(method, *machine_, dag(), graph_.context.data(), how,
                       dtw::app{x_.data(), y_.data(), costs_.data(), cut_});
  }
  void load() override {
    machine_->copy_to_device(x_, std::span<double const>(series_[0]));
    machine_->copy_to_device(y_, std::span<double const>(series_[1]));
    machine_->fill_bytes(costs_, 0xff);
  }
  void fetch() override { found_ = machine_->copy_to_host(costs_); }
  double verify() override {
    std::vector<double> const expected = dtw::warp(series_[0], series_[1]);
    for_each_element(cut_, [&](std::int64_t row, std::int64_t col, std::size_t place) {
      // Each element is made by the same operations: they have the same bits. NaN is no result.
      if (found_[place] != expected[static_cast<std::size_t>(row * cut_.rows + col)])
        throw wrong_result("row " + std::to_string(row) + ", column " + std::to_string(col) +
                           " is not that of the serial version");
    });
    return 0;
  }
  std::size_t bytes() const override { return x_.bytes() + y_.bytes() + costs_.bytes(); }

 private:
  device* machine_;
  blocking cut_;
  std::vector<double> series_[2];
  buffer<double> x_, y_, costs_;
  inspected<dtw::task_data> graph_;
  std::vector<double> found_;
};

}  // namespace

std::unique_ptr<problem> make_dtw(device& machine, std::int64_t length, int tile,
                                  std::uint64_t seed) {
  return std::make_unique<dtw_problem>(machine, length, tile, seed);
}

}  // namespace gridloom::juggler
