#pragma once
// The queue of ready tasks (report, II.C). Factorisations come before applications, because they
// unlock whole rows of applications. Each kind is first in, first out. For comparison,
// `priority::fifo` is first in, first out among all tasks.
//
// Queues hold numbers of tiles. A tile has at most one ready task, so one place per tile is enough.

#include <cstdint>
#include <type_traits>

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

enum class priority : std::uint32_t { factorisations_first, fifo };

inline constexpr char const* priority_names[] = {"factorisations-first", "fifo"};

/// First place and size of two queues, all 0 at the start of a run. Places count up and wrap at the
/// capacity.
struct ready_words {
  std::uint32_t first[2];
  std::uint32_t size[2];
};

/// View of the two queues. Only the agent that schedules may use it.
class ready_tasks_ref {
 public:
  ready_tasks_ref() = default;
  /// `cells` is an array of 2 · `capacity` words; `capacity` is the number of tiles.
  GRIDLOOM_FN ready_tasks_ref(ready_words* words, std::uint32_t* cells, std::uint32_t capacity,
                              priority by)
      : words_(words), cells_(cells), capacity_(capacity), by_(by) {}

  GRIDLOOM_FN std::uint32_t size() const { return words_->size[0] + words_->size[1]; }

  GRIDLOOM_FN void put(std::uint32_t cell, task const& what) const {
    int const queue = by_ == priority::factorisations_first && !what.factorises() ? 1 : 0;
    std::uint32_t at = words_->first[queue] + words_->size[queue]++;
    if (at >= capacity_) at -= capacity_;
    cells_[static_cast<std::uint32_t>(queue) * capacity_ + at] = cell;
  }
  /// Returns the cell of the next task, which stays queued. There must be a ready task.
  GRIDLOOM_FN std::uint32_t next() const {
    int const queue = words_->size[0] != 0 ? 0 : 1;
    return cells_[static_cast<std::uint32_t>(queue) * capacity_ + words_->first[queue]];
  }
  GRIDLOOM_FN void take_next() const {
    int const queue = words_->size[0] != 0 ? 0 : 1;
    --words_->size[queue];
    if (++words_->first[queue] == capacity_) words_->first[queue] = 0;
  }

 private:
  ready_words* words_ = nullptr;
  std::uint32_t* cells_ = nullptr;
  std::uint32_t capacity_ = 0;
  priority by_ = priority::factorisations_first;
};

static_assert(std::is_trivially_copyable_v<ready_tasks_ref>);

}  // namespace gridloom::tiled_qr
