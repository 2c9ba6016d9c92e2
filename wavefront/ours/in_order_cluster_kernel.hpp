#pragma once
// The kernel of in_order_cluster: like in_order_kernel, but all blocks form one cluster, and
// results go through rings in shared memory (result_ring.hpp).

#include "wavefront/ours/in_order_kernels.hpp"
#include "wavefront/ours/ring_worker.hpp"

namespace gridloom::wavefront {

/// A ring of 8192 slots (64 KiB) per block. In most graphs with narrow levels, fewer tasks lie
/// between a task and its predecessors. After 256 turns without success, a lane also looks in
/// memory. Waits are much shorter in graphs for which a cluster is useful.
using cluster_ring = result_ring<8192, 256>;

template <task_order Order, class Probe, class Body>
struct in_order_cluster_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_in_order_lanes;
  struct scratch {
    ring_slot ring[cluster_ring::slots];
    /// The copies of each warp.
    copies_of<Order> copies[(max_threads + 31) / 32];
  };

  in_order_ref<Order> shared;
  Body body;
  /// Array of one number per warp: the tasks that it executed.
  std::uint32_t* executed;
  /// The rings on the host, where blocks have no shared memory.
  ring_slot* rings;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    ring_slot* const ring = own_part(block, local.ring, rings, cluster_ring::slots);
    for (auto k = static_cast<std::uint32_t>(block.thread_rank()); k < cluster_ring::slots;
         k += static_cast<std::uint32_t>(block.num_threads()))
      ring[k] = 0;
    cluster_sync(block);  // RR.R1 of result_ring.hpp
    auto const warp = block.warp();
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index(), body.takes_long());
    ring_worker<Order, Probe, decltype(block.warp()), cluster_ring> worker(
        shared, warp, probe, patience, {kept(warp, ring), block.index(), block.count()},
        local.copies[block.thread_rank() / 32]);
    run_in_order(worker, body);
    count_executed(worker, warp, probe, executed);
    probe.flush();
    cluster_sync(block);  // RR.R3 of result_ring.hpp
  }
};

}  // namespace gridloom::wavefront
