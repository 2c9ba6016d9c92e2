#pragma once
// Host side of the ticket queue: the words of a run, and the kernel with any body. Only sources
// that launch kernels include this header.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gridloom/each.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/ours/ticket_queue.hpp"

namespace gridloom::wavefront {

// The two kernels of ticket_queue: one task per lane, and one task per block.

/// One task per lane.
template <task_graph Graph, class Probe, class Body>
struct ticket_queue_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  ticket_queue_ref<Graph> shared;
  Body body;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index(), body.takes_long());
    thread_of_one const self(0, 1);
    ticket_worker<Graph, Probe, decltype(block.warp())> worker(shared, warp, probe, patience,
                                                               shared.orders_memory);
    while (worker.advance()) {
      std::uint32_t const task = worker.task();
      if (task == no_task) continue;
      probe.begin(task);
      body(self, shared.graph, task);
      probe.end(task);
    }
    probe.flush();
  }
};

/// One task per block: the first thread of the block schedules, all threads execute.
template <task_graph Graph, class Probe, block_body Body>
struct ticket_queue_block_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  struct scratch : Body::scratch {
    std::uint32_t task;
  };

  ticket_queue_ref<Graph> shared;
  Body body;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    ticket_worker<Graph, Probe, thread_of_one> worker(shared, block.leader(), probe, patience,
                                                      shared.orders_memory);
    for (;;) {
      if (block.thread_rank() == 0) local.task = worker.advance() ? worker.task() : no_task;
      block.sync();
      std::uint32_t const task = local.task;
      if (task == no_task) break;
      if (block.thread_rank() == 0) probe.begin(task);
      body(block, shared.graph, task, local);
      block.sync();
      if (block.thread_rank() == 0) probe.end(task);
    }
    if (block.thread_rank() == 0) probe.flush();
  }
};

/// The state of a ticket queue on one graph. `Graph` is the graph's type in kernels. A packed_dag is
/// made here.
template <class Graph>
class ticket_queue_state {
 public:
  /// `memory` has counters and words. All arguments must outlive this object. `units` is the number
  /// of scheduling threads, each of which can have a push under way. `slots` is the capacity of the
  /// ring, a power of two; 0 derives it from the graph.
  ticket_queue_state(device& machine, device_graph const& graph, workspace& memory,
                     std::uint32_t units, std::uint32_t slots = 0)
      : machine_(&machine),
        memory_(&memory),
        units_(units),
        graph_(in_kernels(graph)),
        holds_all_(capacity_for(graph, units, slots) >= graph.width_bound()),
        ring_words_(machine.allocate<mpmc_ring_words>(1)),
        slots_(machine.allocate<mpmc_ring_ref::slot>(capacity_for(graph, units, slots))) {
    for (std::uint32_t i = 0; i < capacity(); ++i)
      first_slots_.push_back(mpmc_ring_ref::empty_slot(i, capacity()));
    first_words_.parked = static_cast<std::uint32_t>(graph.entries().size());
  }

  void reset() {
    count_dependencies(*machine_, graph_, *memory_, parked_mark);
    machine_->copy_to_device(memory_->words, std::span<scheduler_words const>(&first_words_, 1));
    machine_->fill_bytes(ring_words_, 0);
    machine_->copy_to_device(slots_, std::span<mpmc_ring_ref::slot const>(first_slots_));
  }
  [[nodiscard]] std::uint64_t finished() const {
    return machine_->copy_to_host(memory_->words)[0].finished;
  }
  [[nodiscard]] std::size_t bytes() const {
    return memory_->dependencies.bytes() + memory_->words.bytes() + packed_.bytes() +
           ring_words_.bytes() + slots_.bytes();
  }
  /// `orders_memory`: whether tasks may exchange data through memory.
  [[nodiscard]] ticket_queue_ref<Graph> ref(bool orders_memory) const {
    return {graph_,
            memory_->dependencies.data(),
            {ring_words_.data(), slots_.data(), capacity()},
            holds_all_,
            units_,
            memory_->words.data(),
            orders_memory};
  }
  /// Returns visit(kernel) for the kernel with one task per block.
  template <class Probe, class Body, class Visit>
  auto with_kernel(Body const& body, watchdog_ref dog, probe_ref const& observer,
                   Visit const& visit, bool orders_memory = true) const {
    return visit(
        ticket_queue_block_kernel<Graph, Probe, Body>{ref(orders_memory), body, dog, observer});
  }

 private:
  [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(slots_.size()); }
  /// Room for all tasks that can be ready at once, if they are known to be few. Otherwise at most
  /// two bytes per task, since a task that finds no room is parked. In any case there is room for
  /// four pushes of every scheduling thread, or a push might never find room.
  static std::uint32_t capacity_for(device_graph const& graph, std::uint32_t units,
                                    std::uint32_t slots) {
    if (slots != 0) return slots;
    std::uint32_t const bound = graph.width_bound();
    if (graph.is_lattice() && bound <= graph.tasks() / 8) return std::bit_ceil(std::max(2U, bound));
    return std::bit_ceil(std::max(4 * units, std::min(bound, graph.tasks() / 8)));
  }
  Graph in_kernels(device_graph const& graph) {
    if constexpr (std::is_same_v<Graph, packed_dag>) {
      auto const rows = std::get<dag_ref>(graph.view());
      packed_ = machine_->allocate<packed_successors>(rows.tasks());
      bool const host = machine_->is_host();
      machine_->launch({host ? 1 : 4 * machine_->properties().multiprocessors, host ? 1 : 256},
                       each(rows.tasks(), pack_successors{rows, packed_.data()}));
      return {rows, packed_.data()};
    } else {
      return std::get<Graph>(graph.view());
    }
  }

  device* machine_;
  workspace* memory_;
  std::uint32_t units_;
  /// The array that a packed graph refers to.
  buffer<packed_successors> packed_;
  Graph graph_;
  bool holds_all_;
  buffer<mpmc_ring_words> ring_words_;
  buffer<mpmc_ring_ref::slot> slots_;
  std::vector<mpmc_ring_ref::slot> first_slots_;
  scheduler_words first_words_{};
};

}  // namespace gridloom::wavefront
