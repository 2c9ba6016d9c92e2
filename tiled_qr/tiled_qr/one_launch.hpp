#pragma once
// Host side of schedulers that launch one kernel. Included by sources that launch kernels.

#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

/// A scheduler that launches one kernel. `Words` owns the memory of the kernel's view; it has
/// `reset()`, `view()` and `bytes()`.
template <class T, template <class, int> class Kernel, class Words>
class one_launch final : public scheduler<T> {
 public:
  one_launch(scheduler_setup const& setup, launch_shape shape)
      : setup_(setup), shape_(shape), words_(setup) {}

  void reset() override { words_.reset(); }
  void run(run_state<T> const& state) override {
    for_tile(setup_.cut, [&]<int MaxTile>() {
      setup_.machine.launch(shape_, Kernel<T, MaxTile>{state, words_.view()});
    });
  }
  [[nodiscard]] kernel_facts facts() const override {
    return for_tile(setup_.cut, [&]<int MaxTile>() {
      return setup_.machine.facts<Kernel<T, MaxTile>>(shape_.threads);
    });
  }
  [[nodiscard]] std::size_t bytes() const override { return words_.bytes(); }

 private:
  scheduler_setup setup_;
  launch_shape shape_;
  Words words_;
};

}  // namespace gridloom::tiled_qr
