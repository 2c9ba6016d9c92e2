#pragma once
// Runs all iterations in one cooperative launch, without a barrier of the grid. Blocks keep their
// rows, and each waits only for blocks whose values of x it reads (see neighbour_plan.hpp).
//
// In a local plan, x is in the blocks' shared memory. Values for other blocks go through slots that
// hold a value together with its iteration number. A reader that finds the number has the value,
// without a fence or a flag. In other plans, x is in global memory, and one flag per block holds
// the number of its present iterate.
//
// Rules of order, cited where they apply:
// NB.R1. Local plans: a value and its iteration share one slot (tagged.hpp), and no other data
//     depends on it. So no fence is needed.
// NB.R2. Local plans: slots alternate between two sets. A block writes x(k) over x(k - 2) only
//     after it found its neighbours' x(k - 1). The neighbours wrote x(k - 1) after they found this
//     block's x(k - 2). This requires that neighbours read each other, so the plan adds a row to
//     read where the matrix does not. Dependencies replace a fence. A read that finds its iteration
//     ends a loop. The vote of the block depends on all its loops. The block's next writes depend
//     on the vote, and reads elsewhere depend on those writes. If the read had found x(k) instead,
//     these dependencies would form a cycle, which the PTX memory model excludes (No-Thin-Air). On
//     the host, slots acquire and release.
// NB.R3. Other plans: after a barrier of the block, its flag k releases the values of x(k) that
//     others read. A reader acquires the flag before a barrier of its own block. As in NB.R2, x(k)
//     does not overwrite x(k - 2) while a block reads it.
// NB.R4. Progress: all blocks are resident, and each publishes x(k) before it waits for others'
//     x(k).

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "neighbour_plan.hpp"
#include "persistent_loop.hpp"
#include "thesis_mhive/apps/jacobi/row_sum.hpp"

namespace gridloom::mhive::jacobi {

/// These values were chosen for an H200, by the latency of its signals and the size of its shared
/// memory.
struct neighbours_tuning {
  /// Shared memory of a block that caches a local plan: nearly all of a multiprocessor's.
  static constexpr std::size_t cache_bytes = 216 * 1024;
  /// Shared memory of a block that caches a plan that is not local. The rest is L1 cache, through
  /// which x is read.
  static constexpr std::size_t cache_bytes_beside_x = 100 * 1024;
  /// Largest part of cache_bytes for x in a local plan; the rest is for the matrix.
  static constexpr std::size_t local_bytes = 176 * 1024;
  /// A block with more neighbours would read most of what others write in every iteration. Then
  /// there are fewer blocks, and flags instead of one slot per value.
  static constexpr std::uint32_t most_neighbours = 32;
  /// A further block must have at least this many entries. With fewer, waiting for others costs
  /// more than the block saves. If blocks have more than `most_neighbours` neighbours, waiting
  /// costs more, and least_entries_with_many applies.
  static constexpr std::uint32_t least_entries = 1024;
  static constexpr std::uint32_t least_entries_with_many = 8192;
};

/// The kernel's view of a plan, and of the kernel's own words. Arrays are as in neighbour_plan.
template <class Value, class Index>
struct neighbours_ref {
  block_part const* parts;
  Value const* values;
  Index const* columns;
  std::uint32_t const* slice_offsets;
  Index const* rows;
  Value const* right_side;
  long_row<Value> const* long_rows;
  std::uint32_t const* halo;
  std::uint32_t const* neighbours;
  /// x(k) is in x[k % 2]. A local plan writes only the last iterate.
  Value* x[2];
  /// Local plans: slots that other blocks read. Those of x(k) are in exports[k % 2].
  tagged<Value>* exports[2];
  /// Other plans: the number of iterations that each block has done. The words are line_bytes
  /// apart.
  std::uint32_t* flags;
};

/// The persistent kernel of a plan. In a local plan x is in shared memory, and an index has 16
/// bits.
template <class Value, bool Local>
struct neighbours_kernel {
  static constexpr int max_threads = 1024;
  static constexpr bool persistent = true;
  using index = std::conditional_t<Local, std::uint16_t, std::uint32_t>;
  static constexpr index none = static_cast<index>(no_index);
  struct scratch {
    residual_scratch residuals;
    alignas(16) unsigned char
        cache[Local ? neighbours_tuning::cache_bytes : neighbours_tuning::cache_bytes_beside_x];
  };

  neighbours_ref<Value, index> of;
  residual_ref residuals;
  std::uint32_t segment;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    worker<Block> own{*this, block, shared};
    own.load();
    iterate_until_judged(own, block, residuals, shared.residuals, dog);
  }

 private:
  // A part's arrays, in global or in shared memory.
  struct entries_ref {
    Value const* values;
    index const* columns;
    std::uint32_t const* offsets;
    index const* rows;
    Value const* right_side;
  };

  // The threads' view of the block's part.
  template <class Block>
  struct worker {
    neighbours_kernel const& kernel;
    Block const& block;
    scratch& shared;
    block_part part;
    std::uint32_t rank;
    std::uint32_t threads;
    // Where arrays begin in shared memory, in bytes from the beginning of the cache.
    /// The slots of the halo, which follow x.
    std::uint32_t slots_at;
    std::uint32_t values_at;
    std::uint32_t right_side_at;
    std::uint32_t offsets_at;
    std::uint32_t columns_at;
    std::uint32_t rows_at;

    GRIDLOOM_FN worker(neighbours_kernel const& of_kernel, Block const& of_block, scratch& own)
        : kernel(of_kernel),
          block(of_block),
          shared(own),
          part(of_kernel.of.parts[of_block.index()]),
          rank(static_cast<std::uint32_t>(of_block.thread_rank())),
          threads(static_cast<std::uint32_t>(of_block.num_threads())) {
      std::uint32_t at = 0;
      std::uint32_t const cached_slots = part.cached_slices * slice_rows;
      take<Value>(at, Local ? 2 * (part.num_rows + part.num_halo) : 0);
      slots_at = take<std::uint32_t>(at, part.num_halo);
      values_at = take<Value>(at, part.cached_entries);
      right_side_at = take<Value>(at, cached_slots);
      offsets_at = take<std::uint32_t>(at, part.cached_slices + 1);
      columns_at = take<index>(at, part.cached_entries);
      rows_at = take<index>(at, cached_slots);
    }
    template <class T>
    GRIDLOOM_FN static std::uint32_t take(std::uint32_t& at, std::uint32_t n) {
      std::uint32_t const begin = at;
      at += (n * static_cast<std::uint32_t>(sizeof(T)) + 15) / 16 * 16;
      return begin;
    }
    template <class T>
    GRIDLOOM_FN T* cached(std::uint32_t at) const {
      return reinterpret_cast<T*>(shared.cache + at);
    }
    GRIDLOOM_FN Value* local_x(std::uint32_t iteration) const {
      return cached<Value>(0) + iteration % 2 * (part.num_rows + part.num_halo);
    }
    GRIDLOOM_FN Value* x_of(std::uint32_t iteration) const {
      if constexpr (Local) {
        return local_x(iteration);
      } else {
        return iteration % 2 == 0 ? kernel.of.x[0] : kernel.of.x[1];
      }
    }
    GRIDLOOM_FN tagged<Value>* exports_of(std::uint32_t iteration) const {
      return iteration % 2 == 0 ? kernel.of.exports[0] : kernel.of.exports[1];
    }
    // Return the part's arrays in global memory and in shared memory.
    GRIDLOOM_FN entries_ref whole() const {
      auto const& of = kernel.of;
      std::size_t const slots = std::size_t{part.first_slice} * slice_rows;
      return {of.values + part.first_entry, of.columns + part.first_entry,
              of.slice_offsets + part.first_slice + block.index(), of.rows + slots,
              of.right_side + slots};
    }
    GRIDLOOM_FN entries_ref cached() const {
      return {cached<Value>(values_at), cached<index>(columns_at),
              cached<std::uint32_t>(offsets_at), cached<index>(rows_at),
              cached<Value>(right_side_at)};
    }
    template <class T>
    GRIDLOOM_FN void copy(T* to, T const* from, std::uint32_t n) const {
      for (std::uint32_t i = rank; i < n; i += threads) to[i] = from[i];
    }

    // Fills the cache, and sets x(0) to 1. The caller must synchronise the block afterwards.
    GRIDLOOM_FN void load() const {
      if constexpr (Local) {
        std::uint32_t const all = part.num_rows + part.num_halo;
        for (std::uint32_t i = rank; i < 2 * all; i += threads) cached<Value>(0)[i] = Value{1};
        copy(cached<std::uint32_t>(slots_at), kernel.of.halo + part.first_halo, part.num_halo);
      }
      entries_ref const from = whole();
      std::uint32_t const cached_slots = part.cached_slices * slice_rows;
      copy(cached<Value>(values_at), from.values, part.cached_entries);
      copy(cached<index>(columns_at), from.columns, part.cached_entries);
      copy(cached<std::uint32_t>(offsets_at), from.offsets, part.cached_slices + 1);
      copy(cached<Value>(right_side_at), from.right_side, cached_slots);
      copy(cached<index>(rows_at), from.rows, cached_slots);
      block.sync();
    }

    // Waits for the values of other blocks that iteration k reads. Returns true if the time limit
    // has passed. Some threads may return earlier than others.
    template <class Memory>
    GRIDLOOM_FN bool receive(Memory& memory, watch& watcher, std::uint32_t k) const {
      if (k == 1) return false;
      if constexpr (Local) {
        constexpr std::uint32_t batch = 2;
        tagged<Value> const* const from = exports_of(k - 1);
        Value* const to = local_x(k - 1) + part.num_rows;
        std::uint32_t const* const slots = cached<std::uint32_t>(slots_at);
        for (std::uint32_t first = rank; first < part.num_halo; first += batch * threads) {
          Value value[batch];
          std::uint32_t missing;
          std::uint32_t attempt = 0;
          do {
            missing = 0;
            GRIDLOOM_UNROLL
            for (std::uint32_t j = 0; j < batch; ++j) {
              std::uint32_t const i = first + j * threads;
              // NB.R1
              if (i < part.num_halo && !memory.get_tagged_alone(from + slots[i], k - 1, value[j])) {
                ++missing;
              }
            }
            if (missing == 0) break;
            if (waited_too_long(memory, watcher, ++attempt)) {
              watcher.note(wait_kind::ring_slot, slots[first], k - 2, k - 1);
              return true;
            }
            block.pause(attempt);
          } while (true);
          GRIDLOOM_UNROLL
          for (std::uint32_t j = 0; j < batch; ++j) {
            std::uint32_t const i = first + j * threads;
            if (i < part.num_halo) to[i] = value[j];
          }
        }
      } else {
        auto const warp_threads = threads < 32 ? threads : 32;
        if (rank >= warp_threads) return false;
        std::uint32_t const* const who = kernel.of.neighbours + part.first_neighbour;
        for (std::uint32_t i = rank; i < part.num_neighbours; i += warp_threads) {
          std::uint32_t const* const flag = flag_of(who[i]);
          std::uint32_t attempt = 0;
          while (memory.load_acquire(flag) + 1 < k) {  // NB.R3
            if (waited_too_long(memory, watcher, ++attempt)) {
              watcher.note(wait_kind::neighbour, who[i], memory.load_relaxed(flag), k - 1);
              return true;
            }
            block.pause(attempt);
          }
        }
      }
      return false;
    }
    GRIDLOOM_FN std::uint32_t* flag_of(std::uint32_t number) const {
      return kernel.of.flags + std::size_t{number} * (line_bytes / sizeof(std::uint32_t));
    }

    // Computes x(k). Waits for nothing, so it returns false.
    template <class Memory>
    GRIDLOOM_FN bool iterate(Memory& memory, watch& /*watcher*/, std::uint32_t k,
                             double& change) const {
      Value const* const x_old = x_of(k - 1);
      Value* const x_new = x_of(k);
      if (part.num_long != 0) change += long_rows(memory, k, x_old, x_new);
      if constexpr (Local) {
        change += slices(memory, k, 0, part.num_slices, x_old, x_new);
      } else {
        change += slices(memory, k, 0, part.edge_slices, x_old, x_new);
        block.sync();  // NB.R3
        if (rank == 0) memory.store_release(flag_of(static_cast<std::uint32_t>(block.index())), k);
        change += slices(memory, k, part.edge_slices, part.num_slices, x_old, x_new);
      }
      return false;
    }

    template <class Memory>
    GRIDLOOM_FN void put(Memory& memory, std::uint32_t k, std::uint32_t slot, Value value) const {
      memory.put_tagged(exports_of(k) + part.first_export + slot, k, value);  // NB.R1, NB.R2
    }

    // Computes the slices [first, last): first those in shared memory, then the others.
    template <class Memory>
    GRIDLOOM_FN double slices(Memory& memory, std::uint32_t k, std::uint32_t first,
                              std::uint32_t last, Value const* x_old, Value* x_new) const {
      double change = 0;
      std::uint32_t slot = first * slice_rows + rank;
      std::uint32_t const end = (last < part.cached_slices ? last : part.cached_slices);
      entries_ref const kept = cached();
      for (; slot < end * slice_rows; slot += threads) {
        change += row(memory, k, slot, kept, x_old, x_new);
      }
      if (slot >= last * slice_rows) return change;
      entries_ref const in = whole();
      for (; slot < last * slice_rows; slot += threads) {
        change += row(memory, k, slot, in, x_old, x_new);
      }
      return change;
    }

    template <class Memory>
    GRIDLOOM_FN double row(Memory& memory, std::uint32_t k, std::uint32_t slot,
                           entries_ref const& in, Value const* x_old, Value* x_new) const {
      // With x in global memory, all loads of a batch should be in flight together. Without
      // barriers the compiler mixes them with products that wait for loads. That costs a large
      // system up to a seventh of its time. The places of the warp's barriers were found by
      // measuring.
      constexpr bool factors_first = !Local;
      // A larger batch would not fit 64 registers.
      constexpr std::uint32_t batch = factors_first ? 5 : 6;
      std::uint32_t const slice = slot / slice_rows;
      index const own = in.rows[slot];
      Value const right = in.right_side[slot];
      std::uint32_t const begin = in.offsets[slice];
      std::uint32_t const width = (in.offsets[slice + 1] - begin) / slice_rows;
      Value const* const value_at = in.values + begin + slot % slice_rows;
      index const* const column_at = in.columns + begin + slot % slice_rows;
      Value sum{0};
      Value diagonal{1};
      Value old{0};
      for (std::uint32_t done = 0; done < width; done += batch) {
        index column[batch];
        Value value[batch];
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          column[j] = none;
          value[j] = Value{0};
          if (done + j < width) {
            column[j] = column_at[(done + j) * slice_rows];
            value[j] = value_at[(done + j) * slice_rows];
          }
        }
        if constexpr (!Local) block.warp().sync();
        auto const multiply = [&](std::uint32_t j, Value factor) {
          if (column[j] == own) {
            diagonal = value[j];
            old = factor;
          }
          value[j] *= factor;
        };
        if constexpr (factors_first) {
          Value factor[batch];
          GRIDLOOM_UNROLL
          for (std::uint32_t j = 0; j < batch; ++j) {
            factor[j] = column[j] == none ? Value{0} : x_old[column[j]];
          }
          block.warp().sync();
          GRIDLOOM_UNROLL
          for (std::uint32_t j = 0; j < batch; ++j) {
            if (column[j] == none) continue;
            multiply(j, factor[j]);
            sum += value[j];
          }
          continue;
        }
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          if (column[j] != none) multiply(j, x_old[column[j]]);
        }
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          if (column[j] != none) sum += value[j];
        }
      }
      if (own == none) return 0;
      Value const now = new_value(right, sum, diagonal, old);
      if constexpr (Local) {
        if (slice < part.edge_slices) put(memory, k, part.num_long + slot, now);
      }
      x_new[own] = now;
      return std::fabs(static_cast<double>(now) - static_cast<double>(old));
    }

    // Sums the long rows, with one warp per row.
    template <class Memory>
    GRIDLOOM_FN double long_rows(Memory& memory, std::uint32_t k, Value const* x_old,
                                 Value* x_new) const {
      auto const warp = block.warp();
      entries_ref const in = part.cached_entries != 0 ? cached() : whole();
      double change = 0;
      for (std::uint32_t i = rank / 32; i < part.num_long; i += (threads + 31) / 32) {
        long_row<Value> const of_row = kernel.of.long_rows[part.first_long + i];
        Value const* const values = in.values + of_row.first_entry;
        index const* const columns = in.columns + of_row.first_entry;
        Value const sum = segmented_sum<Value>(
            warp, of_row.num_entries, kernel.segment,
            [&](std::uint32_t e) -> Value { return values[e] * x_old[columns[e]]; });
        if (warp.thread_rank() != 0) continue;
        Value const old = x_old[of_row.row];
        Value const now = new_value(of_row.right_side, sum, of_row.diagonal, old);
        if constexpr (Local) put(memory, k, i, now);
        x_new[of_row.row] = now;
        change += std::fabs(static_cast<double>(now) - static_cast<double>(old));
      }
      return change;
    }

    // Writes x(last) for the host.
    GRIDLOOM_FN void finish(std::uint32_t last) const {
      if constexpr (Local) {
        copy(kernel.of.x[last % 2] + part.first_row, local_x(last), part.num_rows);
      }
    }
  };
};

}  // namespace gridloom::mhive::jacobi
