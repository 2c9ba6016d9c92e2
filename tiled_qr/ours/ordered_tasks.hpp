#pragma once
// Executes tasks in an order that is computed before the run, without a scheduler. One word per
// tile counts the tile's finished tasks, and a task waits for the words of the tasks that it
// depends on. There are two forms:
//
//   static_lists  Each block has a list of its own, from a simulation on the host.
//   ticket        Blocks draw the next place of one common list by an atomic addition. The list has
//                 the order of Algorithm 2, or the order in which tasks begin in the simulation.
//
// Rules of order, cited where they are served:
// OL.R1. The workers of a tile's tasks write its word one after the other, because each task waits
//     for the tile's task of the previous step. The word only grows.
// OL.R2. A task sees the writes of the tasks that it depends on. Each of these released its tile's
//     word after its block synchronised. The waiting thread acquires the word before its own block
//     synchronises (TW.R1, TW.R2).
// OL.R3. A run ends. Each block's list and the common list are in a topological order of all tasks.
//     The first task left in that order waits for no other task that is left. Its block reaches it,
//     because every task before it in the block's list, or drawn earlier by the block, is finished.
//     All blocks are resident.

#include "tiled_qr/task_grid.hpp"
#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

/// View of the lists and the words.
struct ordered_view {
  /// Array of one word per tile, the number of its finished tasks; all 0 at the start of a run.
  std::uint32_t* progress;
  /// Array of task numbers in the order of the lists. Null for the order of Algorithm 2, in which
  /// place n has task n.
  std::uint32_t const* numbers;
  /// Where each block's list begins, and where the last list ends. Null if blocks draw tickets.
  std::uint32_t const* first;
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
      memory_.store_release(word_of(done), done.k + 1);  // OL.R1, OL.R2
      ++executed_;
    }
    // A worker that never waits may run out of time, too.
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
  /// Whether all tasks that `what` depends on are finished. If not, `note` names one that is not.
  GRIDLOOM_FN bool is_ready(task const& what, wait_note& note) {
    bool ready = true;
    for_each_dependence(what, [&](task const& before) {
      std::uint32_t const finished = memory_.load_in_batch(word_of(before));  // OL.R2
      if (finished > before.k) return;
      ready = false;
      note.object = static_cast<std::uint32_t>(number_of(state_.matrix.cut, before));
      note.seen = finished;
      note.wanted = before.k + 1;
    });
    if (ready) memory_.batch_fence();  // OL.R2
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
