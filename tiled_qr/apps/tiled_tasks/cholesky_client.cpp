#include "apps/tiled_tasks/cholesky.hpp"

#include <array>

#include "apps/tiled_tasks/client.hpp"
#include "check/residual.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "rivals/graph_executors.hpp"
#include "tiled_qr/device_matrix.hpp"

namespace gridloom::tiled_qr::general {

namespace {

using cholesky::place;

/// Adds the tasks step by step, and remembers which tasks write each tile.
class graph_builder {
 public:
  graph_builder(tiling const& cut, updates order)
      : p_(cut.p()), order_(order), writers_(std::size_t{p_} * p_), locks_(std::size_t{p_} * p_) {
    for (auto& lock : locks_) lock = graph_.add_resource();
    for (std::uint32_t k = 0; k < p_; ++k) {
      after_all(k, k, add(cholesky::potrf, {k, k, k}));
      for (std::uint32_t i = k + 1; i < p_; ++i) {
        task_id const solved = add(cholesky::trsm, {k, i, k});
        graph_.add_dependency(writers(k, k).back(), solved);
        after_all(i, k, solved);
      }
      for (std::uint32_t j = k + 1; j < p_; ++j) {
        for (std::uint32_t i = j; i < p_; ++i) update({k, i, j});
      }
    }
  }
  task_graph const& graph() const { return graph_; }

 private:
  std::vector<task_id>& writers(std::uint32_t i, std::uint32_t j) {
    return writers_[std::size_t{i} * p_ + j];
  }
  task_id add(cholesky::kind type, place const& at) {
    return graph_.add_task(static_cast<std::uint32_t>(type), at);
  }
  /// Adds the task that makes a tile final. It comes after all earlier writers of the tile.
  void after_all(std::uint32_t i, std::uint32_t j, task_id last) {
    for (task_id const before : writers(i, j)) graph_.add_dependency(before, last);
    writers(i, j) = {last};
  }
  /// Adds the update of tile (i, j) by the tiles (i, k) and (j, k).
  void update(place const& at) {
    task_id const task = add(at.i == at.j ? cholesky::syrk : cholesky::gemm, at);
    graph_.add_dependency(writers(at.i, at.k).back(), task);
    graph_.add_dependency(writers(at.j, at.k).back(), task);
    std::vector<task_id>& before = writers(at.i, at.j);
    if (order_ == updates::any_order) {
      graph_.uses(task, locks_[std::size_t{at.i} * p_ + at.j]);
    } else if (!before.empty()) {
      graph_.add_dependency(before.back(), task);
      before.clear();
    }
    before.push_back(task);
  }

  // Measured times have about these ratios. In thirds of b³ operations, the costs would be 1, 3, 3
  // and 6.
  task_graph graph_{{{"potrf", 2}, {"trsm", 3}, {"syrk", 3}, {"gemm", 6}}};
  std::uint32_t p_;
  updates order_;
  std::vector<std::vector<task_id>> writers_;
  std::vector<resource_id> locks_;
};

class cholesky_client final : public client {
 public:
  cholesky_client(device& machine, std::int64_t n, int tile, updates order, std::uint64_t seed)
      : machine_(&machine),
        cut_(make_tiling(n, n, tile)),
        values_(make_definite(n, seed)),
        matrix_(machine.allocate<double>(values_.size())),
        builder_(cut_, order) {}

  task_graph const& graph() const override { return builder_.graph(); }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph, execution how,
                                       executor_settings const& settings) override {
    if (cut_.tile <= 32)
      return make_executor(*machine_, graph, how, settings,
                           cholesky::body<double, 32>{matrix_.data(), cut_.rows, cut_});
    return make_executor(*machine_, graph, how, settings,
                         cholesky::body<double, largest_tile>{matrix_.data(), cut_.rows, cut_});
  }
  void load() override { machine_->copy_to_device(matrix_, std::span<double const>(values_)); }
  void fetch() override { factor_ = machine_->copy_to_host(matrix_); }
  double verify(int) override {
    double const residual = cholesky_residual(cut_.rows, values_, factor_);
    if (!(residual < 30)) {
      throw wrong_result("|A - LL'| / (|A| n eps) is " + shown(residual) + ", expected below 30");
    }
    return residual;
  }
  std::size_t bytes() const override { return matrix_.bytes(); }

 private:
  device* machine_;
  tiling cut_;
  std::vector<double> values_;
  buffer<double> matrix_;
  graph_builder builder_;
  std::vector<double> factor_;
};

}  // namespace

std::vector<double> make_definite(std::int64_t n, std::uint64_t seed) {
  random_source random(seed);
  auto const rows = static_cast<std::size_t>(n);
  std::vector<double> a(rows * rows);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = j; i < rows; ++i) a[j * rows + i] = a[i * rows + j] = random.unit() - 0.5;
    // The diagonal entry becomes larger than the sum of the other absolute values in its row.
    a[j * rows + j] += 0.5 * static_cast<double>(n) + 1;
  }
  return a;
}

std::unique_ptr<client> make_cholesky_client(device& machine, std::int64_t n, int tile,
                                             updates order, std::uint64_t seed) {
  return std::make_unique<cholesky_client>(machine, n, tile, order, seed);
}

}  // namespace gridloom::tiled_qr::general
