#pragma once
// A task that waits for the words of its predecessors. Each thread has one task.
//
// WT.R1. A word carries level and rank together and is written once (tagged.hpp). A successor reads
//     nothing else that the writer wrote, so no fence is needed.

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

/// The arrays that waiting tasks read and write.
struct values_ref {
  device_graph_ref graph;
  /// ACC + DTC of each task: see totals.hpp.
  time_value const* own;
  /// Rank, tagged with level + 1; all 0 at first.
  tagged<time_value>* found;
};

class waiting_task {
 public:
  GRIDLOOM_FN explicit waiting_task(values_ref const& of) : of_(of) {}

  [[nodiscard]] GRIDLOOM_FN bool waits() const { return waits_; }

  GRIDLOOM_FN void start(std::uint32_t task) {
    task_ = task;
    edge_ = of_.graph.predecessors.offsets[task];
    end_ = of_.graph.predecessors.offsets[task + 1];
    own_ = of_.own[task];
    largest_ = 0;
    level_ = seen_ = 0;
    waits_ = true;
    fetch();
  }
  /// Reads the missing words once. If none is missing any more, writes the task's own word.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory) {
    std::uint32_t const n = end_ - edge_ < batch ? end_ - edge_ : batch;
    time_value ranks[batch];
    std::uint32_t tags[batch];
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      tags[j] = 0;
      if (j < n && (seen_ >> j & 1U) == 0) {
        tags[j] = memory.read_tagged_alone(of_.found + parents_[j], ranks[j]);  // WT.R1
      }
    }
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (tags[j] == 0) continue;
      seen_ |= 1U << j;
      if (ranks[j] > largest_) largest_ = ranks[j];
      // A tag is the predecessor's level + 1.
      if (tags[j] > level_) level_ = tags[j];
    }
    if (seen_ != (1U << n) - 1) return;
    edge_ += n;
    seen_ = 0;
    if (edge_ != end_) return fetch();
    memory.put_tagged(of_.found + task_, level_ + 1, largest_ + own_);  // WT.R1
    waits_ = false;
  }
  GRIDLOOM_FN void note(watch const& watcher) const {
    std::uint32_t j = 0;
    while (j + 1 < batch && (seen_ >> j & 1U) != 0) ++j;
    watcher.note(wait_kind::task, parents_[j], 0, 1);
  }

 private:
  /// Number of words that are loaded together.
  static constexpr std::uint32_t batch = 4;

  GRIDLOOM_FN void fetch() {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      parents_[j] = edge_ + j < end_ ? of_.graph.predecessors.tasks[edge_ + j] : 0;
    }
  }

  values_ref of_;
  std::uint32_t task_ = 0;
  std::uint32_t edge_ = 0;
  std::uint32_t end_ = 0;
  /// Predecessors of the current batch.
  std::uint32_t parents_[batch] = {};
  /// Bit j is set when the word of predecessor j of the batch has been read.
  std::uint32_t seen_ = 0;
  std::uint32_t level_ = 0;
  time_value own_ = 0;
  /// Largest rank of the predecessors read so far.
  time_value largest_ = 0;
  bool waits_ = false;
};

}  // namespace gridloom::pets
