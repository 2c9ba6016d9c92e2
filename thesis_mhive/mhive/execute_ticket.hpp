#pragma once
// Executes one task, by the worker that got its ticket. All schedulers use this code.

#include <cstdint>
#include <type_traits>

#include "mhive/context.hpp"
#include "mhive/deadline.hpp"

namespace gridloom::mhive {

/// Waits for the item of a claimed ticket, and reads it. Returns false if the run was stopped.
/// Threads of a worker may call it separately; each then sees what the task's producer wrote.
template <task_type Type, class Run, class Group>
[[nodiscard]] GRIDLOOM_FN bool await(Run const& run, Group const& group, std::uint32_t ticket,
                                     typename Type::work_item& item) {
  direct_memory memory;
  auto const& queue = run.template queue_of<Type>();
  for (unsigned attempt = 0; !queue.get(memory, ticket, item); ++attempt) {
    if ((attempt & 63U) == 63U && memory.load_relaxed(run.dog.stop) != 0) return false;
    group.pause(attempt);
  }
  return true;
}

/// Returns the task's row in a trace: the number of the warp that executes it, or of the first of
/// several warps.
template <class Worker>
GRIDLOOM_FN int trace_row(Worker const& worker) {
  if constexpr (std::is_base_of_v<thread_of_one, Worker>) {
    return worker.index();
  } else {
    // Each part of a warp has a number of its own, which is converted to the warp's.
    int const threads = worker.warp().num_threads();
    return worker.warp().index() * threads / 32;
  }
}

/// Executes the task of a claimed ticket. Executes nothing if the run was stopped or the task was
/// dropped. Called by all threads of the worker, which are synchronised on return.
template <task_type Type, class Run, class Worker, class Scratch>
GRIDLOOM_FN void execute_ticket(Run const& run, Worker const& worker, Scratch& scratch,
                                std::uint32_t ticket) {
  direct_memory memory;
  auto const& queue = run.template queue_of<Type>();
  bool const first = worker.thread_rank() == 0;
  typename Type::work_item item;
  bool gone = !await<Type>(run, worker, ticket, item);
  if constexpr (!Run::counts_tasks) {
    if (run.deadline_ns != 0 && first) gone |= past(memory, run.deadline_ns, run.dog);
  }
  // The item stays in its slot, where the run's report counts it.
  if (worker.any(gone)) return;
  if constexpr (is_clearable<Type>) gone = first && queue.dropped(memory, ticket);
  // A vote does not order the other threads' reads before the slot is freed, so a barrier does.
  worker.sync();
  if (first) queue.free(memory, ticket, item);
  if constexpr (is_clearable<Type>) {
    if (worker.any(gone)) return;
  }
  std::uint64_t const begin = run.trace.on() && first ? now_ns() : 0;
  context<Run, Worker, Scratch> seen{run, worker, scratch};
  Type::execute(seen, item);
  worker.sync();
  if (run.trace.on() && first) {
    constexpr int type = Run::queue_type::template index_of<Type>();
    run.trace.record_among(trace_row(worker), {ticket, std::uint32_t{type}, begin, now_ns()});
  }
}

}  // namespace gridloom::mhive
