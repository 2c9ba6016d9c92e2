#pragma once
// The queue of ready tasks (report, II.C). Factorisations come before applications, because they
// unlock whole rows of applications. Each kind is first in, first out. For comparison,
// `priority::fifo` is first in, first out among all tasks.
//
// Queues hold numbers of tiles. A tile has at most one ready task, so one place per tile is enough.

#include <cstdint>
#include <type_traits>

#include "gridloom/group.hpp"
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

/// View of the two queues. Only the agent that schedules may use it. If that is a group, all its
/// threads call each member together, and each has equal `words` of its own (TG.R4).
class ready_tasks_ref {
 public:
  ready_tasks_ref() = default;
  /// `cells` is an array of 2 · `capacity` words; `capacity` is the number of tiles.
  GRIDLOOM_FN ready_tasks_ref(ready_words* words, std::uint32_t* cells, std::uint32_t capacity,
                              priority by)
      : words_(words), cells_(cells), capacity_(capacity), by_(by) {}
  /// The same queues with other words.
  GRIDLOOM_FN ready_tasks_ref with(ready_words* words) const {
    return {words, cells_, capacity_, by_};
  }

  GRIDLOOM_FN std::uint32_t size() const { return words_->size[0] + words_->size[1]; }

  GRIDLOOM_FN void put(std::uint32_t cell, task const& what) const {
    put(thread_of_one(0, 1), true, cell, what);
  }
  /// Puts a task of each thread that passes `puts`, in the order of their ranks.
  template <warp_group Group>
  GRIDLOOM_FN void put(Group const& group, bool puts, std::uint32_t cell, task const& what) const {
    int const own = by_ == priority::factorisations_first && !what.factorises() ? 1 : 0;
    for (int queue = 0; queue < 2; ++queue) {
      bool const here = puts && queue == own;
      std::uint32_t const all = group.ballot(here);
      int const before = count_lanes(all & lanes_below(group.thread_rank()));
      if (here) *place(queue, words_->size[queue] + static_cast<std::uint32_t>(before)) = cell;
      words_->size[queue] += static_cast<std::uint32_t>(count_lanes(all));
    }
  }
  /// Returns the cell of the next task, or of the one `ahead` places behind it. It stays queued.
  /// There must be more than `ahead` ready tasks.
  GRIDLOOM_FN std::uint32_t next(std::uint32_t ahead = 0) const {
    std::uint32_t const first = words_->size[0];
    return ahead < first ? *place(0, ahead) : *place(1, ahead - first);
  }
  GRIDLOOM_FN void take_next(std::uint32_t count = 1) const {
    for (int queue = 0; queue < 2; ++queue) {
      std::uint32_t& size = words_->size[queue];
      std::uint32_t const here = count < size ? count : size;
      words_->first[queue] = wrapped(words_->first[queue] + here);
      size -= here;
      count -= here;
    }
  }

 private:
  GRIDLOOM_FN std::uint32_t wrapped(std::uint32_t at) const {
    return at < capacity_ ? at : at - capacity_;
  }
  /// The place of a queue's task, counted from the first.
  GRIDLOOM_FN std::uint32_t* place(int queue, std::uint32_t at) const {
    return cells_ + static_cast<std::uint32_t>(queue) * capacity_ +
           wrapped(words_->first[queue] + at);
  }

  ready_words* words_ = nullptr;
  std::uint32_t* cells_ = nullptr;
  std::uint32_t capacity_ = 0;
  priority by_ = priority::factorisations_first;
};

static_assert(std::is_trivially_copyable_v<ready_tasks_ref>);

}  // namespace gridloom::tiled_qr
