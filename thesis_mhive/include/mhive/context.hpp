#pragma once
// What a task sees: its worker, its scratch, the application's data, and the queues.

#include <cstdint>

#include "mhive/run_ref.hpp"

namespace gridloom::mhive {

/// Handed to `execute`. `Run` is a run_ref, `Worker` a thread_group.
template <class Run, class Worker, class Scratch>
class context {
 public:
  GRIDLOOM_FN context(Run const& run, Worker const& worker, Scratch& scratch)
      : run_(run), worker_(worker), scratch_(scratch) {}

  /// The threads that execute the task together.
  GRIDLOOM_FN Worker const& worker() const { return worker_; }
  GRIDLOOM_FN typename Run::data_type const& data() const { return run_.data; }
  /// Shared memory of this worker, not initialised.
  GRIDLOOM_FN Scratch& scratch() const { return scratch_; }

  /// Enqueues one task. Called by any one thread of the worker. What the thread wrote before, the
  /// new task sees. A full queue stops the run with an error.
  template <task_type Type>
  GRIDLOOM_FN void enqueue(typename Type::work_item const& item) const {
    direct_memory memory;
    run_.control.raise(memory, phase_of<Type>, 1);
    std::uint32_t const ticket = run_.template queue_of<Type>().reserve(memory, 1);
    static_cast<void>(run_.template put<Type>(memory, ticket, item));
  }

  /// Enqueues the items of all threads that have one, with one reservation a warp. Called by all
  /// threads of the worker.
  template <task_type Type>
  GRIDLOOM_FN void enqueue_each(bool has, typename Type::work_item const& item) const {
    auto const warp = worker_.warp();
    direct_memory memory;
    std::uint32_t const givers = warp.ballot(has);
    if (givers == 0) return;
    std::uint32_t first = 0;
    if (warp.thread_rank() == 0) {
      auto const n = static_cast<std::uint32_t>(count_lanes(givers));
      run_.control.raise(memory, phase_of<Type>, n);
      first = run_.template queue_of<Type>().reserve(memory, n);
    }
    first = warp.shuffle(first, 0);
    if (!has) return;
    auto const rank =
        static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    static_cast<void>(run_.template put<Type>(memory, first + rank, item));
  }

  /// Enqueues make(0) .. make(n - 1). Called by all threads of the worker with the same n.
  template <task_type Type, class Make>
  GRIDLOOM_FN void enqueue_many(int n, Make const& make) const {
    int const threads = worker_.num_threads();
    for (int begin = 0; begin < n; begin += threads) {
      int const i = begin + worker_.thread_rank();
      bool const has = i < n;
      enqueue_each<Type>(has, make(has ? i : 0));
    }
  }

 private:
  template <task_type Type>
  static constexpr int phase_of =
      Run::queue_type::phase_of(Run::queue_type::template index_of<Type>());

  Run const& run_;
  Worker const& worker_;
  Scratch& scratch_;
};

}  // namespace gridloom::mhive
