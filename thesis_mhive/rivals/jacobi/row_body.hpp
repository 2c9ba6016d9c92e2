#pragma once
// An iteration of the Jacobi method with one thread per row, for the simplest rivals. It is fast
// for short rows. With long rows, the other threads of a warp wait.

#include <cmath>
#include <cstdint>

#include "gridloom/group.hpp"
#include "thesis_mhive/apps/jacobi/device_system.hpp"
#include "thesis_mhive/apps/jacobi/row_sum.hpp"

namespace gridloom::mhive::jacobi {

/// Computes this thread's share of the rows and returns Σ |x_new − x_old| over them. x(iteration -
/// 1) must be complete.
template <thread_group Block, class Value>
GRIDLOOM_FN double compute_by_rows(Block const& block, system_ref<Value> const& of,
                                   std::uint32_t iteration) {
  Value const* const x_old = of.x[(iteration + 1) % 2];
  Value* const x_new = of.x[iteration % 2];
  auto const threads = static_cast<std::uint32_t>(block.num_threads());
  auto const stride = static_cast<std::uint32_t>(block.count()) * threads;
  double change = 0;
  for (std::uint32_t row = static_cast<std::uint32_t>(block.index()) * threads +
                           static_cast<std::uint32_t>(block.thread_rank());
       row < of.num_rows; row += stride) {
    std::uint32_t const begin = of.row_offsets[row];
    std::uint32_t const n = of.row_offsets[row + 1] - begin;
    Value const right_side = of.right_side[row];
    Value const diagonal = of.diagonal[row];
    Value const old = x_old[row];
    auto const product = [&](std::uint32_t i) -> Value {
      return of.values[begin + i] * x_old[of.columns[begin + i]];
    };
    Value const sum = segmented_sum<Value>(thread_of_one(0, 1), n, of.segment, product);
    Value const now = new_value(right_side, sum, diagonal, old);
    x_new[row] = now;
    change += std::fabs(static_cast<double>(now) - static_cast<double>(old));
  }
  return change;
}

}  // namespace gridloom::mhive::jacobi
