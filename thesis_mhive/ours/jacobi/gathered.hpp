#pragma once
// Runs all iterations in one cooperative launch, without a barrier of the grid and without flags. A
// word of x shows whether its value is present. Until then, the word is a NaN that no computation
// gives, the mark of absence.
//
// For every entry of the matrix, a thread reads the x of its column from the word that the owner of
// that row writes. It waits for nothing else. An iteration costs one hop (a write by one
// multiprocessor that another reads) and two barriers of the block. One barrier follows when all
// products are in shared memory, the other when all sums are computed.
//
// Rules of order, cited where they apply:
// GA.R1. A word of x is the value or the mark of absence, and no other data depends on it. So a
//     value needs no fence.
// GA.R2. Iterates rotate through eight arrays. The thread that computes x(k) overwrites x(k - 4)
//     with the mark of absence. x(k + 4) will take that place. Blocks that read each other are less
//     than two iterations apart, so no block still reads x(k - 4).
// GA.R3. One fence per iteration keeps marks before later values. It costs no extra time, because
//     other blocks' values are still on their way. A thread that finds x(k + 3) then finds x(k + 4)
//     absent or present, but never the older value in its place. The reads that found values come
//     before the block's barrier and the fence. The mark of absence, written after x(k), comes
//     before the fence, and the fence before the values of x(k + 1).
// GA.R4. Progress: all blocks are resident, and each publishes x(k) before it waits for others'
//     x(k).

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gathered_plan.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "persistent_loop.hpp"
#include "thesis_mhive/apps/jacobi/row_sum.hpp"

namespace gridloom::mhive::jacobi {

/// These values were chosen for an H200.
struct gathered_tuning {
  /// Shared memory for products, a quarter of the whole. The rest is L1 cache for incoming values
  /// of x.
  static constexpr std::size_t product_bytes = 64 * 1024;
  /// Number of threads of a block, and largest number of entries per thread with which all entries
  /// fit into registers.
  static constexpr int threads = 512;
  static constexpr std::uint32_t most_held = 9;
  /// If the entries are in registers, the largest number of rows per block with more than 32
  /// entries.
  static constexpr std::uint32_t most_held_long = 64;
  /// A further block must have at least this many entries.
  static constexpr std::uint32_t least_entries = 128;
};

/// Number of arrays of x, see GA.R2.
inline constexpr std::uint32_t rotating = 8;

template <class Value>
using word_of = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
/// The mark of absence: all bits are set, which is a NaN.
template <class Value>
inline constexpr word_of<Value> absent = ~word_of<Value>{0};

template <class Value>
GRIDLOOM_FN Value value_in(word_of<Value> word) {
  Value value;
  memcpy(&value, &word, sizeof(value));
  return value;
}
template <class Value>
GRIDLOOM_FN word_of<Value> word_with(Value value) {
  word_of<Value> word;
  memcpy(&word, &value, sizeof(word));
  // A computed NaN with the same bits becomes another NaN.
  return word == absent<Value> ? word >> 1U : word;
}

/// The kernel's view of a plan and of x.
template <class Value>
struct gathered_ref {
  gathered_part const* parts;
  gathered_chunk const* chunks;
  gathered_row<Value> const* rows;
  giant_row<Value> const* giants;
  Value const* values;
  std::uint32_t const* columns;
  std::uint16_t const* places;
  /// Eight arrays of x. At first, one array holds x(0), and the others hold marks of absence.
  word_of<Value>* x;
  std::uint32_t num_rows;
};

/// `Held` is the number of entries that a thread keeps in registers, besides its row. This needs a
/// plan with one chunk per block and no giants. If `Held` is 0, every iteration reads the matrix
/// from global memory.
template <class Value, std::uint32_t Held>
struct gathered_kernel {
  static constexpr int max_threads = gathered_tuning::threads;
  static constexpr bool persistent = true;
  static constexpr std::uint32_t places = gathered_tuning::product_bytes / sizeof(Value);
  static_assert(places <= most_places);
  struct row {
    gathered_row<Value> of;
    /// x(k - 1).
    Value old;
  };
  struct scratch {
    residual_scratch residuals;
    row long_rows[Held != 0 ? gathered_tuning::most_held_long : 1];
    Value products[places];
  };

  gathered_ref<Value> of;
  residual_ref residuals;
  std::uint32_t segment;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    worker<Block> own{*this, block, shared};
    iterate_until_judged(own, block, residuals, shared.residuals, dog);
  }

 private:
  using word = word_of<Value>;
  static constexpr std::uint32_t batch = Held != 0 ? Held : gathered_tuning::most_held;

  // The entries of a thread, which are not consecutive. Beyond the last entry, a thread reads the
  // block's own first x without waiting, and drops the product. Branches around the loads would be
  // slower.
  struct entries {
    Value value[batch];
    std::uint32_t column[batch];
    std::uint32_t place[batch];
  };
  template <class Block>
  struct worker {
    gathered_kernel const& kernel;
    Block const& block;
    scratch& shared;
    gathered_part part;
    /// The chunk whose products are gathered.
    gathered_chunk chunk;
    std::uint32_t rank;
    std::uint32_t threads;
    /// x(k - 1).
    word* x_old;
    /// x(k).
    word* x_new;
    /// Used only if Held > 0, like own_row.
    entries own_entries;
    row own_row;
    double giants_change;

    GRIDLOOM_FN worker(gathered_kernel const& of_kernel, Block const& of_block, scratch& own)
        : kernel(of_kernel),
          block(of_block),
          shared(own),
          part(of_kernel.of.parts[of_block.index()]),
          chunk(of_kernel.of.chunks[part.first_chunk]),
          rank(static_cast<std::uint32_t>(of_block.thread_rank())),
          threads(static_cast<std::uint32_t>(of_block.num_threads())),
          x_old(of_kernel.of.x),
          x_new(turn(x_old, 1)) {
      if constexpr (Held != 0) {
        load(own_entries, 0);
        own_row = {{no_index, 0, 0, 0, 1}, 1};
        if (rank < chunk.num_short) own_row.of = row_of(chunk.num_long + rank);
        for (std::uint32_t i = rank; i < chunk.num_long; i += threads) {
          shared.long_rows[i] = {row_of(i), 1};
        }
      }
    }
    // Returns the array that is used `iterations` iterations after `from`.
    GRIDLOOM_FN word* turn(word* from, std::uint32_t iterations) const {
      std::size_t const n = kernel.of.num_rows;
      word* const to = from + iterations * n;
      return to < kernel.of.x + rotating * n ? to : to - rotating * n;
    }
    GRIDLOOM_FN void load(entries& to, std::uint32_t first) const {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        std::uint32_t const i = first + j * threads + rank;
        to.value[j] = 0;
        to.column[j] = part.first_row;
        to.place[j] = no_place;
        if (i >= chunk.num_entries) continue;
        to.value[j] = kernel.of.values[chunk.first_entry + i];
        to.column[j] = kernel.of.columns[chunk.first_entry + i];
        to.place[j] = kernel.of.places[chunk.first_entry + i];
      }
    }

    // Gathers the products of a chunk. Some threads may return earlier than others.
    template <class Memory>
    GRIDLOOM_FN bool receive(Memory& memory, watch& watcher, std::uint32_t k) {
      giants_change = 0;
      if constexpr (Held != 0) {
        return multiply(memory, watcher, k, own_entries);
      } else {
        if (part.num_giants != 0 && giants(memory, watcher, k)) return true;
        if (part.num_chunks > 1) chunk = kernel.of.chunks[part.first_chunk];
        return gather(memory, watcher, k);
      }
    }
    template <class Memory>
    GRIDLOOM_FN bool gather(Memory& memory, watch& watcher, std::uint32_t k) const {
      for (std::uint32_t begin = 0; begin < chunk.num_entries; begin += batch * threads) {
        entries some;
        load(some, begin);
        if (multiply(memory, watcher, k, some)) return true;
      }
      return false;
    }
    template <class Memory>
    GRIDLOOM_FN bool multiply(Memory& memory, watch& watcher, std::uint32_t k,
                              entries const& of) const {
      word seen[batch];
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        seen[j] = memory.load_in_batch(x_old + of.column[j]);  // GA.R1
      }
      for (std::uint32_t attempt = 1;; ++attempt) {
        std::uint32_t missing = no_index;
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          if (seen[j] != absent<Value>) continue;
          missing = of.column[j];
          seen[j] = memory.load_in_batch(x_old + of.column[j]);
        }
        if (missing == no_index) break;
        if (gives_up(memory, watcher, attempt, missing, k)) return true;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (of.place[j] == no_place) continue;
        shared.products[of.place[j]] = of.value[j] * value_in<Value>(seen[j]);
      }
      return false;
    }
    template <class Memory>
    GRIDLOOM_FN bool gives_up(Memory& memory, watch& watcher, std::uint32_t attempt,
                              std::uint32_t column, std::uint32_t k) const {
      block.pause(attempt);
      if (!waited_too_long(memory, watcher, attempt)) return false;
      watcher.note(wait_kind::ring_slot, column, k - 2, k - 1);
      return true;
    }

    // Computes x(k), chunk by chunk.
    template <class Memory>
    GRIDLOOM_FN bool iterate(Memory& memory, watch& watcher, std::uint32_t k, double& change) {
      change += giants_change;
      for (std::uint32_t c = 0;; ++c) {
        change += long_rows(memory);
        change += short_rows(memory);
        block.sync();
        if (Held != 0 || c + 1 == part.num_chunks) break;
        chunk = kernel.of.chunks[part.first_chunk + c + 1];
        if (block.any(gather(memory, watcher, k))) return true;
      }
      memory.batch_fence();  // GA.R3
      x_old = x_new;
      x_new = turn(x_new, 1);
      return false;
    }

    GRIDLOOM_FN gathered_row<Value> row_of(std::uint32_t number) const {
      return kernel.of.rows[chunk.first_row + number];
    }
    template <class Memory>
    GRIDLOOM_FN double short_rows(Memory& memory) {
      if constexpr (Held != 0) {
        return own_row.of.row != no_index ? short_sum(memory, own_row) : 0;
      } else {
        double change = 0;
        for (std::uint32_t i = rank; i < chunk.num_short; i += threads) {
          row one{row_of(chunk.num_long + i), 0};
          if (one.of.row == no_index) continue;
          one.old = old_value(memory, one.of.row);
          change += short_sum(memory, one);
        }
        return change;
      }
    }
    template <class Memory>
    GRIDLOOM_FN Value old_value(Memory& memory, std::uint32_t of_row) const {
      return value_in<Value>(memory.load_in_batch(x_old + of_row));
    }
    template <class Memory>
    GRIDLOOM_FN double short_sum(Memory& memory, row& one) const {
      // Number of products that are loaded ahead.
      constexpr std::uint32_t ahead = 8;
      Value const* const products = shared.products + one.of.first;
      Value sum{0};
      for (std::uint32_t done = 0; done < one.of.length; done += ahead) {
        Value product[ahead];
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < ahead; ++j) {
          if (done + j < one.of.length) product[j] = products[(done + j) * slice_rows];
        }
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < ahead; ++j) {
          if (done + j < one.of.length) sum += product[j];
        }
      }
      return finish_row(memory, one, sum);
    }
    template <class Memory>
    GRIDLOOM_FN double finish_row(Memory& memory, row& one, Value sum) const {
      Value const now = new_value(one.of.right_side, sum, one.of.diagonal, one.old);
      memory.store_in_batch(x_new + one.of.row, word_with(now));                     // GA.R1
      memory.store_in_batch(turn(x_new, rotating / 2) + one.of.row, absent<Value>);  // GA.R2
      double const change = std::fabs(static_cast<double>(now) - static_cast<double>(one.old));
      one.old = now;
      return change;
    }

    // Sums the long rows, with one warp per row.
    template <class Memory>
    GRIDLOOM_FN double long_rows(Memory& memory) const {
      auto const warp = block.warp();
      double change = 0;
      // The last warps take the first rows, because the first warps have the short rows.
      for (std::uint32_t i = (threads - 1) / 32 - rank / 32; i < chunk.num_long;
           i += (threads + 31) / 32) {
        if constexpr (Held != 0) {
          change += long_sum(memory, warp, shared.long_rows[i]);
        } else {
          row one{row_of(i), 0};
          one.old = old_value(memory, one.of.row);
          change += long_sum(memory, warp, one);
        }
      }
      return change;
    }
    template <class Memory, class Warp>
    GRIDLOOM_FN double long_sum(Memory& memory, Warp const& warp, row& one) const {
      Value const* const products = shared.products + one.of.first;
      Value const sum = segmented_sum<Value>(warp, one.of.length, kernel.segment,
                                             [&](std::uint32_t e) -> Value { return products[e]; });
      return warp.thread_rank() == 0 ? finish_row(memory, one, sum) : 0;
    }
    // Sums the giants, whose products have no places in shared memory. Returns true if the time
    // limit has passed.
    template <class Memory>
    GRIDLOOM_FN bool giants(Memory& memory, watch& watcher, std::uint32_t k) {
      auto const warp = block.warp();
      bool late = false;
      for (std::uint32_t i = rank / 32; i < part.num_giants; i += (threads + 31) / 32) {
        giant_row<Value> const giant = kernel.of.giants[part.first_giant + i];
        Value const sum = segmented_sum<Value>(
            warp, giant.of.length, kernel.segment, [&](std::uint32_t e) -> Value {
              std::uint32_t const column = kernel.of.columns[giant.first_entry + e];
              word seen = memory.load_in_batch(x_old + column);  // GA.R1
              for (std::uint32_t attempt = 1; seen == absent<Value> && !late; ++attempt) {
                late = gives_up(memory, watcher, attempt, column, k);
                seen = memory.load_in_batch(x_old + column);
              }
              return kernel.of.values[giant.first_entry + e] * value_in<Value>(seen);
            });
        if (warp.any(late)) return true;
        if (warp.thread_rank() != 0) continue;
        row one{giant.of, old_value(memory, giant.of.row)};
        giants_change += finish_row(memory, one, sum);
      }
      return false;
    }

    // x(last) is already in its array.
    GRIDLOOM_FN void finish(std::uint32_t /*last*/) const {}
  };
};

}  // namespace gridloom::mhive::jacobi
