#pragma once
// How the blocks of a team take a panel on its way, how they add up what each has computed of its
// rows, and how teams tell each other that a panel is finished.
//
// Sums take hardly any memory. While a team holds a panel in shared memory, nobody needs the panel's
// place in the matrix: the members leave there their parts of the products with finished reflectors.
// Parts of the panel's own sums need memory, but panels are finished one after the other, so that the
// teams of a matrix share it.
//
// Rules of order and progress, cited where they are served:
// R1. A block's threads write, meet, and one of them stores to a word of its block with release
//     order; another block's thread that reads it with acquire order hands it to its own threads by a
//     meeting. So what was written before the word is seen after it.
// R2. The parts' buffers alternate. A block writes a buffer again two meetings later: it has then
//     passed the meeting between, to which every member came after it had read the first.
// R3. Progress: all blocks of a launch are resident. A team works on its panels from left to right
//     and waits only for panels further left; the leftmost unfinished panel waits for none. Members
//     of a team meet in the same places, since all branch on the same sums.
// R4. A panel's place in the matrix is its team's, and the rows in it their member's, from the time
//     that the member has loaded them until it stores them: others read parts there in meetings, and
//     reflectors once they are told (R1). Before a member stores, it has passed a meeting to which
//     every member came after it had read the last part there: that of the panel's own sums, or one
//     without a sum where a panel has no reflectors.
// R5. Buffers of the panels' own sums belong to the panel that is next. A block writes them for panel p
//     after it has seen T of panel p - 1 (R1), and T is told after all other reads for that panel:
//     the members read sums and top square before they come to the meeting for T, and that meeting's
//     sum is read only by the member that tells T. Panel 0 follows another matrix's panels only where
//     one team has the whole matrix (choose_teams), and then R2 keeps the buffers apart.

#include "gridloom/watchdog.hpp"
#include "tiled_qr/panel/parts.hpp"
#include "tiled_qr/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// What a block waits for: that `count` words next to each other have all reached `wanted`.
struct panel_words {
  std::uint32_t const* first;
  int count;
  std::uint32_t wanted;
};

/// What each block of a team does with a panel: takes it past the reflectors of all panels to its left,
/// and turns it into reflectors of its own if it is one of the first `panels` panels; others have none.
/// False means stopped.
template <class Steps>
[[nodiscard]] GRIDLOOM_FN bool take_panel(Steps& steps, int panel, int panels) {
  steps.load(panel);
  for (int k = 0; k < panel && k < panels; ++k)
    if (!steps.apply(k, panel)) return false;  // R3
  if (panel >= panels) {
    if (!steps.meet(panel)) return false;  // R4
    steps.store(panel);
    return true;
  }
  if (!steps.make_reflectors(panel)) return false;
  steps.store(panel);  // R4
  steps.tell_reflectors(panel);
  return steps.finish_t(panel);
}

/// One block's place in its team.
class team_member {
 public:
  /// `meetings`: those that each member of the team has come to; zero at the start.
  GRIDLOOM_FN team_member(std::uint32_t* meetings, row_share share)
      : meetings_(meetings), share_(share) {}

  /// Of the two buffers the one of the next meeting. R2
  GRIDLOOM_FN int buffer() const { return static_cast<int>(came_ & 1U); }

  /// Calls `leave()`, comes, waits for all members, calls `take()`: what all have left can be read
  /// there, until the next meeting. `wait(words)` waits for panel_words, with all threads of the block
  /// and a barrier at its end, and says whether they came. Begins with a barrier, and ends with one
  /// where there are several members; false means stopped.
  template <class Block, class Memory, class Leave, class Wait, class Take>
  [[nodiscard]] GRIDLOOM_FN bool meet(Block const& block, Memory& memory, Leave&& leave,
                                      Wait&& wait, Take&& take) {
    ++came_;
    block.sync();
    leave();
    block.sync();
    if (share_.members == 1) return true;
    if (block.thread_rank() == 0) memory.store_release(meetings_ + share_.member, came_);  // R1
    if (!wait(panel_words{meetings_, share_.members, came_})) return false;                // R1, R2
    take();
    block.sync();
    return true;
  }

  /// Sums the parts of all members, which stand in `at`, into `sum`, in the order of members, so that
  /// each gets the same to the last bit. Without `takes` a member leaves its part only. Ends with a
  /// barrier.
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
        offsets[q] = at.offset(e < square_size ? e : begin);  // what is too much is not used
      }
      // Several members' parts are on their way at once.
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
