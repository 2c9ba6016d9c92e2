#pragma once
// How the blocks of a team take a panel through the factorisation, how they add up what each has
// computed from its rows, and how teams tell each other that a panel is finished.
//
// Sums take little memory. While a team holds a panel in shared memory, the panel's place in the
// matrix is free: the members leave their parts of the products with finished reflectors there.
// Parts of the panel's own sums need memory, but panels finish one after the other, so the teams of
// a matrix share it.
//
// Rules of order and progress, cited where they are served:
// TM.R1. A block's threads write, then synchronise, then one of them stores to a word of its block
//     with release order. Another block reads the word with acquire order, and synchronises. So
//     what was written before the word is visible after it.
// TM.R2. The buffers of parts alternate. A block writes a buffer again two meetings later. By then
//     it has passed the meeting in between, to which every member came after it had read the
//     buffer.
// TM.R3. Progress: all blocks of a launch are resident. A team works on its panels from left to
//     right and waits only for panels further left; the leftmost unfinished panel waits for none.
//     Members of a team come to the same meetings, since all branch on the same sums.
// TM.R4. While a member holds its rows of a panel, from loading to storing, their place in the
//     matrix belongs to it. Other members read parts there in meetings, and other teams read
//     reflectors there once these are announced (TM.R1). Before a member stores, it has passed a
//     meeting to which every member came after reading the last part there. That is the meeting of
//     the panel's own sums, or one without a sum if a panel has no reflectors.
// TM.R5. Buffers of the panels' own sums belong to the next panel. A block writes them for panel p
//     after it has seen T of panel p - 1 (TM.R1). T is announced after all other reads for that
//     panel: the members read sums and top square before they come to the meeting for T, and only
//     the member that announces T reads that meeting's sum. Panel 0 follows another matrix's panels
//     only where one team has the whole matrix (choose_teams); there TM.R2 keeps the buffers apart.

#include "gridloom/watchdog.hpp"
#include "ours/panel/parts.hpp"
#include "ours/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// The condition of a block's wait: `count` consecutive words have all reached `wanted`.
struct panel_words {
  std::uint32_t const* first;
  int count;
  std::uint32_t wanted;
};

/// The steps of each block of a team for a panel: it applies the reflectors of all panels to the
/// left, then makes the panel's own reflectors if it is one of the first `panels` panels. False
/// means stopped.
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
  /// `meetings`: the count of each member of the team; zero at the start.
  GRIDLOOM_FN team_member(std::uint32_t* meetings, row_share share)
      : meetings_(meetings), share_(share) {}

  /// Which of the two buffers the next meeting uses. TM.R2
  GRIDLOOM_FN int buffer() const { return static_cast<int>(came_ & 1U); }

  /// Calls `leave()`, comes to the meeting, waits for all members, and calls `take()`. What all
  /// members left can be read there, until the next meeting. `wait(words)` waits with all threads
  /// of the block, ends with a barrier, and returns whether the words came. Begins with a barrier;
  /// ends with one if there are several members. False means that the watchdog stopped the run.
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

  /// Adds the parts of all members in `at` to `sum`, in the order of members, so that each member
  /// gets the same bits. Without `takes` a member only leaves its part. Ends with a barrier.
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
        offsets[q] = at.offset(e < square_size ? e : begin);  // surplus elements are not used
      }
      // Several members' parts are loaded at once.
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
