// The tiled QR as a client: the report's tasks, dependences and operations under the general
// scheduler.

#include "apps/tiled_tasks/client.hpp"
#include "inputs/families.hpp"
#include "rivals/graph_executors.hpp"
#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/execute.hpp"
#include "tiled_qr/factorization.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr::general {

namespace {

template <class T, int MaxTile>
struct qr_body {
  using scratch = tile_scratch<T, MaxTile>;

  tiled_matrix_ref<T> matrix;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& what, scratch& shared) const {
    execute_task(block, matrix, what.payload<task>(), shared);
  }
};

class qr_client final : public client {
 public:
  qr_client(device& machine, std::int64_t n, int tile, std::uint64_t seed)
      : machine_(&machine),
        cut_(make_tiling(n, n, tile)),
        values_(make_matrix<double>("random", n, n, seed)),
        matrix_(machine, cut_),
        graph_(qr_graph(cut_)) {}

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph, execution how,
                                       executor_settings const& settings) override {
    if (cut_.tile <= 32)
      return make_executor(*machine_, graph, how, settings, qr_body<double, 32>{matrix_.ref()});
    return make_executor(*machine_, graph, how, settings,
                         qr_body<double, largest_tile>{matrix_.ref()});
  }
  void load() override { matrix_.load(values_); }
  void fetch() override { factors_ = matrix_.fetch(); }
  double verify(int threads) override {
    std::vector<double> const expected = factors_by_grid(*machine_, cut_, values_, threads);
    for (std::size_t at = 0; at < expected.size(); ++at) {
      if (std::bit_cast<std::uint64_t>(expected[at]) == std::bit_cast<std::uint64_t>(factors_[at]))
        continue;
      auto const rows = static_cast<std::size_t>(cut_.rows);
      throw wrong_result("row " + std::to_string(at % rows) + ", column " +
                         std::to_string(at / rows) +
                         " of the factors differs from the result of FR1");
    }
    return 0;
  }
  std::size_t bytes() const override { return matrix_.bytes(); }

 private:
  device* machine_;
  tiling cut_;
  std::vector<double> values_;
  device_matrix<double> matrix_;
  task_graph graph_;
  std::vector<double> factors_;
};

}  // namespace

std::vector<double> factors_by_grid(device& machine, tiling const& cut,
                                    std::vector<double> const& values, int threads) {
  constexpr std::uint64_t many_tasks = 5000;
  factorization_settings settings;
  settings.how = count_tasks(cut) > many_tasks ? by::shared : by::serial;
  settings.blocks = machine.properties().multiprocessors;
  settings.threads = threads;
  device_matrix<double> matrix(machine, cut);
  matrix.load(values);
  factorization<double> grid(machine, cut, settings);
  grid.reset();
  grid.run(matrix.ref());
  grid.require_done();
  return matrix.fetch();
}

std::unique_ptr<client> make_qr_client(device& machine, std::int64_t n, int tile,
                                       std::uint64_t seed) {
  return std::make_unique<qr_client>(machine, n, tile, seed);
}

}  // namespace gridloom::tiled_qr::general
