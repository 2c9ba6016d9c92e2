#pragma once
// A kernel that executes tasks of one type and ends. Time-sliced kernels and the device controller
// launch it. Its tickets are kernel arguments, and meanwhile no other kernel takes tasks from the
// same queue.

#include <algorithm>
#include <cstdint>

#include "mhive/unit.hpp"

namespace gridloom::mhive {

/// Threads of a type kernel's block, which holds several workers or one large one.
template <class Type>
inline constexpr int type_kernel_threads = std::max(256, int{Type::worker_size});

/// Number of such blocks per multiprocessor for which the compiler must leave registers.
template <class Type>
inline constexpr int type_kernel_blocks = std::max(1, resident_threads<Type> /
                                                          type_kernel_threads<Type>);

/// Number of workers in such a block.
template <class Type>
inline constexpr int workers_of_block = type_kernel_threads<Type> / Type::worker_size;

/// Returns the number of blocks for `n` tasks. A block has one worker on the host, and
/// workers_of_block on a GPU.
template <class Type>
GRIDLOOM_FN constexpr std::uint32_t blocks_for(std::uint32_t n, bool on_host) {
  auto const workers = static_cast<std::uint32_t>(on_host ? 1 : workers_of_block<Type>);
  return (n + workers - 1) / workers;
}

/// Number of tasks that this number of blocks executes at once on a GPU.
template <class Type>
constexpr std::uint32_t tasks_for(int blocks) {
  return static_cast<std::uint32_t>(blocks) * workers_of_block<Type>;
}

/// Executes block `index`'s part of the tickets first .. first + n - 1, one ticket per worker. A
/// worker with several tickets would hold their slots in the ring while executing the first task,
/// and might then wait for room itself. Called by all threads of the block.
template <task_type Type, class Run, class Block, class Arena>
GRIDLOOM_FN void execute_in_block(Run const& run, Block const& block, Arena& arena,
                                  std::uint32_t first, std::uint32_t n, std::uint32_t index) {
  auto const unit = block.warp();
  int const unit_of_block = block.thread_rank() / unit.num_threads();
  if constexpr (units_of<Type, std::remove_const_t<decltype(unit)>> == 1) {
    auto const worker = unit.template part<threads_in_unit<Type>>();
    auto const workers = static_cast<std::uint32_t>(block.num_threads() / worker.num_threads());
    auto const mine = static_cast<std::uint32_t>(block.thread_rank() / worker.num_threads());
    int const worker_of_unit = unit.thread_rank() / worker.num_threads();
    auto& scratch = arena.template of<Type>(unit_of_block, worker_of_unit);
    std::uint32_t const i = index * workers + mine;
    if (i < n) execute_ticket<Type>(run, worker, scratch, first + i);
  } else {
    constexpr int size = units_of<Type, std::remove_const_t<decltype(unit)>>;
    auto const worker = block.template tile<size>();
    auto const workers = static_cast<std::uint32_t>(block.num_threads() / worker.num_threads());
    auto const mine = static_cast<std::uint32_t>(block.thread_rank() / worker.num_threads());
    auto& scratch = arena.template of<Type>(unit_of_block / size * size, 0);
    std::uint32_t const i = index * workers + mine;
    if (i < n) execute_ticket<Type>(run, worker, scratch, first + i);
  }
}

/// Executes tickets first .. first + n - 1 of the type. On a GPU the grid has a worker for each
/// ticket. On the host, the few workers take one ticket after the other.
template <class Run, class Type>
struct type_kernel {
  static constexpr int max_threads = type_kernel_threads<Type>;
  static constexpr bool persistent = false;
  using scratch = scratch_arena<phase_queue<phaseless<Type>>, max_threads / unit_threads>;

  Run run;
  std::uint32_t first;
  std::uint32_t n;

  // Producers without room wait until the head has passed the tickets that were given out, so the
  // head is raised here.
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& arena) const {
    direct_memory memory;
    auto const& queue = run.template queue_of<Type>();
    if (block.num_threads() == 1) {
      for (std::uint32_t ticket = 0; memory.load_relaxed(run.dog.stop) == 0 &&
                                     queue.take_before(memory, first + n, ticket);) {
        execute_in_block<Type>(run, block, arena, ticket, 1, 0);
      }
    } else {
      if (block.index() == 0 && block.thread_rank() == 0) queue.raise_head(memory, first + n);
      execute_in_block<Type>(run, block, arena, first, n,
                             static_cast<std::uint32_t>(block.index()));
    }
  }
};

}  // namespace gridloom::mhive
