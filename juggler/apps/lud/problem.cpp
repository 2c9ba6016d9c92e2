#include "apps/juggler/problem.hpp"

#include <iterator>
#include <limits>
#include <sstream>
#include <string>

#include "apps/juggler/methods.hpp"
#include "apps/lud/inspection.hpp"
#include "apps/lud/loops.hpp"
#include "apps/lud/matrix.hpp"
#include "gridloom/error.hpp"
#include "juggler/rivals/lud/library_lu.hpp"
#include "juggler/rivals/lud/library_product.hpp"

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
  inspection_times inspect() const override { return lud::inspect_lud(cut_, tiles_.data()).times; }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    work_ = work_of(method);
    if (is_update() && cut_.tiles() == 1)
      throw unsupported(std::string(method) + ": expected several tiles, got one");
    if (is_part()) scaled_ = lud::scaled_to_one(given_.values);
    if (is_by_columns())
      loaded_ = lud::transposed(cut_.rows, worked_on());
    else if (is_part())
      loaded_ = lud::to_tiles(cut_, scaled_);
    if (is_by_columns()) {
      if (work_ == work::whole) return lud::make_library_lu(*machine_, cut_.rows, matrix_.data());
      if (work_ == work::library_update)
        return lud::make_library_update(*machine_, cut_.rows, cut_.tile, matrix_.data());
      square_ = machine_->allocate<double>(loaded_.size());
      return lud::make_library_product(*machine_, cut_.rows, matrix_.data(), square_.data());
    }
    if (kernels_ == kernel_kind::loops)
      return make_own_method(method, *machine_, dag(), graph_.context.data(), how,
                             lud::loops{matrix_.data(), cut_.tile});
    if (takes_squares(how)) {
      if (cut_.tile == 128) return make(method, how, large<128>());
      if (cut_.tile == 32) return make(method, how, large<32>());
      return make(method, how, large<64>());
    }
    // Smaller squares leave fewer threads idle in small tiles.
    if (cut_.tile <= 16) return make(method, how, small<1>());
    if (cut_.tile <= 32) return make(method, how, small<2>());
    return make(method, how, small<4>());
  }
  void load() override {
    machine_->copy_to_device(matrix_,
                             std::span<double const>(work_ == work::tasks ? tiles_ : loaded_));
    if (work_ == work::square) machine_->fill_bytes(square_, 0xff);
  }
  void fetch() override {
    found_ = machine_->copy_to_host(work_ == work::square ? square_ : matrix_);
  }
  double verify() override {
    std::vector<double> const got =
        is_by_columns() ? lud::transposed(cut_.rows, found_) : lud::from_tiles(cut_, found_);
    if (work_ == work::square) lud::require_square(cut_.rows, scaled_, got);
    if (is_update()) lud::require_updated(cut_.rows, cut_.tile, scaled_, got);
    // Parts of a decomposition have no residual.
    if (is_part()) return std::numeric_limits<double>::quiet_NaN();
    double const error = lud::residual(cut_.rows, given_.values, got);
    if (error < 30) return error;
    std::ostringstream text;
    text << "|A - LU| / (n |A| eps) is " << error << ", expected below 30";
    throw wrong_result(text.str());
  }
  result_facts results() const override {
    auto const n = static_cast<double>(cut_.rows);
    auto const tile = static_cast<double>(cut_.tile);
    if (work_ == work::square) return {.flops = 2 * n * n * n};
    if (work_ == work::updates)
      return {.flops = 2 * tile * tile * tile * static_cast<double>(first_updates().size())};
    if (work_ == work::library_update) return {.flops = 2 * tile * (n - tile) * (n - tile)};
    return {};
  }
  std::size_t bytes() const override { return matrix_.bytes() + inverses_.bytes(); }

 private:
  /// What the last executor computes: a decomposition by tasks or of the whole matrix, a part of a
  /// decomposition, or a product.
  enum class work { tasks, whole, updates, library_update, square };

  [[nodiscard]] static work work_of(std::string_view method) {
    if (method == "cusolver") return work::whole;
    if (method == "updates") return work::updates;
    if (method == "dgemm_update") return work::library_update;
    return method == "dgemm" ? work::square : work::tasks;
  }
  /// Libraries take the matrix by columns, without tiles.
  [[nodiscard]] bool is_by_columns() const {
    return work_ == work::whole || work_ == work::square || work_ == work::library_update;
  }
  /// Whether the method multiplies elements of the input by each other. Such products may overflow
  /// where a decomposition does not, so the method gets an input scaled to about 1.
  [[nodiscard]] bool is_part() const { return work_ == work::square || is_update(); }
  [[nodiscard]] std::vector<double> const& worked_on() const {
    return is_part() ? scaled_ : given_.values;
  }
  /// Whether the method computes the trailing updates of the first step.
  [[nodiscard]] bool is_update() const {
    return work_ == work::updates || work_ == work::library_update;
  }
  /// The tasks `bmod` of the first step. They are independent.
  [[nodiscard]] std::vector<lud::task_data> first_updates() const {
    task_dag const& all = dag();
    std::int64_t const side = cut_.tiles() - 1;
    std::vector<lud::task_data> found;
    for (std::uint32_t t = 0; std::ssize(found) < side * side; ++t) {
      if (all.kernel_types[t] == lud::type_bmod) found.push_back(graph_.context.data()[t]);
    }
    return found;
  }
  /// Whether large_tiles.hpp supports the tile and the threads.
  [[nodiscard]] bool takes_squares(execution_settings const& how) const {
    int const needed = lud::threads_of_squares(cut_.tile);
    return needed != 0 && (machine_->is_host() || how.threads == needed);
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
    if (work_ != work::updates)
      return make_method(method, *machine_, dag(), graph_.context.data(), how, app);
    app_context<lud::task_data> alone;
    for (lud::task_data const& data : first_updates()) alone.add_task(lud::type_bmod, data);
    alone.build_csr();
    return make_rival("barriers", *machine_, alone.dag(), alone.data(), how, app);
  }

  device* machine_;
  kernel_kind kernels_;
  lud::input const& given_;
  blocking cut_;
  std::vector<double> tiles_;
  work work_ = work::tasks;
  std::vector<double> scaled_;
  /// The matrix that load() copies, by tiles or by columns. Not used for work::tasks.
  std::vector<double> loaded_;
  buffer<double> matrix_;
  buffer<double> square_;
  buffer<double> inverses_;
  inspected<lud::task_data> graph_;
  std::vector<double> found_;
};

}  // namespace

std::unique_ptr<problem> make_lud(device& machine, lud::input const& given, int tile,
                                  kernel_kind kernels) {
  return std::make_unique<lud_problem>(machine, given, tile, kernels);
}

}  // namespace gridloom::juggler
