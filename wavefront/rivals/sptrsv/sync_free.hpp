#pragma once
// Triangular solve without an analysis. One warp solves one row, in the order of the rows. Its
// lanes wait for the flags of the row's predecessors. Published by W. Liu, A. Li, J. Hogg, I. S.
// Duff and B. Vinter, "A Synchronization-Free Algorithm for Parallel Sparse Triangular Solves",
// Euro-Par 2016. The variant by rows is from E. Dufrechou and P. Ezzatti: "Solving Sparse
// Triangular Linear Systems in Modern GPUs: A Synchronization-Free Algorithm", PDP 2018.
//
// Here warps are persistent and take rows in turn. A flag holds the number of the run, so flags are
// not cleared between runs.
//
// Rules of order, cited where they are served:
// SF.R1. A warp writes x before it releases the flag. A lane that acquires the flag sees x.
// SF.R2. No run has the number of an earlier run.
// SF.R3. Progress. Warps are resident and take rows in rising order, and rows wait for smaller
//     ones. So the warp of the smallest unfinished row is at that row, which waits for nothing.
// SF.R4. End: a warp leaves after its last row, or when the watchdog stops the run.

#include "apps/sptrsv/round_body.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::wavefront::sptrsv {

struct sync_free_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  std::uint32_t rows;
  /// Number of rows + 1 entries. The last entry of a row is on the diagonal.
  std::uint32_t const* offsets;
  std::uint32_t const* columns;
  double const* values;
  double const* right_side;
  double* x;
  std::uint32_t* flags;
  std::uint32_t run;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    direct_memory memory;
    watch patience(dog, warp.index());
    for (auto row = static_cast<std::uint32_t>(warp.index()); row < rows;
         row += static_cast<std::uint32_t>(warp.count())) {  // SF.R3
      std::uint32_t const diagonal = offsets[row + 1] - 1;
      double sum = 0;
      for (std::uint32_t first = offsets[row]; first < diagonal; first += lanes) {
        std::uint32_t const e = first + rank;
        bool waits = e < diagonal;
        for (unsigned attempt = 0; warp.any(waits); ++attempt) {
          if (waits && memory.load_acquire(flags + columns[e]) == run) {  // SF.R1, SF.R2
            sum += values[e] * x[columns[e]];
            waits = false;
          }
          if (patience.due() && warp.any(rank == 0 && patience.out_of_time(memory))) {  // SF.R4
            std::uint32_t const waiting = warp.ballot(waits);
            if (waiting != 0 && warp.thread_rank() == first_lane(waiting))
              patience.note(wait_kind::task, columns[e], 0, 1);
            return;
          }
          give_way(attempt);
        }
      }
      for (std::uint32_t stride = lanes / 2; stride > 0; stride /= 2)
        sum += warp.shuffle(sum, static_cast<int>(rank ^ stride));
      if (rank != 0) continue;
      x[row] = (right_side[row] - sum) / values[diagonal];
      memory.store_release(flags + row, run);  // SF.R1
    }
  }
};

}  // namespace gridloom::wavefront::sptrsv
