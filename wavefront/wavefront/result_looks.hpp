#pragma once
// What a thread knows of a task that it has taken in order, and how it looks for the results of the
// task's predecessors: in their words in memory, or in a ring as well. The rules R1 and R2 are those
// of in_order.hpp, C1 to C3 those of result_ring.hpp.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "gridloom/atomic.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "wavefront/result_ring.hpp"
#include "wavefront/task_order.hpp"

namespace gridloom::wavefront {

/// What all workers share.
template <task_order Order>
struct in_order_ref {
  Order order;
  /// One a position. Tag: the run.
  tagged<std::uint32_t>* words;
  /// Of this run; no word has it before.
  std::uint32_t run;
  /// The next round, 0 at the start of a run; null: by turns.
  std::uint32_t* next_round;
  /// By turns: whether a warp that waits asks for the edges of its next round.
  bool looks_ahead;
};

/// Of a task's words where some are looked for in a ring.
struct looks_in_ring {
  std::uint32_t position = 0;
  /// Of the batch, a bit each: whether it is looked for in the ring.
  std::uint32_t in_ring = 0;
  /// The tags that say that a result is there: the run's of words in memory.
  std::uint32_t wanted[4] = {};
};
struct looks_in_memory {};

template <task_order Order, class Ring>
class result_looks {
 public:
  static constexpr std::uint32_t batch = Order::batch;
  static_assert(batch <= 4);
  using place = decltype(std::declval<Order const&>().at(0));

  /// A task that a thread has taken.
  struct held : std::conditional_t<Ring::is_there, looks_in_ring, looks_in_memory> {
    /// 0 while it waits; 1: it is done, or there is none.
    std::uint32_t idle = 1;
    place at{};
    /// Its own word.
    tagged<std::uint32_t>* word = nullptr;
    /// Predecessors before this one are in the result; so many from there on make a batch.
    std::uint32_t next = 0;
    std::uint32_t n = 0;
    recurrence result{0};
    // Of the batch: the words, and what was seen of them. Where there is none the tag is the wanted one.
    tagged<std::uint32_t> const* from[batch] = {};
    std::uint32_t tag[batch] = {};
    std::uint32_t value[batch] = {};
    /// Of those in the same round: the lane + 1, a byte each.
    std::uint32_t near = 0;
    /// Its own result, when it is done.
    std::uint32_t own = 0;
  };

  GRIDLOOM_FN result_looks(in_order_ref<Order> const& shared, std::uint32_t run, Ring const& ring)
      : ring_(ring), shared_(shared), run_(run) {}

  /// Before the first batch of a task.
  GRIDLOOM_FN void set_position(held& task, std::uint32_t position) const {
    task.word = shared_.words + position;
    if constexpr (Ring::is_there) task.position = position;
  }
  /// Whose words a task needs, from a predecessor on.
  GRIDLOOM_FN static void fetch(place const& at, std::uint32_t first,
                                std::uint32_t (&from)[batch]) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (first + j < at.from.size()) from[j] = at.from[first + j];
    }
  }
  GRIDLOOM_FN void begin_batch(held& task, std::uint32_t first,
                               std::uint32_t const (&from)[batch]) const {
    std::uint32_t const left = task.idle == 0 ? task.at.from.size() - first : 0;
    task.next = first;
    task.n = left < batch ? left : batch;
    task.near = 0;
    if constexpr (Ring::is_there) task.in_ring = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      task.from[j] = shared_.words + from[j];
      if constexpr (Ring::is_there) prefer_ring(task, j, from[j]);
      std::uint32_t const unseen = Ring::is_there ? 0 : ~run_;  // as if a slot were empty
      task.tag[j] = j < task.n ? unseen : wanted(task, j);
    }
  }

  /// Asks for the words of a batch that have not been seen.
  template <class Memory>
  GRIDLOOM_FN void ask(Memory& memory, held& task) const {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (!has(task, j)) task.tag[j] = tag_of(memory, task, j);
    }
  }
  GRIDLOOM_FN bool has(held const& task, std::uint32_t j) const {
    return task.tag[j] == wanted(task, j);
  }
  /// Another way than by asking.
  GRIDLOOM_FN void hand_on(held& task, std::uint32_t j, std::uint32_t value) const {
    task.value[j] = value;  // R1
    task.tag[j] = wanted(task, j);
  }
  /// 0 if it waits and has all words of a batch.
  GRIDLOOM_FN std::uint32_t lacking(held const& task) const {
    std::uint32_t lacking = task.idle;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) lacking |= task.tag[j] ^ wanted(task, j);
    return lacking;
  }
  /// Whether the last word of a task that waits is there; if it was the last of a batch, the next
  /// batch begins.
  GRIDLOOM_FN bool answered(held& task) const {
    if (lacking(task) != 0) return false;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (j < task.n) task.result.add(task.value[j]);
    }
    std::uint32_t const first = task.next + task.n;
    if (first == task.at.from.size()) return true;
    std::uint32_t from[batch] = {};
    fetch(task.at, first, from);
    begin_batch(task, first, from);
    return false;
  }
  /// C2, of the words that have not been seen: those that the ring has lost, or all.
  GRIDLOOM_FN void turn_to_memory(held& task, bool all) const {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (has(task, j) || (task.in_ring >> j & 1U) == 0) continue;
      if (!all && task.tag[j] < task.wanted[j]) continue;
      task.from[j] = shared_.words + position_of(task, j);
      task.in_ring &= ~(1U << j);
      task.wanted[j] = run_;
      task.tag[j] = 0;
    }
  }
  /// Whose word it is.
  GRIDLOOM_FN std::uint32_t position_of(held const& task, std::uint32_t j) const {
    if constexpr (Ring::is_there) {
      if ((task.in_ring >> j & 1U) != 0) return Ring::position_of(task.wanted[j]);
    }
    return static_cast<std::uint32_t>(task.from[j] - shared_.words);
  }

  /// Writes the task's own result.
  template <class Memory>
  GRIDLOOM_FN void put(Memory& memory, held const& task, std::uint32_t own) const {
    if constexpr (Ring::is_there) ring_.put(memory, task.position, own);
    memory.put_tagged(task.word, run_, own);  // R1
  }

 private:
  GRIDLOOM_FN std::uint32_t wanted(held const& task, std::uint32_t j) const {
    if constexpr (Ring::is_there) {
      return task.wanted[j];
    } else {
      return run_;
    }
  }
  /// C3.
  GRIDLOOM_FN void prefer_ring(held& task, std::uint32_t j, std::uint32_t from) const {
    bool const near = Ring::reaches(task.position, from);
    task.wanted[j] = near ? Ring::tag_of(from) : run_;
    if (j >= task.n || !near) return;
    task.from[j] = ring_.place_of(from);
    task.in_ring |= 1U << j;
  }
  /// The wanted tag if the word is there, and then its value: of a word in memory or in the ring.
  template <class Memory>
  GRIDLOOM_FN std::uint32_t tag_of(Memory& memory, held& task, std::uint32_t j) const {
    if constexpr (Ring::is_there) {
      if (detail::one_access<std::uint32_t> || (task.in_ring >> j & 1U) != 0)  // one load for both
        return Ring::look(memory, task.from[j], task.value[j]);
    }
    return tag_of(memory, task.from[j], task.value[j]);
  }
  template <class Memory>
  GRIDLOOM_FN std::uint32_t tag_of(Memory& memory, tagged<std::uint32_t> const* word,
                                   std::uint32_t& value) const {
    if constexpr (detail::one_access<std::uint32_t>) {
      return memory.read_tagged_alone(word, value);  // R1, R2
    } else {
      return memory.get_tagged_alone(word, run_, value) ? run_ : ~run_;  // R1, R2
    }
  }

  [[no_unique_address]] Ring ring_;
  in_order_ref<Order> const& shared_;
  std::uint32_t run_;
};

}  // namespace gridloom::wavefront
