#pragma once
// How the blocks of a team factorise a panel together. They add up what each block has computed
// from its rows. Teams tell each other that a panel is finished.
//
// Sums take little memory. While a team holds a panel in shared memory, the panel's place in the
// matrix is free. There the members leave their parts of the products with finished reflectors.
// Only the panel's own sums need separate memory. The teams of a matrix share it, because panels
// finish one after the other.
//
// Rules of order and progress, cited where they are served:
// TM.R1. A block's threads write, then synchronise. Then one of them stores to a word of the block
//     with release order. Another block reads the word with acquire order, and synchronises. So it
//     sees what was written before the word.
// TM.R2. The buffers of parts alternate. A block writes a buffer again two meetings later. By then
//     it has passed the meeting in between, and every member came to that meeting after it had read
//     the buffer.
// TM.R3. Progress: all blocks of a launch are resident. A team works on its panels from left to
//     right and waits only for panels further left, so the leftmost unfinished panel waits for
//     none. All members of a team branch on the same sums, so they come to the same meetings.
// TM.R4. From loading to storing, a member owns the place of its rows of the panel in the matrix.
//     Other members read parts there in meetings, and other teams read reflectors there once these
//     are announced (TM.R1). Before a member stores, it has passed a meeting to which every member
//     came after reading the last part. This is the meeting of the panel's own sums, or a meeting
//     without a sum if the panel has no reflectors.
// TM.R5. The panels of a matrix use the buffers of their own sums one after the other. A block
//     writes them for panel p after it has seen T of panel p - 1 (TM.R1). T is announced after all
//     other reads for panel p - 1. The members read sums and top square before they come to the
//     meeting for T. Only the member that announces T reads that meeting's sum. Panel 0 follows
//     another matrix's panels only if one team has the whole matrix (choose_teams). Then TM.R2
//     keeps the buffers apart.

#include "gridloom/watchdog.hpp"
#include "ours/panel/parts.hpp"
#include "ours/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// The condition for which a block waits: `count` consecutive words have all reached `wanted`.
struct panel_words {
  std::uint32_t const* first;
  int count;
  std::uint32_t wanted;
};

/// The steps of a team's block for one panel. It applies the reflectors of all panels to the left.
/// Then it makes the panel's own reflectors, if the panel is one of the first `panels`. Returns
/// false if the watchdog stopped the run.
template <class Steps>
[[nodiscard]] GRIDLOOM_FN bool take_panel(Steps& steps, int panel, int panels) {
  steps.load(panel);
  for (int k = 0; k < panel && k < panels; ++k)
    if (!steps.apply(k, panel)) return false;  // TM.R3
  if (panel >= panels) {
    if (!steps.meet(panel)) return false;  // TM.R4
    steps.store(panel);
    return true;
  }
  if (!steps.make_reflectors(panel)) return false;
  steps.store(panel);  // TM.R4
  steps.tell_reflectors(panel);
  return steps.finish_t(panel);
}

/// One block's place in its team.
class team_member {
 public:
  /// `meetings` has one count per member of the team; all are zero at the start.
  GRIDLOOM_FN team_member(std::uint32_t* meetings, row_share share)
      : meetings_(meetings), share_(share) {}

  /// Which of the two buffers the next meeting uses (TM.R2).
  GRIDLOOM_FN int buffer() const { return static_cast<int>(came_ & 1U); }

  /// Calls `leave()`, comes to the meeting, waits for all members, and calls `take()`. A single
  /// member only leaves. Until the next meeting, the block can read what all members left.
  /// `wait(words)` waits with all threads of the block, ends with a barrier, and returns whether
  /// the words came. The function begins and ends with a barrier. Returns false if the watchdog
  /// stopped the run.
  template <class Block, class Memory, class Leave, class Wait, class Take>
  [[nodiscard]] GRIDLOOM_FN bool meet(Block const& block, Memory& memory, Leave&& leave,
                                      Wait&& wait, Take&& take) {
    ++came_;
    block.sync();
    leave();
    block.sync();
    if (share_.members == 1) return true;
    if (block.thread_rank() == 0) memory.store_release(meetings_ + share_.member, came_);  // TM.R1
    if (!wait(panel_words{meetings_, share_.members, came_})) return false;  // TM.R1, TM.R2
    take();
    block.sync();
    return true;
  }

  /// Leaves this member's part in `at`, and writes the sum of all members' parts to `sum`. The
  /// parts are added in the order of members, so each member gets the same bits. Without `takes` a
  /// member only leaves its part. Ends with a barrier.
  template <class Block, class Memory, class Real, class Wait>
  [[nodiscard]] GRIDLOOM_FN bool add_up(Block const& block, Memory& memory,
                                        part_buffer<Real> const& at,
                                        square<work_real> const (&parts)[cross_parts],
                                        square<work_real>& sum, Wait&& wait, bool takes = true) {
    auto const leave = [&] {
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
        work_real value = 0;
        for (auto const& part : parts) value += part(e / panel_width, e % panel_width);
        if (share_.members == 1)
          sum(e / panel_width, e % panel_width) = value;
        else
          at.set(share_.member, at.offset(e), value);
      }
    };
    auto const take = [&] {
      if (takes) sum_of_parts(block, at, sum);
    };
    return meet(block, memory, leave, wait, take);
  }

 private:
  template <class Block, class Real>
  GRIDLOOM_FN void sum_of_parts(Block const& block, part_buffer<Real> const& at,
                                square<work_real>& sum) const {
    constexpr int batch = 4;
    for (int begin = block.thread_rank(); begin < square_size;
         begin += batch * block.num_threads()) {
      work_real values[batch] = {};
      std::int64_t offsets[batch];
      GRIDLOOM_UNROLL
      for (int q = 0; q < batch; ++q) {
        int const e = begin + q * block.num_threads();
        // Surplus entries are not used.
        offsets[q] = at.offset(e < square_size ? e : begin);
      }
      // Loads the parts of several members at once.
      constexpr int ahead = 4;
      int member = 0;
      for (; member + ahead <= share_.members; member += ahead) {
        work_real got[ahead][batch];
        GRIDLOOM_UNROLL
        for (int i = 0; i < ahead; ++i) {
          GRIDLOOM_UNROLL
          for (int q = 0; q < batch; ++q) got[i][q] = at.get(member + i, offsets[q]);
        }
        GRIDLOOM_UNROLL
        for (int i = 0; i < ahead; ++i) {
          GRIDLOOM_UNROLL
          for (int q = 0; q < batch; ++q) values[q] += got[i][q];
        }
      }
      for (; member < share_.members; ++member) {
        GRIDLOOM_UNROLL
        for (int q = 0; q < batch; ++q) values[q] += at.get(member, offsets[q]);
      }
      GRIDLOOM_UNROLL
      for (int q = 0; q < batch; ++q) {
        int const e = begin + q * block.num_threads();
        if (e < square_size) sum(e / panel_width, e % panel_width) = values[q];
      }
    }
  }

  std::uint32_t* meetings_;
  row_share share_;
  std::uint32_t came_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
