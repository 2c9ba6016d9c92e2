#pragma once
// The interface between class factorization and its schedulers.

#include <cstdint>
#include <memory>

#include "tiled_qr/factorization.hpp"
#include "tiled_qr/run_state.hpp"

namespace gridloom::tiled_qr {

/// Arguments of a scheduler's constructor. The device must outlive the scheduler.
struct scheduler_setup {
  device& machine;
  tiling cut;
  factorization_settings settings;
};

/// A scheduler that is prepared for one size. Used by one thread.
template <class T>
class scheduler {
 public:
  scheduler() = default;
  scheduler(scheduler const&) = delete;
  scheduler& operator=(scheduler const&) = delete;
  virtual ~scheduler() = default;

  /// Sets all words to their state at the start of a run.
  virtual void reset() = 0;
  /// Prepares runs with this state, for example by recording launches.
  virtual void prepare(run_state<T> const& /*state*/) {}
  /// Executes all tasks. Returns when all are done or launched.
  virtual void run(run_state<T> const& state) = 0;
  [[nodiscard]] virtual kernel_facts facts() const = 0;
  /// Bytes of the scheduler's memory on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Calls `body` with the tile size that kernels are compiled for: 32 if the tile fits, otherwise
/// largest_tile.
template <class Body>
decltype(auto) for_tile(tiling const& cut, Body&& body) {
  if (cut.tile <= 32) return body.template operator()<32>();
  return body.template operator()<largest_tile>();
}

// Host side of schedulers that launch one kernel. Included by sources that launch kernels.

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
