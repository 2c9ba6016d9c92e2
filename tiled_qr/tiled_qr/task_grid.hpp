#pragma once
// The task grid (report, II.C) has one cell per tile, p × q in all. A cell holds the number of the
// tile's finished tasks, which is the step of its next task. It also holds whether that task is
// ready or running. No other task of the tile can be ready or running.
//
// A task depends on
//   - the tile's own task of the step before;
//   - DLARFB(k, j): DGEQT2(k);
//   - DTSQT2(k, i): DGEQT2(k) for i = k + 1, else DTSQT2(k, i - 1);
//   - DSSRFB(k, i, j): DTSQT2(k, i), and DLARFB(k, j) for i = k + 1, else DSSRFB(k, i - 1, j).
//
// Departure: the report names neither DTSQT2(k, i - 1) nor DSSRFB(k, i - 1, j). Both are needed,
// because one row of tiles after the other updates R_kk and A_kj in place.
//
// Rules of the grid, cited where they are served:
// TG.R1. Only the agent that schedules uses the cells, one agent at a time. The worker of a running
//     task may read that task's cell, for the step. The cell is not written until the task is
//     reported finished.
// TG.R2. Each task becomes ready once, when the last of those that it depends on finishes. Every
//     finish looks at all tasks that depend on it, and only the last finds all of them finished.
// TG.R3. A run ends. While tasks are left, the first of them in the order of Algorithm 2 depends
//     only on finished tasks. So it is ready or running (TG.R2).
// TG.R4. The threads of a group may schedule together as one agent. A sync separates writes of cells
//     from other threads' reads of them. Tasks that a group finishes together stay marked for that
//     round. If several of them are dependences of one task, only the last of these in the order of
//     for_each_dependence may find it ready.

#include <cstdint>
#include <type_traits>

#include "gridloom/group.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Calls `body` for each task that a task depends on, as listed above.
template <class Body>
GRIDLOOM_FN void for_each_dependence(task const& of, Body&& body) {
  auto const [k, i, j] = of;
  if (k > 0) body(task{k - 1, i, j});
  switch (of.type()) {
    case task_type::dgeqt2: break;
    case task_type::dlarfb: body(task{k, k, k}); break;
    case task_type::dtsqt2: body(task{k, i - 1, k}); break;
    case task_type::dssrfb:
      body(task{k, i, k});
      body(task{k, i - 1, j});
      break;
  }
}

enum class cell_state : std::uint32_t { idle, ready, running };

/// View of the cells. One agent at a time may use it (TG.R1).
class task_grid_ref {
 public:
  task_grid_ref() = default;
  /// `cells` has one word per tile, all 0 at the start of a run.
  GRIDLOOM_FN task_grid_ref(std::uint32_t* cells, tiling const& cut)
      : cells_(cells), p_(cut.p()), q_(cut.q()), steps_(cut.steps()) {}

  GRIDLOOM_FN std::uint32_t cell_of(task const& of) const { return of.i * q_ + of.j; }
  /// The task that is ready or running on a tile, otherwise the tile's next task.
  GRIDLOOM_FN task task_of(std::uint32_t cell) const {
    return {cells_[cell] >> step_shift, cell / q_, cell % q_};
  }
  GRIDLOOM_FN cell_state state_of(std::uint32_t cell) const {
    return static_cast<cell_state>(cells_[cell] & state_mask);
  }
  /// Whether all tasks of a tile are finished.
  GRIDLOOM_FN bool is_done(std::uint32_t cell) const {
    return finished(cell / q_, cell % q_) == tasks_of(cell / q_, cell % q_);
  }

  /// Marks the first task, DGEQT2(0), as ready. Returns its cell.
  GRIDLOOM_FN std::uint32_t begin() const {
    set_state(0, cell_state::ready);
    return 0;
  }
  /// Marks a ready task as running. Returns false and changes nothing if the tile has no ready
  /// task, which is a fault of the caller.
  [[nodiscard]] GRIDLOOM_FN bool start(std::uint32_t cell) const {
    if (state_of(cell) != cell_state::ready) return false;
    set_state(cell, cell_state::running);
    return true;
  }
  /// Marks a running task as finished, and calls `emit(cell, task)` for each task that becomes
  /// ready. Returns false after a fault: the tile has no running task, or a tile would get two
  /// ready tasks.
  template <class Emit>
  [[nodiscard]] GRIDLOOM_FN bool finish(std::uint32_t cell, Emit&& emit) const {
    return finish(thread_of_one(0, 1), true, cell,
                  [&](bool ready, std::uint32_t at, task const& next) {
                    if (ready) emit(at, next);
                  });
  }
  /// The same for a group. Each thread that `reports` has a task of its own. All threads call
  /// `emit(ready, cell, task)` together, any number of times, and one of them gets each task that
  /// becomes ready. Returns false in a thread that found a fault.
  template <warp_group Group, class Emit>
  [[nodiscard]] GRIDLOOM_FN bool finish(Group const& group, bool reports, std::uint32_t cell,
                                        Emit&& emit) const {
    auto const rank = static_cast<std::uint32_t>(group.thread_rank());
    auto const threads = static_cast<std::uint32_t>(group.num_threads());
    bool sound = !reports || state_of(cell) == cell_state::running;
    reports = reports && sound;
    task const own = reports ? task_of(cell) : task{};
    if (reports) cells_[cell] = (own.k + 1) << step_shift | in_round;
    group.sync();  // TG.R4
    auto const look = [&](bool looks, task const& done, task const& next) {
      std::uint32_t const at = cell_of(next);
      bool const finds =
          looks && next.i < p_ && next.j < q_ && next.k < steps_ && becomes_ready(next, done);
      bool const ready = finds && state_of(at) == cell_state::idle;
      sound = sound && ready == finds;
      group.sync();  // TG.R4
      if (ready) set_state(at, cell_state::ready);
      emit(ready, at, next);
      group.sync();  // TG.R4
    };
    look(own.type() == task_type::dssrfb, own, {own.k + 1, own.i, own.j});
    look(reports, own, {own.k, own.i + 1, own.j});
    // All threads look together at the row that a factorisation unlocks.
    std::uint32_t rows = group.ballot(reports && own.factorises());
    for (; rows != 0; rows &= rows - 1) {
      std::uint32_t const k = group.shuffle(own.k, first_lane(rows));
      std::uint32_t const i = group.shuffle(own.i, first_lane(rows));
      for (std::uint32_t j = k + 1; j < q_; j += threads) look(true, {k, i, k}, {k, i, j + rank});
    }
    if (reports) cells_[cell] &= ~in_round;
    group.sync();  // TG.R4
    return sound;
  }

 private:
  // A cell has two bits for the state, one that marks a tile whose task finished in the current
  // round, and the number of finished tasks.
  static constexpr std::uint32_t state_mask = 3;
  static constexpr std::uint32_t in_round = 4;
  static constexpr std::uint32_t step_shift = 3;

  /// Whether the task is unfinished, all tasks that it depends on are finished, and `done` is the
  /// one that finds it ready (TG.R2, TG.R4). No load depends on another one.
  GRIDLOOM_FN bool becomes_ready(task const& next, task const& done) const {
    std::uint32_t unfinished = finished(next.i, next.j) == next.k ? 0 : 1;
    bool finds = false;
    for_each_dependence(next, [&](task const& before) {
      std::uint32_t const word = cells_[cell_of(before)];
      unfinished += word >> step_shift > before.k ? 0 : 1;
      bool const in_this_round = (word & ~state_mask) == ((before.k + 1) << step_shift | in_round);
      finds = before == done || (finds && !in_this_round);
    });
    return finds && unfinished == 0;
  }

  GRIDLOOM_FN std::uint32_t finished(std::uint32_t i, std::uint32_t j) const {
    return cells_[i * q_ + j] >> step_shift;
  }
  GRIDLOOM_FN std::uint32_t tasks_of(std::uint32_t i, std::uint32_t j) const {
    std::uint32_t const own = (i < j ? i : j) + 1;
    return own < steps_ ? own : steps_;
  }
  GRIDLOOM_FN void set_state(std::uint32_t cell, cell_state to) const {
    cells_[cell] = (cells_[cell] & ~state_mask) | static_cast<std::uint32_t>(to);
  }

  std::uint32_t* cells_ = nullptr;
  std::uint32_t p_ = 0;
  std::uint32_t q_ = 0;
  std::uint32_t steps_ = 0;
};

static_assert(std::is_trivially_copyable_v<task_grid_ref>);

}  // namespace gridloom::tiled_qr
