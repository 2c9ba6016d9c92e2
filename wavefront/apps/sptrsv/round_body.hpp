#pragma once
// The parts of a round that all kernels share: loading the entries of a warp's lanes, and summing
// over the lanes of a row.

#include "gridloom/group.hpp"
#include "solve_plan.hpp"

namespace gridloom::wavefront::sptrsv {

/// The plan in a device's memory, and the vectors.
struct system_ref {
  std::uint32_t const* numbers;
  double const* inverses;
  std::uint32_t const* from;
  double const* factors;
  double const* right_side;
  double* x;
};

/// Largest number of threads per block, because lanes need many registers.
inline constexpr int most_planned_threads = 512;
/// Number of steps (entries of a lane) that a lane handles together.
inline constexpr std::uint32_t batch_steps = 4;

/// A lane's entries of batch_steps steps. `from` is `nothing` in steps without an entry.
struct lane_batch {
  std::uint32_t from[batch_steps];
  double factor[batch_steps];
};

/// The data of a round that a lane reads before any x. The first lane of a row also reads the row's
/// number, 1 / the diagonal, and b.
struct lane_round {
  lane_batch first;
  std::uint32_t number;
  double inverse;
  double right_side;
};

template <warp_group Warp>
GRIDLOOM_FN bool leads_row(Warp const& warp, round_info const& round) {
  auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
  return (rank & ((1U << round.log2_lanes) - 1)) == 0 && rank >> round.log2_lanes < round.rows;
}
template <warp_group Warp>
GRIDLOOM_FN std::uint32_t position_of(Warp const& warp, round_info const& round) {
  return round.first + (static_cast<std::uint32_t>(warp.thread_rank()) >> round.log2_lanes);
}

template <warp_group Warp>
GRIDLOOM_FN void read_batch(Warp const& warp, system_ref const& of, round_info const& round,
                            std::uint32_t step, lane_batch& batch) {
  auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
  GRIDLOOM_UNROLL
  for (std::uint32_t j = 0; j < batch_steps; ++j) {
    batch.from[j] = nothing;
    batch.factor[j] = 0;
    if (step + j < round.steps) {
      std::size_t const at = (std::size_t{round.entries} + step + j) * lanes +
                             static_cast<std::size_t>(warp.thread_rank());
      batch.from[j] = of.from[at];
      batch.factor[j] = of.factors[at];
    }
  }
}
/// The number of the lane's row; 0 unless the lane is the first of a row.
template <warp_group Warp>
GRIDLOOM_FN std::uint32_t read_number(Warp const& warp, system_ref const& of,
                                      round_info const& round) {
  return leads_row(warp, round) ? of.numbers[position_of(warp, round)] : 0;
}
template <warp_group Warp>
GRIDLOOM_FN void read_round(Warp const& warp, system_ref const& of, round_info const& round,
                            std::uint32_t number, lane_round& mine) {
  read_batch(warp, of, round, 0, mine.first);
  mine.number = number;
  mine.inverse = mine.right_side = 0;
  if (leads_row(warp, round)) {
    mine.inverse = of.inverses[position_of(warp, round)];
    mine.right_side = of.right_side[number];
  }
}

/// Returns the sum of `value` over the lanes of a row to these lanes. Called by the whole warp.
template <warp_group Warp>
GRIDLOOM_FN double sum_of_row(Warp const& warp, round_info const& round, double value) {
  for (std::uint32_t stride = 1U << round.log2_lanes; stride > 1;) {
    stride /= 2;
    value += warp.shuffle(value, warp.thread_rank() ^ static_cast<int>(stride));
  }
  return value;
}

}  // namespace gridloom::wavefront::sptrsv
