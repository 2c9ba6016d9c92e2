#pragma once
// Bounds every persistent loop by wall time. A hang is the commonest complaint about persistent
// kernels: here it ends with a list of what each worker was waiting for.
//
// Workers poll: whoever finds its time used up raises a stop word that all others see, and each
// leaves a note of what it was waiting for. The check is made once in 256 turns of a loop, on the
// host in 16, so it costs next to nothing. Loops whose turns are long ask for it at every turn.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"

namespace gridloom {

/// What a worker can wait for; `own_work` if it was not waiting when its time was up.
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

/// What one worker was waiting for when it was stopped.
struct wait_note {
  wait_kind kind;
  /// Number of the task, lock, queue, slot or neighbour.
  std::uint32_t object;
  /// The value last seen, and the one that would have ended the wait.
  std::uint64_t seen;
  std::uint64_t wanted;
};

/// What kernels hold of a watchdog.
struct watchdog_ref {
  std::uint32_t* stop;
  /// One a worker.
  wait_note* notes;
  std::uint64_t limit_ns;
};

/// One worker's side. Belongs to one thread, or to all threads of a group that make the same calls.
class watch {
 public:
  /// `every_turn`: check at each call, for loops whose turns are long.
  GRIDLOOM_FN watch(watchdog_ref dog, int worker, bool every_turn = false)
      : dog_(dog), worker_(worker), between_(every_turn ? 0U : cheap_turns - 1), begin_(now_ns()) {}

  /// Counts a turn; whether it is one that looks at clock and stop word. Threads of a group agree
  /// on it. It does not give way: a loop that waits calls `pause` or `give_way` besides.
  [[nodiscard]] GRIDLOOM_FN bool due() { return (++turns_ & between_) == 0; }
  /// Call once a turn of a loop that may wait or run long; true means leave, after a `note` that
  /// says what for.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool expired(Memory& memory) {
    return due() && out_of_time(memory);
  }
  GRIDLOOM_FN void note(wait_kind kind, std::uint32_t object, std::uint64_t seen,
                        std::uint64_t wanted) const {
    dog_.notes[worker_] = {kind, object, seen, wanted};
  }
  /// Both in one, where the values are at hand.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool stop(Memory& memory, wait_kind kind, std::uint32_t object,
                                      std::uint64_t seen, std::uint64_t wanted) {
    if (!expired(memory)) return false;
    note(kind, object, seen, wanted);
    return true;
  }
  /// What `expired` does in a turn that is `due`.
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
  // Turns between two looks: a power of two, less one.
  std::uint32_t between_;
  std::uint32_t turns_ = 0;
  std::uint64_t begin_;
};

/// Owner of the words that workers poll. One a run; used by the host between launches only.
class watchdog {
 public:
  watchdog(device& machine, int workers, double limit_s);
  /// Resets and returns the kernels' view.
  watchdog_ref arm();
  /// Whether the last run was stopped.
  bool fired();
  /// A line a worker: "worker 3 waited for queue 7: saw 99, wanted 100". Workers that waited for
  /// nothing are left out.
  std::vector<std::string> lines();
  /// Throws timeout_error "timeout after 60 s (--timeout-s): WHAT; worker 3 waited for ...", with
  /// all lines(), when the last run was stopped.
  void require_in_time(std::string_view what);

 private:
  device* machine_;
  buffer<std::uint32_t> stop_;
  buffer<wait_note> notes_;
  std::uint64_t limit_ns_;
};

}  // namespace gridloom
