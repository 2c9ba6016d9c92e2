// The rival of FR2, on the host only: the same operations as OpenMP tasks with `depend`, created in
// the order of Algorithm 2. The compiler's runtime schedules them.

#include <omp.h>

#include <string>

#include "rivals/schedulers.hpp"
#include "tiled_qr/scheduler.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class T>
class omp_tasks final : public scheduler<T> {
 public:
  explicit omp_tasks(scheduler_setup const& setup)
      : cut_(setup.cut),
        workers_(setup.settings.blocks),
        marks_(setup.cut.tiles() + setup.cut.steps()),
        own_(static_cast<std::size_t>(workers_)) {}

  void reset() override {}
  void run(run_state<T> const& state) override {
    for_tile(cut_, [&]<int MaxTile>() { run_all<MaxTile>(state); });
  }
  [[nodiscard]] kernel_facts facts() const override { return {}; }
  [[nodiscard]] std::size_t bytes() const override { return marks_.size(); }

 private:
  template <int MaxTile>
  void run_all(run_state<T> const& state) {
#pragma omp parallel num_threads(workers_)
    {
      tile_scratch<T, MaxTile>* const scratch = new tile_scratch<T, MaxTile>;
      int const self = omp_get_thread_num();
      watch patience(state.dog, self, true);
      own_[static_cast<std::size_t>(self)] = {scratch, 0, &patience};
#pragma omp barrier
#pragma omp single
      for (std::uint64_t number = 0; number < state.tasks; ++number) {
        // The time limit also covers the creation of tasks.
        direct_memory words;
        if (own_[static_cast<std::size_t>(omp_get_thread_num())].patience->stop(
                words, wait_kind::own_work, 0, number, state.tasks))
          break;
        task const what = task_at(cut_, number);
        auto const [own, top, left] = data_of(what);
#pragma omp task depend(inout : *own, *top) depend(in : *left) firstprivate(what)
        {
          auto const worker = omp_get_thread_num();
          thread_state& here = own_[static_cast<std::size_t>(worker)];
          direct_memory memory;
          if (!here.patience->stop(memory, wait_kind::own_work, 0, here.executed, state.tasks)) {
            state.execute(host_block(worker, workers_, nullptr), worker, what,
                          *static_cast<tile_scratch<T, MaxTile>*>(here.scratch));
            ++here.executed;
          }
        }
      }
      delete scratch;
    }
    for (thread_state const& here : own_) state.words->finished += here.executed;
  }

  /// Addresses for a task's `depend` clauses: it changes `own` and `top`, and reads `left`. A task
  /// with fewer dependences repeats its own tile.
  struct task_data {
    char* own;
    char* top;
    char* left;
  };
  task_data data_of(task const& what) {
    auto const [k, i, j] = what;
    auto const tile = [&](std::uint32_t row, std::uint32_t col) {
      return marks_.data() + std::uint64_t{row} * cut_.q() + col;
    };
    // DLARFB reads the vectors of the diagonal tile while DTSQT2 changes the tile's triangle, so
    // the two parts have different addresses.
    char* const triangle = marks_.data() + cut_.tiles() + k;
    return {tile(i, j), j == k ? triangle : tile(k, j), j == k ? tile(i, j) : tile(i, k)};
  }

  struct alignas(line_bytes) thread_state {
    void* scratch = nullptr;
    std::uint64_t executed = 0;
    watch* patience = nullptr;
  };

  tiling cut_;
  int workers_;
  /// The addresses of its elements stand for data in `depend`: one per tile, and one per triangle
  /// on the diagonal.
  std::vector<char> marks_;
  std::vector<thread_state> own_;
};

template <class T>
std::unique_ptr<scheduler<T>> make_omp_tasks(scheduler_setup const& setup) {
  if (!setup.machine.is_host())
    throw unsupported("OpenMP's tasks run on the host, --backend host; this is " +
                      setup.machine.properties().backend);
  if (setup.settings.blocks > host_backend::max_workers)
    throw grid_error(std::to_string(setup.settings.blocks) + " threads; the host has at most " +
                     std::to_string(host_backend::max_workers));
  return std::make_unique<omp_tasks<T>>(setup);
}

}  // namespace

constinit scheduling_kind const by::omp_tasks_kind{
    .in_float = make_omp_tasks<float>, .in_double = make_omp_tasks<double>, .waits_inside = false};

}  // namespace gridloom::tiled_qr
