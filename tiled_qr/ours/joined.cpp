// FR3 of the report in one launch, whose block 0 is the scheduler. It works where kernels do not
// run at the same time, for example under a tool that serialises launches.

#include "ours/schedulers.hpp"
#include "tiled_qr/grid_memory.hpp"
#include "tiled_qr/one_launch.hpp"

namespace gridloom::tiled_qr {
namespace {

template <class T, int MaxTile>
struct joined_kernel {
  using scratch = worker_scratch<T, MaxTile>;
  static constexpr bool persistent = true;

  run_state<T> state;
  scheduler_view queues;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (block.index() == 0) {
      auto const warp = block.warp();
      if (warp.index() == 0) grid_scheduler(state, queues, warp).run();
      return;
    }
    queue_asker<T> asker(state, queues, block.index());
    execute_tasks(block, block.index(), state, asker, shared);
  }
};

template <class T>
std::unique_ptr<scheduler<T>> make_joined(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, joined_kernel, queue_memory>>(
      setup, launch_shape{setup.settings.blocks + 1, setup.settings.threads});
}

}  // namespace

constinit scheduling_kind const by::joined_kind{
    .in_float = make_joined<float>, .in_double = make_joined<double>, .has_weight = true};

}  // namespace gridloom::tiled_qr
