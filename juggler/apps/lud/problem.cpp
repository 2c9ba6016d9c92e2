#include "apps/juggler/problem.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <sstream>
#include <string>

#include "apps/grid/large.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/lud/inspection.hpp"
#include "apps/lud/loops.hpp"
#include "apps/lud/matrix.hpp"
#include "gridloom/error.hpp"
#include "juggler/rivals/lud/library_lu.hpp"

namespace gridloom::juggler {

namespace {

/// A method that does not decompose the matrix by tasks.
struct other_method {
  std::string_view name;
  /// A call of a CUDA library. Libraries take the matrix by columns, without tiles.
  std::unique_ptr<executor> (*call)(device&, tiling const&, double* matrix, double* product) = {};
  /// The check and the number of operations of a method that multiplies elements of the input by
  /// each other. Their products may overflow where the decomposition does not, so such a method
  /// works on the input scaled to about 1.
  void (*check)(tiling const&, std::span<double const> scaled, std::span<double const> got) = {};
  double (*flops)(double n, double tile) = {};
  /// Whether it does the trailing updates of the first step.
  bool is_update = false;
};
constexpr other_method other_methods[] = {
    {.name = "cusolver",
     .call = [](device& machine, tiling const& cut, double* matrix,
                double*) { return lud::make_library_lu(machine, cut.rows, matrix); }},
    {.name = "updates",
     .check = lud::require_updated,
     .flops =
         [](double n, double tile) {
           return 2 * tile * tile * tile * std::pow(std::ceil(n / tile) - 1, 2);
         },
     .is_update = true},
    {.name = "dgemm",
     .call =
         [](device& machine, tiling const& cut, double* matrix, double* product) {
           return lud::make_library_product(machine, cut.rows, matrix, product);
         },
     .check = lud::require_square,
     .flops = [](double n, double) { return 2 * n * n * n; }},
    {.name = "dgemm_update",
     .call = [](device& machine, tiling const& cut, double* matrix,
                double*) { return lud::make_library_update(machine, cut.rows, cut.tile, matrix); },
     .check = lud::require_updated,
     .flops = [](double n, double tile) { return 2 * tile * (n - tile) * (n - tile); },
     .is_update = true},
};

class lud_problem final : public problem {
 public:
  lud_problem(device& machine, lud::input const& given, int tile, kernel_kind kernels)
      : machine_(&machine),
        kernels_(kernels),
        given_(given),
        cut_{given.rows, given.rows, tile},
        tiles_(is_sampled() ? std::vector<double>{} : lud::to_tiles(cut_, given.values)),
        matrix_(machine.allocate<double>(static_cast<std::size_t>(cut_.cells()))),
        inverses_(machine.allocate<double>(static_cast<std::size_t>(cut_.tile_rows() * tile) *
                                           lud::inverse_elements / lud::step)),
        graph_(lud::inspect_lud(cut_, matrix_.data())) {}

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return lud::inspect_lud(cut_, matrix_.data(), matching).times;
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    auto const* const found = std::find_if(std::begin(other_methods), std::end(other_methods),
                                           [&](auto const& one) { return one.name == method; });
    other_ = found == std::end(other_methods) ? nullptr : found;
    if (other_ != nullptr && is_sampled())
      throw unsupported(std::string(method) + ": --check sampled has no matrix for it");
    if (other_ != nullptr && other_->is_update && cut_.tiles() == 1)
      throw unsupported(std::string(method) + ": expected several tiles, got one");
    if (is_part()) scaled_ = lud::scaled_to_one(given_.values);
    auto const& values = is_part() ? scaled_ : given_.values;
    if (is_by_columns()) {
      loaded_ = lud::transposed(cut_.rows, values);
      if (has_product()) product_ = machine_->allocate<double>(loaded_.size());
      return other_->call(*machine_, cut_, matrix_.data(), product_.data());
    }
    if (is_part()) loaded_ = lud::to_tiles(cut_, values);
    if (kernels_ == kernel_kind::loops)
      return methods_of_loops::make(method, *machine_, dag(), graph_.context.data(), how,
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
    if (is_sampled()) return fill_tiles(*machine_, matrix_, cut_, given_.random, 1.0);
    machine_->copy_to_device(matrix_,
                             std::span<double const>(other_ == nullptr ? tiles_ : loaded_));
    if (has_product()) machine_->fill_bytes(product_, 0xff);
  }
  void fetch() override {
    if (is_sampled()) return;
    found_ = machine_->copy_to_host(has_product() ? product_ : matrix_);
  }
  double verify() override {
    if (is_sampled()) {
      hashes_.require(hashes_of(*machine_, matrix_, cut_.tiles()), cut_.tile_rows(),
                      cut_.tile_cols(), [&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
      return residual_;
    }
    std::vector<double> const got =
        is_by_columns() ? lud::transposed(cut_.rows, found_) : lud::from_tiles(cut_, found_);
    if (is_part()) {
      other_->check(cut_, scaled_, got);
      // Parts of a decomposition have no residual.
      return std::numeric_limits<double>::quiet_NaN();
    }
    checked_.require([&] { require_small(lud::residual(cut_.rows, given_.values, got)); }, found_);
    return residual_;
  }
  result_facts results() const override {
    if (!is_part()) return {};
    return {.flops = other_->flops(static_cast<double>(cut_.rows), cut_.tile)};
  }
  std::size_t bytes() const override { return matrix_.bytes() + inverses_.bytes(); }

 private:
  [[nodiscard]] bool is_sampled() const { return given_.values.empty(); }
  void require_small(double error) {
    residual_ = std::max(is_sampled() ? residual_ : 0, error);
    if (error < 30) return;
    std::ostringstream text;
    text << "|A - LU| / (n |A| eps) is " << error << ", expected below 30";
    throw wrong_result(text.str());
  }
  /// Compares a tile of the matrix with the product of its row of L and its column of U. As if all
  /// tiles of a row were alike, and with a lower bound of |A|.
  void check_tile(std::int64_t i, std::int64_t j) {
    auto const tile_at = [&](std::int64_t row, std::int64_t col) {
      return copied(*machine_, matrix_, cut_.begin(row, col), cut_.tile_cells());
    };
    // Sets the part of a diagonal tile that belongs to the other factor to that of an identity.
    auto const half = [&](std::vector<double> tile, bool lower) {
      for (int row = 0; row < cut_.tile; ++row) {
        for (int col = 0; col < cut_.tile; ++col) {
          double& value = tile[static_cast<std::size_t>(row * cut_.tile + col)];
          if (lower ? col >= row : col < row) value = row == col ? 1 : 0;
        }
      }
      return tile;
    };
    auto difference = window(cut_, i, j, 0).filled<double>(given_.random);
    for (std::int64_t k = 0; k <= std::min(i, j); ++k) {
      auto const left = k == i ? half(tile_at(i, k), true) : tile_at(i, k);
      auto const right = k == j ? half(tile_at(k, j), false) : tile_at(k, j);
      lud::subtract_product(cut_.tile, left, right, difference);
    }
    double largest = 0;
    for (int row = 0; row < cut_.tile; ++row) {
      double sum = 0;
      for (int col = 0; col < cut_.tile; ++col)
        sum += std::abs(difference[static_cast<std::size_t>(row * cut_.tile + col)]);
      // A comparison with NaN would hide it.
      largest = std::isfinite(sum) ? std::max(largest, sum) : sum;
    }
    auto const n = static_cast<double>(cut_.rows);
    require_small(largest * static_cast<double>(cut_.tile_rows()) /
                  (n / 2 * n * std::numeric_limits<double>::epsilon()));
  }
  [[nodiscard]] bool is_by_columns() const { return other_ != nullptr && other_->call != nullptr; }
  [[nodiscard]] bool is_part() const { return other_ != nullptr && other_->check != nullptr; }
  /// Whether the result is a product beside the matrix.
  [[nodiscard]] bool has_product() const { return is_part() && !other_->is_update; }
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
    return {matrix_.data(), inverses_.data(), static_cast<int>(cut_.tile_rows())};
  }
  template <class App>
  std::unique_ptr<executor> make(std::string_view method, execution_settings const& how,
                                 App const& app) {
    if (other_ == nullptr)
      return make_method(method, *machine_, dag(), graph_.context.data(), how, app);
    // The tasks `bmod` of the first step. They do not depend on each other.
    app_context<lud::task_data> updates;
    std::int64_t left = (cut_.tile_rows() - 1) * (cut_.tile_rows() - 1);
    for (std::uint32_t t = 0; left > 0; ++t) {
      if (dag().kernel_types[t] != lud::type_bmod) continue;
      updates.add_task(lud::type_bmod, graph_.context.data()[t]);
      --left;
    }
    updates.build_csr();
    return rival::barriers::make(*machine_, updates.dag(), updates.data(), how, app);
  }

  device* machine_;
  kernel_kind kernels_;
  lud::input const& given_;
  tiling cut_;
  std::vector<double> tiles_;
  /// The method of the last executor, if it is one of other_methods.
  other_method const* other_ = nullptr;
  std::vector<double> scaled_;
  /// The matrix that load() copies for other methods: by tiles or by columns.
  std::vector<double> loaded_;
  buffer<double> matrix_;
  buffer<double> product_;
  buffer<double> inverses_;
  inspected<lud::task_data> graph_;
  std::vector<double> found_;
  double residual_ = 0;
  checked_results<double> checked_;
  checked_hashes hashes_;
};

}  // namespace

std::unique_ptr<problem> make_lud(device& machine, lud::input const& given, int tile,
                                  kernel_kind kernels) {
  return std::make_unique<lud_problem>(machine, given, tile, kernels);
}

}  // namespace gridloom::juggler
