#pragma once
// A time limit for persistent loops. Hangs are the most common complaint about persistent kernels.
// With a watchdog, a hang ends, and each worker reports what it was waiting for.
//
// A worker whose time is up sets a stop word that all other workers poll. Each worker then leaves a
// note of what it was waiting for. Workers check once in 256 turns of a loop (on the host, once in
// 16), so the check costs almost nothing. Loops with long turns check at every turn.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"

namespace gridloom {

/// What a worker can wait for. `own_work` means that the worker was not waiting. Then `seen` is the
/// amount of work that it had done.
enum class wait_kind : std::uint32_t {
  nothing,
  task,
  lock,
  queue,
  ring_slot,
  neighbour,
  barrier,
  own_work
};

/// What a worker was waiting for when it was stopped.
struct wait_note {
  wait_kind kind;
  /// Number of the task, lock, queue, slot or neighbour that the worker waited for.
  std::uint32_t object;
  /// The last value that the worker saw, and the value that would have ended the wait.
  std::uint64_t seen;
  std::uint64_t wanted;
};

/// View of a watchdog for kernels.
struct watchdog_ref {
  std::uint32_t* stop;
  /// Array of one note per worker.
  wait_note* notes;
  std::uint64_t limit_ns;
};

/// The checks of one worker. Belongs to one thread, or to a group that calls it together.
class watch {
 public:
  /// `every_turn`: check at each call, for loops with long turns.
  GRIDLOOM_FN watch(watchdog_ref dog, int worker, bool every_turn = false)
      : dog_(dog), worker_(worker), between_(every_turn ? 0U : cheap_turns - 1), begin_(now_ns()) {}

  /// Counts a turn, and returns whether this turn checks the clock and the stop word. All threads
  /// of a group get the same answer. This function does not pause: a loop that waits must also call
  /// `pause` or `give_way`.
  [[nodiscard]] GRIDLOOM_FN bool due() { return (++turns_ & between_) == 0; }
  /// Called once per turn of a loop that may wait or run long. If it returns true, the worker
  /// leaves a `note` and ends.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool expired(Memory& memory) {
    return due() && out_of_time(memory);
  }
  GRIDLOOM_FN void note(wait_kind kind, std::uint32_t object, std::uint64_t seen,
                        std::uint64_t wanted) const {
    dog_.notes[worker_] = {kind, object, seen, wanted};
  }
  /// Calls `expired`, and `note` if the time is up.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool stop(Memory& memory, wait_kind kind, std::uint32_t object,
                                      std::uint64_t seen, std::uint64_t wanted) {
    if (!expired(memory)) return false;
    note(kind, object, seen, wanted);
    return true;
  }
  /// Looks at the stop word and the clock, in a turn that is `due`.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool out_of_time(Memory& memory) {
    if (memory.load_relaxed(dog_.stop) == 0) {
      if (now_ns() - begin_ < dog_.limit_ns) return false;
      memory.store_relaxed(dog_.stop, std::uint32_t{1});
    }
    return true;
  }

 private:
  watchdog_ref dog_;
  int worker_;
  // Turns between two checks: a power of two minus one.
  std::uint32_t between_;
  std::uint32_t turns_ = 0;
  std::uint64_t begin_;
};

/// Owner of the stop word and the notes. The host uses it only between launches.
class watchdog {
 public:
  watchdog(device& machine, int workers, double limit_s);
  /// Resets the watchdog and returns the view for kernels.
  watchdog_ref arm();
  /// Whether the last run was stopped.
  bool fired();
  /// One line per worker that left a note, such as "worker 3 waited for queue 7: saw 99, wanted
  /// 100" or "worker 4 was working: 12 done".
  std::vector<std::string> lines();
  /// If the last run was stopped, throws timeout_error with all lines(): "timeout after 60 s
  /// (--timeout-s): WHAT; worker 3 waited for ...".
  void require_in_time(std::string_view what);

 private:
  device* machine_;
  buffer<std::uint32_t> stop_;
  buffer<wait_note> notes_;
  std::uint64_t limit_ns_;
};

}  // namespace gridloom
