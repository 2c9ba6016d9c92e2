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

}  // namespace gridloom::tiled_qr
