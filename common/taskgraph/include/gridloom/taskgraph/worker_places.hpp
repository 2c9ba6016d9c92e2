#pragma once
// Gives each block its worker number: the owner of the counts that worker_placing.hpp needs, and
// the device code that reads them.
//
// Rules:
// WP.R1. Worker numbers are distinct and below the number of blocks. The grid fills the device, so
//        each multiprocessor holds `blocks_each` of its blocks, and each block counts itself once.
// WP.R2. Counts are never reset. Each run adds `blocks_each` to every count, so modulo
//        `blocks_each` they are 0 when a run begins.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/multiprocessor.hpp"
#include "gridloom/taskgraph/worker_placing.hpp"

namespace gridloom {

/// View of the counts.
struct worker_places_ref {
  /// Number of blocks that began on each multiprocessor. Null if workers have their block's number.
  std::uint32_t* begun = nullptr;
  std::uint32_t multiprocessors = 0;
  std::uint32_t blocks_each = 0;
};

/// Owner of the counts. Used by one thread, for one run at a time.
class worker_places {
 public:
  using view = worker_places_ref;

  /// The grid has `workers` blocks; `resident` blocks of the kernel fit on the device at once.
  worker_places(device& machine, int workers, int resident, executor_settings const& settings)
      : begun_(machine.allocate<std::uint32_t>(
            static_cast<std::size_t>(machine.properties().multiprocessors))) {
    machine.fill_bytes(begun_, 0);
    if (machine.is_host() || workers != resident) return;
    placing_ = settings.placing;
    if (placing_ == worker_placing::blocks) return;
    auto const all = static_cast<std::uint32_t>(machine.properties().multiprocessors);
    ref_ = {begun_.data(), all, static_cast<std::uint32_t>(resident) / all};
  }
  [[nodiscard]] worker_places_ref ref() const { return ref_; }
  /// The numbering that this grid uses.
  [[nodiscard]] worker_placing placing() const { return placing_; }
  [[nodiscard]] std::string_view name() const { return name_of(placing_); }
  [[nodiscard]] std::size_t bytes() const { return begun_.bytes(); }

 private:
  buffer<std::uint32_t> begun_;
  worker_places_ref ref_;
  worker_placing placing_ = worker_placing::blocks;
};

/// A block whose index is its worker's number.
template <class Block>
class numbered : public Block {
 public:
  GRIDLOOM_FN numbered(Block const& block, int number) : Block(block), number_(number) {}
  [[nodiscard]] GRIDLOOM_FN int index() const { return number_; }

 private:
  int number_;
};

namespace detail {

/// The worker number of the calling block. Called by one thread.
template <class Block>
GRIDLOOM_FN int worker_of(Block const& block, worker_places_ref const& places) {
  if (places.begun == nullptr) return block.index();
  multiprocessor_number const here = this_multiprocessor();
  if (here.all != places.multiprocessors)
    // The number of multiprocessors is the same for all blocks, so all take this branch.
    return block.index();
  std::uint32_t const before = direct_memory{}.fetch_add_relaxed(places.begun + here.own, 1U);
  return static_cast<int>(
      worker_number(here.own, here.all, before, places.blocks_each));  // WP.R1, WP.R2
}

}  // namespace detail

/// The calling block as a worker. Called by all its threads; `shared` is in its shared memory.
template <class Block>
GRIDLOOM_FN numbered<Block> as_worker(Block const& block, worker_places_ref const& places,
                                      int& shared) {
  if (block.thread_rank() == 0) shared = detail::worker_of(block, places);
  block.sync();
  return {block, shared};
}

}  // namespace gridloom
