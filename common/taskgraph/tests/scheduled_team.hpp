#pragma once
// Small graphs, and blocks made of a schedule's threads, for tests under seeded schedules.

#include <cstdint>
#include <vector>

#include "explore.hpp"
#include "gridloom/group.hpp"

namespace gridloom::test {

/// A small graph, written by hand.
struct small_graph {
  char const* name;
  std::vector<std::vector<std::uint32_t>> children;
};

inline small_graph const graphs[] = {
    {"diamond", {{1, 2}, {3}, {3}, {}}},
    {"two joins", {{2, 3}, {2, 3}, {4}, {4}, {}}},
    {"fork", {{1, 2, 3, 4}, {}, {}, {}, {}}},
    {"late join", {{2, 3}, {3}, {}, {}}},
    {"chain", {{1}, {2}, {3}, {}}},
    {"nothing depends", {{}, {}, {}, {}, {}}},
    {"one task", {{}}},
};

/// Threads of a block: one thread, two threads in one warp, or two warps of one thread. Between two
/// barriers, either thread may run first.
enum class shape { one_thread, one_warp, two_warps };

/// A worker's block, or one of its warps. A barrier orders the accesses of all threads at any
/// barrier, which is more than a device guarantees. A single thread has no barrier.
class scheduled_team {
 public:
  scheduled_team(schedule& on, warp_board* board, int first, int size, int rank, shape of)
      : on_(&on),
        board_(board),
        lanes_(on, *board, first, size, rank),
        me_(first + rank),
        of_(of) {}
  [[nodiscard]] int thread_rank() const { return lanes_.thread_rank(); }
  [[nodiscard]] int num_threads() const { return lanes_.num_threads(); }
  [[nodiscard]] int index() const { return 0; }
  [[nodiscard]] int count() const { return 1; }
  void sync() const {
    if (num_threads() == 1) return;
    on_->memory().full_fence(me_);
    lanes_.sync();
    on_->memory().full_fence(me_);
  }
  void pause(unsigned) const { on_->yielded(); }
  [[nodiscard]] std::uint32_t ballot(bool p) const { return lanes_.ballot(p); }
  [[nodiscard]] bool any(bool p) const { return lanes_.any(p); }
  template <class T>
  [[nodiscard]] T shuffle(T value, int rank) const {
    return lanes_.shuffle(value, rank);
  }
  [[nodiscard]] scheduled_team warp() const {
    return of_ == shape::two_warps
               ? scheduled_team(*on_, board_ + 1 + thread_rank(), me_, 1, 0, of_)
               : *this;
  }

 private:
  schedule* on_;
  warp_board* board_;
  scheduled_warp lanes_;
  int me_;
  shape of_;
};
static_assert(thread_group<scheduled_team> && warp_group<scheduled_team>);

}  // namespace gridloom::test
