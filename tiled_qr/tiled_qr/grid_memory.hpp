#pragma once
// Owners of the device memory that the report's schedulers use.

#include <bit>
#include <cmath>

#include "tiled_qr/grid_scheduler.hpp"
#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

/// Owns the grid, its ready tasks and its words.
class grid_memory {
 public:
  explicit grid_memory(scheduler_setup const& setup)
      : machine_(setup.machine),
        cut_(setup.cut),
        order_(setup.settings.order),
        cells_(machine_.allocate<std::uint32_t>(cut_.tiles())),
        ready_(machine_.allocate<std::uint32_t>(2 * cut_.tiles())),
        words_(machine_.allocate<grid_words>(1)) {}

  void reset() {
    machine_.fill_bytes(cells_, 0);
    machine_.fill_bytes(words_, 0);
  }
  [[nodiscard]] grid_view view() const {
    grid_words* const words = words_.data();
    auto const tiles = static_cast<std::uint32_t>(cut_.tiles());
    return {{cells_.data(), cut_}, {&words->lists, ready_.data(), tiles, order_}, words};
  }
  [[nodiscard]] std::size_t bytes() const {
    return cells_.bytes() + ready_.bytes() + words_.bytes();
  }

 private:
  device& machine_;
  tiling cut_;
  priority order_;
  buffer<std::uint32_t> cells_;
  buffer<std::uint32_t> ready_;
  buffer<grid_words> words_;
};

/// Owns the grid and the queues of FR3.
class queue_memory {
 public:
  explicit queue_memory(scheduler_setup const& setup)
      : machine_(setup.machine),
        settings_(setup.settings),
        grid_(setup),
        // A block reports one task at a time, so one place per block is enough.
        log_finished_(static_cast<std::uint32_t>(std::bit_width(blocks()))),
        queue_words_(machine_.allocate<fifo_words>(blocks() + 1)),
        ready_slots_(machine_.allocate<std::uint64_t>(blocks() * settings_.queue_slots)),
        finished_slots_(machine_.allocate<std::uint64_t>(std::size_t{1} << log_finished_)),
        accounts_(machine_.allocate<block_account>(blocks())) {}

  void reset() {
    grid_.reset();
    machine_.fill_bytes(queue_words_, 0);
    machine_.fill_bytes(ready_slots_, 0);
    machine_.fill_bytes(finished_slots_, 0);
    machine_.fill_bytes(accounts_, 0);
  }
  [[nodiscard]] scheduler_view view() const {
    return {grid_.view(),
            queue_words_.data(),
            ready_slots_.data(),
            static_cast<std::uint32_t>(std::countr_zero(settings_.queue_slots)),
            static_cast<std::uint32_t>(blocks()),
            {queue_words_.data() + blocks(), finished_slots_.data(), log_finished_},
            static_cast<std::uint32_t>(std::lround(settings_.double_weight * parts_of_single)),
            accounts_.data()};
  }
  [[nodiscard]] std::size_t bytes() const {
    return grid_.bytes() + queue_words_.bytes() + ready_slots_.bytes() + finished_slots_.bytes() +
           accounts_.bytes();
  }

 private:
  [[nodiscard]] std::size_t blocks() const { return static_cast<std::size_t>(settings_.blocks); }

  device& machine_;
  factorization_settings settings_;
  grid_memory grid_;
  std::uint32_t log_finished_;
  buffer<fifo_words> queue_words_;
  buffer<std::uint64_t> ready_slots_;
  buffer<std::uint64_t> finished_slots_;
  buffer<block_account> accounts_;
};

}  // namespace gridloom::tiled_qr
