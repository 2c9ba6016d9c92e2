// The host side of the report's schedulers.

#include "tiled_qr/grid_memory.hpp"
#include "tiled_qr/one_launch.hpp"

namespace gridloom::tiled_qr {

namespace {

/// FR3 as in the report, whose scheduler has a warp, or one thread.
template <class T, int SchedulerThreads>
class two_kernels final : public scheduler<T> {
 public:
  explicit two_kernels(scheduler_setup const& setup) : setup_(setup), words_(setup) {}

  void reset() override { words_.reset(); }
  void run(run_state<T> const& state) override {
    launch_shape const workers{setup_.settings.blocks, setup_.settings.threads};
    for_tile(setup_.cut, [&]<int MaxTile>() {
      setup_.machine.launch_together({1, SchedulerThreads},
                                     scheduling_kernel<T>{state, words_.view()}, workers,
                                     execution_kernel<T, MaxTile>{state, words_.view()});
    });
  }
  [[nodiscard]] kernel_facts facts() const override {
    return for_tile(setup_.cut, [&]<int MaxTile>() {
      return setup_.machine.facts<execution_kernel<T, MaxTile>>(setup_.settings.threads);
    });
  }
  [[nodiscard]] std::size_t bytes() const override { return words_.bytes(); }

 private:
  scheduler_setup setup_;
  queue_memory words_;
};

template <class T>
std::unique_ptr<scheduler<T>> make_serial(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, serial_kernel, grid_memory>>(
      setup, launch_shape{1, setup.settings.threads});
}
template <class T>
std::unique_ptr<scheduler<T>> make_shared_grid(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, shared_grid_kernel, grid_memory>>(
      setup, launch_shape{setup.settings.blocks, setup.settings.threads});
}
template <class T, int SchedulerThreads>
std::unique_ptr<scheduler<T>> make_two_kernels(scheduler_setup const& setup) {
  return std::make_unique<two_kernels<T, SchedulerThreads>>(setup);
}

}  // namespace

constinit scheduling_kind const by::serial_kind{
    .in_float = make_serial<float>, .in_double = make_serial<double>, .one_worker = true};
constinit scheduling_kind const by::shared_kind{.in_float = make_shared_grid<float>,
                                                .in_double = make_shared_grid<double>};
constinit scheduling_kind const by::two_kernels_kind{.in_float = make_two_kernels<float, 32>,
                                                     .in_double = make_two_kernels<double, 32>,
                                                     .has_weight = true};
constinit scheduling_kind const by::one_thread_kind{.in_float = make_two_kernels<float, 1>,
                                                    .in_double = make_two_kernels<double, 1>,
                                                    .has_weight = true};

}  // namespace gridloom::tiled_qr
