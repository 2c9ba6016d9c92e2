#include "ours/in_block.hpp"

#include <bit>
#include <string>

#include "ours/schedulers.hpp"
#include "tiled_qr/one_launch.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Owns the cells, and the queues of ready tasks.
class atomic_grid_memory {
 public:
  explicit atomic_grid_memory(scheduler_setup const& setup)
      : machine_(setup.machine),
        cut_(setup.cut),
        order_(setup.settings.order),
        log_capacity_(static_cast<std::uint32_t>(std::bit_width(cut_.tiles() - 1))),
        cells_(machine_.allocate<std::uint64_t>(cut_.tiles())),
        words_(machine_.allocate<fifo_words>(queues())),
        slots_(machine_.allocate<std::uint64_t>(queues() << log_capacity_)) {}

  void reset() {
    machine_.fill_bytes(cells_, 0);
    machine_.fill_bytes(words_, 0);
    machine_.fill_bytes(slots_, 0);
  }
  [[nodiscard]] in_block_view view() const {
    in_block_view of{{cells_.data(), cut_}, {}, order_};
    for (std::size_t queue = 0; queue < queues(); ++queue)
      of.queues[queue] = {words_.data() + queue, slots_.data() + (queue << log_capacity_),
                          log_capacity_};
    return of;
  }
  [[nodiscard]] std::size_t bytes() const {
    return cells_.bytes() + words_.bytes() + slots_.bytes();
  }

 private:
  [[nodiscard]] std::size_t queues() const { return order_ == priority::fifo ? 1 : 2; }

  device& machine_;
  tiling cut_;
  priority order_;
  std::uint32_t log_capacity_;
  buffer<std::uint64_t> cells_;
  buffer<fifo_words> words_;
  buffer<std::uint64_t> slots_;
};

template <class T>
std::unique_ptr<scheduler<T>> make_in_block(scheduler_setup const& setup) {
  int const blocks = setup.settings.blocks;
  int const threads = setup.settings.threads;
  if (!setup.machine.is_host() && threads != in_block_threads)
    throw usage_error("--threads: expected " + std::to_string(in_block_threads) +
                      " threads that execute tasks, besides the warp that schedules; got " +
                      std::to_string(threads));
  return std::make_unique<one_launch<T, in_block_kernel, atomic_grid_memory>>(
      setup, launch_shape{blocks, setup.machine.is_host() ? threads : 2 * threads});
}

}  // namespace

constinit scheduling_kind const by::in_block_kind{.in_float = make_in_block<float>,
                                                  .in_double = make_in_block<double>};

}  // namespace gridloom::tiled_qr
