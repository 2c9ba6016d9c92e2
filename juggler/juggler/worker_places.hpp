#pragma once
// Which worker a block is. Where a persistent grid fills a GPU, blocks with numbers near each other are
// often on one multiprocessor: an H200 fills eight of its 132 before it comes to the others, so the
// workers of one wave would share some and leave others idle. So workers are numbered across the
// multiprocessors: the first blocks of all of them, then the second ones.
//
// Rules:
// N1. Numbers are distinct and below the number of blocks. The grid is as large as fits, so each
//     multiprocessor has `blocks_each` of its blocks at once, and each of these counts itself once.
// N2. Counts are not reset: a run adds `blocks_each` to each, so they stand for 0 when it begins.
// In any other grid, and on a host, a worker's number is its block's.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"

namespace gridloom::juggler {

/// View of the counts.
struct worker_places_ref {
  /// Blocks that began, one a multiprocessor; null: numbers are those of blocks.
  std::uint32_t* begun = nullptr;
  std::uint32_t multiprocessors = 0;
  std::uint32_t blocks_each = 0;
};

/// Owner of the counts. Used by one thread, by one run at a time.
class worker_places {
 public:
  /// Of a kernel's grid of `workers` blocks, of which `resident` fit at once.
  worker_places(device& machine, int workers, int resident)
      : begun_(machine.allocate<std::uint32_t>(
            static_cast<std::size_t>(machine.properties().multiprocessors))) {
    int const each = resident / machine.properties().multiprocessors;
    machine.fill_bytes(begun_, 0);
    if (machine.is_host() || workers != resident || each < 2) return;
    ref_ = {begun_.data(), static_cast<std::uint32_t>(machine.properties().multiprocessors),
            static_cast<std::uint32_t>(each)};
  }
  [[nodiscard]] worker_places_ref ref() const { return ref_; }
  [[nodiscard]] std::size_t bytes() const { return begun_.bytes(); }

 private:
  buffer<std::uint32_t> begun_;
  worker_places_ref ref_;
};

/// A block with a worker's number.
template <class Block>
class numbered : public Block {
 public:
  GRIDLOOM_FN numbered(Block const& block, int number) : Block(block), number_(number) {}
  [[nodiscard]] GRIDLOOM_FN int index() const { return number_; }

 private:
  int number_;
};

namespace detail {

/// The calling block's number. By one thread.
template <class Block>
GRIDLOOM_FN int worker_of(Block const& block, worker_places_ref const& places) {
#if defined(__CUDA_ARCH__)
  std::uint32_t own = 0, all = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(own));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(all));
  if (places.begun != nullptr && all == places.multiprocessors) {
    std::uint32_t const before = direct_memory{}.fetch_add_relaxed(places.begun + own, 1U);
    return static_cast<int>(before % places.blocks_each * all + own);  // N1, N2
  }
#endif
  static_cast<void>(places);
  return block.index();
}

}  // namespace detail

/// The calling block as a worker, by all its threads; `shared` is a word of theirs.
template <class Block>
GRIDLOOM_FN numbered<Block> as_worker(Block const& block, worker_places_ref const& places,
                                      int& shared) {
  if (block.thread_rank() == 0) shared = detail::worker_of(block, places);
  block.sync();
  return {block, shared};
}

}  // namespace gridloom::juggler
