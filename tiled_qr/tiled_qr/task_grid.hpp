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

#include <cstdint>
#include <type_traits>

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
    return {cells_[cell] >> state_bits, cell / q_, cell % q_};
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
  /// Undoes `start` for a task that no worker received.
  GRIDLOOM_FN void take_back(std::uint32_t cell) const { set_state(cell, cell_state::ready); }
  /// Marks a running task as finished, and calls `emit(cell, task)` for each task that becomes
  /// ready. Returns false after a fault: the tile has no running task, or a tile would get two
  /// ready tasks.
  template <class Emit>
  [[nodiscard]] GRIDLOOM_FN bool finish(std::uint32_t cell, Emit&& emit) const {
    if (state_of(cell) != cell_state::running) return false;
    task const done = task_of(cell);
    cells_[cell] = (done.k + 1) << state_bits;
    bool sound = true;
    auto const look = [&](task const& next) {
      if (next.i >= p_ || next.j >= q_ || !is_ready(next)) return;
      std::uint32_t const at = cell_of(next);
      if (state_of(at) != cell_state::idle) {
        sound = false;
        return;
      }
      set_state(at, cell_state::ready);
      emit(at, next);
    };
    std::uint32_t const k = done.k;
    switch (done.type()) {
      case task_type::dgeqt2:
        look({k, k + 1, k});
        for (std::uint32_t j = k + 1; j < q_; ++j) look({k, k, j});
        break;
      case task_type::dlarfb: look({k, k + 1, done.j}); break;
      case task_type::dtsqt2:
        look({k, done.i + 1, k});
        for (std::uint32_t j = k + 1; j < q_; ++j) look({k, done.i, j});
        break;
      case task_type::dssrfb:
        look({k + 1, done.i, done.j});
        look({k, done.i + 1, done.j});
        break;
    }
    return sound;
  }

  /// Whether the task is unfinished and all tasks that it depends on are finished.
  GRIDLOOM_FN bool is_ready(task const& of) const {
    bool ready = of.k < steps_ && finished(of.i, of.j) == of.k;
    if (ready) {
      for_each_dependence(of, [&](task const& before) {
        ready = ready && finished(before.i, before.j) > before.k;
      });
    }
    return ready;
  }

 private:
  static constexpr std::uint32_t state_bits = 2;
  static constexpr std::uint32_t state_mask = 3;

  GRIDLOOM_FN std::uint32_t finished(std::uint32_t i, std::uint32_t j) const {
    return cells_[i * q_ + j] >> state_bits;
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
