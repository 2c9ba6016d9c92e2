#pragma once
// How the blocks of a team add up what each has computed of its rows, and how teams tell each other
// that a panel is finished.
//
// Rules of order and progress, cited where they are served:
// R1. A block's threads write, meet, and one of them stores to a word of its block with release
//     order; another block's thread that reads it with acquire order hands it to its own threads by a
//     meeting. So what was written before the word is seen after it.
// R2. The sums' buffers alternate. A block writes a buffer again two meetings later: it has then
//     passed the meeting between, to which every member came after it had read the first.
// R3. Progress: all blocks of a launch are resident. A team works on its panels from left to right
//     and waits only for panels further left; the leftmost unfinished panel waits for none. Members
//     of a team meet in the same places, since all branch on the same sums.

#include "gridloom/watchdog.hpp"
#include "tiled_qr/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// What a block waits for: that `count` words next to each other have all reached `wanted`.
struct panel_words {
  std::uint32_t const* first;
  int count;
  std::uint32_t wanted;
};

/// What teams share in device memory.
template <class Real>
struct team_memory {
  /// A buffer for each team, parity and member, of a small square matrix each.
  Real* sums;
  /// One for each team and parity: the top square of a panel, by the member that holds it.
  Real* tops;
  /// Meetings that each member of each team has come to; zero at the start.
  std::uint32_t* meetings;
};

inline constexpr int square_size = panel_width * panel_width;

/// One block's place in its team.
template <class Real>
class team_member {
 public:
  GRIDLOOM_FN team_member(team_memory<Real> memory, int team, row_share share)
      : memory_(memory), team_(team), share_(share) {}

  /// Where the member that holds the top square leaves it for the next `add_up`.
  GRIDLOOM_FN Real* top() const { return memory_.tops + std::size_t(parity()) * square_size; }

  /// Sums the parts of all members into `sum`, in the order of members, so that each gets the same to
  /// the last bit. `wait(words)` waits for panel_words, with all threads, and says whether they
  /// came. Begins and ends with a barrier; false means stopped.
  template <class Block, class Memory, class Wait>
  [[nodiscard]] GRIDLOOM_FN bool add_up(Block const& block, Memory& memory,
                                        square<Real> const (&parts)[cross_parts], square<Real>& sum,
                                        Wait&& wait) {
    Real* const buffer = memory_.sums + std::size_t(parity()) * share_.members * square_size;
    ++meetings_;
    block.sync();
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      Real value = 0;
      for (auto const& part : parts) value += part(e / panel_width, e % panel_width);
      if (share_.members == 1)
        sum(e / panel_width, e % panel_width) = value;
      else
        buffer[share_.member * square_size + e] = value;
    }
    block.sync();
    if (share_.members == 1) return true;
    std::uint32_t* const meetings = memory_.meetings + std::size_t(team_) * share_.members;
    if (block.thread_rank() == 0) memory.store_release(meetings + share_.member, meetings_);  // R1
    if (!wait(panel_words{meetings, share_.members, meetings_})) return false;
    constexpr int batch = 4;
    for (int begin = block.thread_rank(); begin < square_size;
         begin += batch * block.num_threads()) {
      Real values[batch] = {};
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int member = 0; member < share_.members; ++member) {
        GRIDLOOM_UNROLL
        for (int q = 0; q < batch; ++q) {
          int const e = begin + q * block.num_threads();
          if (e < square_size) values[q] += buffer[member * square_size + e];
        }
      }
      GRIDLOOM_UNROLL
      for (int q = 0; q < batch; ++q) {
        int const e = begin + q * block.num_threads();
        if (e < square_size) sum(e / panel_width, e % panel_width) = values[q];
      }
    }
    block.sync();
    return true;
  }

 private:
  GRIDLOOM_FN std::size_t parity() const {
    return std::size_t(team_) * 2 + (meetings_ & 1U);
  }  // R2

  team_memory<Real> memory_;
  int team_;
  row_share share_;
  std::uint32_t meetings_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
