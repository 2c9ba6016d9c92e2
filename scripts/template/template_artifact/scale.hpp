#pragma once
// The first paragraph of a header says what it is, why this method, and the section of the source.
// The template multiplies a vector by a number in two ways: by one launch that covers it, and by
// workers that stay and claim chunks of it, as a scheduler's workers claim tasks.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::template_artifact {

/// values[i] *= factor for i below n.
struct scale_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  double* values;
  std::uint32_t n;
  double factor;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const me = block.thread();
    for (auto i = static_cast<std::uint32_t>(me.index()); i < n;
         i += static_cast<std::uint32_t>(me.count())) {
      values[i] *= factor;
    }
  }
};

/// Scales by chunks: a worker claims the next chunk until there is none. `*next` begins at 0.
struct claim_kernel {
  struct scratch {
    std::uint32_t chunk;
  };
  static constexpr bool persistent = true;
  static constexpr std::uint32_t chunk_size = 4096;

  double* values;
  std::uint32_t n;
  double factor;
  std::uint32_t* next;
  watchdog_ref dog;
  trace_ref trace;

  GRIDLOOM_FN static std::uint32_t chunks_of(std::uint32_t n) {
    return n / chunk_size + (n % chunk_size != 0 ? 1U : 0U);
  }
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index(), true);
    bool const leads = block.thread_rank() == 0;
    for (;;) {
      if (leads) {
        bool const stopped = patience.stop(memory, wait_kind::own_work, 0, 0, 0);
        shared.chunk = stopped ? chunks_of(n) : memory.fetch_add_relaxed(next, 1U);
      }
      block.sync();
      std::uint32_t const chunk = shared.chunk;
      if (chunk >= chunks_of(n)) return;
      std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
      std::uint32_t const begin = chunk * chunk_size;
      std::uint32_t const end = n - begin < chunk_size ? n : begin + chunk_size;
      for (auto i = begin + static_cast<std::uint32_t>(block.thread_rank()); i < end;
           i += static_cast<std::uint32_t>(block.num_threads())) {
        values[i] *= factor;
      }
      block.sync();
      if (leads && trace.on()) trace.record(block.index(), {chunk, 0, begin_ns, now_ns()});
    }
  }
};

/// Host side: a vector on the machine, and both ways to scale it. Used by one thread.
class scaler {
 public:
  scaler(device& machine, std::size_t n, launch_shape shape, double timeout_s);

  [[nodiscard]] int workers() const { return shape_.blocks; }
  /// `values` has the length of the vector.
  void load(std::span<double const> values) { machine_.copy_to_device(values_, values); }
  [[nodiscard]] std::vector<double> values() const { return machine_.copy_to_host(values_); }
  void scale(double factor);
  /// A trace must have room for workers().
  void scale_by_claims(double factor, trace_ref trace = {});
  /// Throws timeout_error if the watchdog stopped the last run by claims, with what each worker
  /// waited for. The vector is then scaled in part.
  void require_done() { dog_.require_in_time("scaling by claims"); }

 private:
  device& machine_;
  launch_shape shape_;
  buffer<double> values_;
  buffer<std::uint32_t> next_;
  watchdog dog_;
};

}  // namespace gridloom::template_artifact
