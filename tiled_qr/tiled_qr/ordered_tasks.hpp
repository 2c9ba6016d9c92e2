#pragma once
// No scheduler at run time: tasks in an order that is known beforehand, and a word a tile that tells
// how many of its tasks are finished. Who has a task waits for the words of what it depends on.
//
//   static_lists  each block has a list of its own, from a simulation on the host;
//   ticket        blocks draw the next place of one list by an atomic addition: the order of
//                 Algorithm 2, or that in which tasks begin in the simulation.
//
// Rules of order, cited where they are served:
// O1. A tile's word is written by who executed its task, one task after the other, because each task
//     waits for the tile's own of the step before. It only grows.
// O2. A task sees what the tasks wrote that it depends on: each released its tile's word after its
//     block met, and the thread that waits acquires it before its block meets (W1, W2).
// O3. A run ends. Lists are in a topological order of all tasks, each block's own and the common one.
//     Of the tasks that are left, the first in that order waits for none that is left, and its block
//     comes to it: what stands before it in the block's list, or was drawn by the block before, is
//     finished. All blocks are resident.

#include "tiled_qr/task_grid.hpp"
#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

/// View of the lists and the words.
struct ordered_view {
  /// One a tile, all 0 at the start of a run.
  std::uint32_t* progress;
  /// Numbers of tasks; null: they are their places, in the order of Algorithm 2.
  std::uint32_t const* numbers;
  /// Where each block's list begins, and the end; null: blocks draw tickets.
  std::uint64_t const* first;
  /// The next ticket; 0 at the start of a run.
  std::uint64_t* ticket;
};

template <class T>
class ordered_asker {
 public:
  using view = ordered_view;
  static constexpr bool waits = true;

  GRIDLOOM_FN ordered_asker(run_state<T> const& state, view const& of, int worker)
      : state_(state),
        of_(of),
        place_(of.first == nullptr ? 0 : of.first[worker]),
        end_(of.first == nullptr ? state.tasks : of.first[worker + 1]),
        patience_(state.dog, worker) {}

  template <class Self>
  GRIDLOOM_FN task next(Self const& self, task const& done) {
    if (is_task(done)) {
      memory_.store_release(word_of(done), done.k + 1);  // O1, O2
      ++executed_;
    }
    // Also a worker that never waits may run out of time.
    bool const late = patience_.stop(memory_, wait_kind::own_work, 0, executed_, executed_ + 1);
    std::uint64_t const place =
        of_.first == nullptr ? memory_.fetch_add_relaxed(of_.ticket, std::uint64_t{1}) : place_++;
    if (late || place >= end_) return leave();
    task const what =
        task_at(state_.matrix.cut, of_.numbers == nullptr ? place : of_.numbers[place]);
    wait_note note{wait_kind::task, 0, 0, 0};
    bool const ready =
        look_until(memory_, self, patience_, note, [&] { return is_ready(what, note); });
    return ready ? what : leave();
  }

 private:
  GRIDLOOM_FN std::uint32_t* word_of(task const& of) const {
    return of_.progress + (of.i * state_.matrix.cut.q() + of.j);
  }
  /// Whether all that it depends on is finished; else what it waits for goes to the note.
  GRIDLOOM_FN bool is_ready(task const& what, wait_note& note) {
    bool ready = true;
    for_each_dependence(what, [&](task const& before) {
      std::uint32_t const finished = memory_.load_in_batch(word_of(before));  // O2
      if (finished > before.k) return;
      ready = false;
      note.object = static_cast<std::uint32_t>(number_of(state_.matrix.cut, before));
      note.seen = finished;
      note.wanted = before.k + 1;
    });
    if (ready) memory_.batch_fence();  // O2
    return ready;
  }
  GRIDLOOM_FN task leave() {
    memory_.fetch_add_relaxed(&state_.words->finished, executed_);
    return no_task;
  }

  run_state<T> const& state_;
  ordered_view const& of_;
  std::uint64_t place_;
  std::uint64_t end_;
  std::uint64_t executed_ = 0;
  direct_memory memory_;
  watch patience_;
};

template <class T, int MaxTile>
using ordered_kernel = worker_kernel<T, MaxTile, ordered_asker<T>>;

}  // namespace gridloom::tiled_qr
