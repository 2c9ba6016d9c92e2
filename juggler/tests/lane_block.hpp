#pragma once
// A block of several lanes on the host, with one thread per lane. It is slow, but lanes may
// interleave between two barriers as on a GPU. So ThreadSanitizer can check the code of lanes
// without a GPU.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "gridloom/group.hpp"

namespace gridloom::juggler::test {

struct lane_state_of_block {
  explicit lane_state_of_block(int threads_) : threads(threads_), all(threads_), slots(threads_) {
    for (int first = 0; first < threads; first += 32)
      warps.push_back(std::make_unique<std::barrier<>>(std::min(32, threads - first)));
  }
  int threads;
  std::barrier<> all;
  std::atomic<bool> any{false};
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::vector<std::uint64_t> slots;
};

class lane_warp {
 public:
  lane_warp(lane_state_of_block& block, int rank) : block_(&block), rank_(rank) {}
  int thread_rank() const { return rank_ % 32; }
  int num_threads() const { return std::min(32, block_->threads - first()); }
  int index() const { return rank_ / 32; }
  int count() const { return static_cast<int>(block_->warps.size()); }
  void sync() const { block_->warps[static_cast<std::size_t>(index())]->arrive_and_wait(); }
  void pause(unsigned) const {}
  template <class T>
  T shuffle(T value, int from) const {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::memcpy(&slot(rank_), &value, sizeof(T));
    sync();
    T found;
    std::memcpy(&found, &slot(first() + from), sizeof(T));
    sync();
    return found;
  }
  std::uint32_t ballot(bool p) const {
    slot(rank_) = p ? 1U : 0U;
    sync();
    std::uint32_t found = 0;
    for (int lane = 0; lane < num_threads(); ++lane)
      found |= static_cast<std::uint32_t>(slot(first() + lane)) << static_cast<unsigned>(lane);
    sync();
    return found;
  }
  bool any(bool p) const { return ballot(p) != 0; }

 private:
  int first() const { return rank_ / 32 * 32; }
  std::uint64_t& slot(int rank) const { return block_->slots[static_cast<std::size_t>(rank)]; }

  lane_state_of_block* block_;
  int rank_;
};

class lane_block {
 public:
  lane_block(lane_state_of_block& block, int rank) : block_(&block), rank_(rank) {}
  int thread_rank() const { return rank_; }
  int num_threads() const { return block_->threads; }
  int index() const { return 0; }
  int count() const { return 1; }
  void sync() const { block_->all.arrive_and_wait(); }
  bool any(bool p) const {
    if (p) block_->any.store(true);
    sync();
    bool const found = block_->any.load();
    sync();
    if (rank_ == 0) block_->any.store(false);
    sync();
    return found;
  }
  void pause(unsigned) const {}
  lane_warp warp() const { return {*block_, rank_}; }

 private:
  lane_state_of_block* block_;
  int rank_;
};

static_assert(thread_group<lane_block> && warp_group<lane_warp>);

/// Calls body(block) on this number of threads.
template <class Body>
void on_lanes(int threads, Body const& body) {
  lane_state_of_block shared(threads);
  std::vector<std::jthread> all;
  for (int rank = 0; rank < threads; ++rank)
    all.emplace_back([&shared, &body, rank] { body(lane_block(shared, rank)); });
}

}  // namespace gridloom::juggler::test
