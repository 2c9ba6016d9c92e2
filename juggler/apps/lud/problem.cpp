#include "apps/juggler/problem.hpp"

#include <string>

#include "apps/juggler/methods.hpp"
#include "apps/lud/inspection.hpp"
#include "apps/lud/library_lu.hpp"
#include "apps/lud/loops.hpp"
#include "apps/lud/matrix.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

class lud_problem final : public problem {
 public:
  lud_problem(device& machine, lud::input const& given, int tile, kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        given_(given),
        cut_{given.rows, tile},
        tiles_(lud::to_tiles(cut_, given.values)),
        matrix_(machine.allocate<double>(tiles_.size())),
        inverses_(machine.allocate<double>(static_cast<std::size_t>(cut_.tiles() * tile) *
                                           lud::inverse_elements / lud::step)),
        graph_(lud::inspect_lud(cut_, tiles_.data())) {}

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times const& inspection() const override { return graph_.times; }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    is_whole_ = method == "cusolver";
    if (is_whole_) {
      if (columns_.empty()) columns_ = lud::transposed(cut_.rows, given_.values);
      return lud::make_library_lu(*machine_, cut_.rows, matrix_.data());
    }
    if (kernels_ == kernel_kind::loops)
      return make_own_method(method, *machine_, dag(), graph_.context.data(), how,
                             lud::loops{matrix_.data(), cut_.tile});
    if (takes_squares(how)) {
      if (cut_.tile == 128) return make(method, how, large<128>());
      return make(method, how, large<64>());
    }
    // Smaller squares leave less of the threads without elements in small tiles.
    if (cut_.tile <= 16) return make(method, how, small<1>());
    if (cut_.tile <= 32) return make(method, how, small<2>());
    return make(method, how, small<4>());
  }
  void load() override {
    machine_->copy_to_device(matrix_, std::span<double const>(is_whole_ ? columns_ : tiles_));
  }
  void fetch() override { factors_ = machine_->copy_to_host(matrix_); }
  double verify() override {
    double const error = lud::residual(
        cut_.rows, given_.values,
        is_whole_ ? lud::transposed(cut_.rows, factors_) : lud::from_tiles(cut_, factors_));
    if (!(error < 30))
      throw wrong_result("|A - LU| / (n |A| eps) is " + std::to_string(error) +
                         ", expected below 30");
    return error;
  }
  std::size_t bytes() const override { return matrix_.bytes() + inverses_.bytes(); }

 private:
  /// Whether large_tiles.hpp may be used.
  [[nodiscard]] bool takes_squares(execution_settings const& how) const {
    return (cut_.tile == 64 || cut_.tile == 128) &&
           (machine_->is_host() || how.threads == lud::large_tiles<64>::max_threads);
  }
  template <int PerThread>
  [[nodiscard]] lud::small_tiles<PerThread> small() {
    return {matrix_.data(), cut_.tile};
  }
  template <int Side>
  [[nodiscard]] lud::large_tiles<Side> large() {
    return {matrix_.data(), inverses_.data(), static_cast<int>(cut_.tiles())};
  }
  template <class App>
  std::unique_ptr<executor> make(std::string_view method, execution_settings const& how,
                                 App const& app) {
    return make_method(method, *machine_, dag(), graph_.context.data(), how, app);
  }

  device* machine_;
  kernel_kind kernels_;
  lud::input const& given_;
  blocking cut_;
  std::vector<double> tiles_;
  /// Of who takes the matrix by columns and without tiles: who does, made last, and what it takes.
  bool is_whole_ = false;
  std::vector<double> columns_;
  buffer<double> matrix_;
  buffer<double> inverses_;
  inspected<lud::task_data> graph_;
  std::vector<double> factors_;
};

}  // namespace

std::unique_ptr<problem> make_lud(device& machine, lud::input const& given, int tile,
                                  kernel_kind kernels) {
  return std::make_unique<lud_problem>(machine, given, tile, kernels);
}

}  // namespace gridloom::juggler
