#pragma once
// One task of the Jacobi method (thesis, Algorithm 7.5), for a worker of any size, on host and GPU.
// All versions with tasks use it.
//
// In the thesis, each thread goes through consecutive entries and stores a row's sum when the next
// row begins. Here the worker first writes all products of the task into its scratch, with
// coalesced accesses to the matrix. Then it sums rows in the order of row_sum.hpp: one thread per
// short row, one warp per long row. (The listing multiplies by the row's old x instead of the
// column's.)

#include <cmath>
#include <cstdint>

#include "device_system.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "row_sum.hpp"

namespace gridloom::mhive::jacobi {

/// Shared memory of a worker.
template <class Value>
struct task_scratch {
  Value products[task_limits::most_entries_ever];
};

struct task_done {
  /// This thread's Σ |x_new − x_old| over the rows that it wrote.
  double change = 0;
  /// True if all values of the task's unit (preprocess.hpp) are written.
  bool unit_done = true;
};

namespace detail {

template <class Value>
GRIDLOOM_FN double write_row(system_ref<Value> const& of, Value const* x_old, Value* x_new,
                             std::uint32_t row, Value sum) {
  Value const old = x_old[row];
  Value const now = new_value(of.right_side[row], sum, of.diagonal[row], old);
  x_new[row] = now;
  return std::fabs(static_cast<double>(now) - static_cast<double>(old));
}

// The inputs of a row besides its products.
template <class Value>
struct row_inputs {
  std::uint32_t begin;
  std::uint32_t end;
  Value right_side;
  Value diagonal;
  Value old;

  GRIDLOOM_FN row_inputs(system_ref<Value> const& of, Value const* x_old, std::uint32_t row)
      : begin(of.row_offsets[row]),
        end(of.row_offsets[row + 1]),
        right_side(of.right_side[row]),
        diagonal(of.diagonal[row]),
        old(x_old[row]) {}
};

// Writes the products of a task to the scratch. Several loads of a thread are in flight at once.
// Loads beyond the end repeat the last entry.
template <thread_group Worker, class Value>
GRIDLOOM_FN void put_products(Worker const& worker, Value* products, system_ref<Value> const& of,
                              task const& t, Value const* x_old) {
  constexpr std::uint32_t batch = 4;
  auto const threads = static_cast<std::uint32_t>(worker.num_threads());
  Value const* const values = of.values + t.first_entry;
  std::uint32_t const* const columns = of.columns + t.first_entry;
  for (auto begin = static_cast<std::uint32_t>(worker.thread_rank()); begin < t.num_entries;
       begin += batch * threads) {
    std::uint32_t column[batch];
    Value value[batch];
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < batch; ++k) {
      std::uint32_t const i = begin + k * threads;
      std::uint32_t const inside = i < t.num_entries ? i : t.num_entries - 1;
      column[k] = columns[inside];
      value[k] = values[inside];
    }
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < batch; ++k) value[k] *= x_old[column[k]];
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < batch; ++k) {
      std::uint32_t const i = begin + k * threads;
      if (i < t.num_entries) products[i] = value[k];
    }
  }
}

// Computes whole rows, including the products. Called by all threads.
template <thread_group Worker, class Value>
GRIDLOOM_FN double compute_rows(Worker const& worker, Value* products, system_ref<Value> const& of,
                                task const& t, Value const* x_old, Value* x_new) {
  auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
  auto const threads = static_cast<std::uint32_t>(worker.num_threads());
  // The inputs of a thread's first row. They are loaded before the products, so that both loads
  // overlap.
  std::uint32_t const own = t.first_row + (rank < t.num_rows ? rank : 0);
  row_inputs<Value> mine{of, x_old, own};
  put_products(worker, products, of, t, x_old);
  worker.sync();
  // Warps sum the long rows if all warps are full.
  bool const by_warps = t.long_rows != 0 && threads % sum_lanes == 0;
  double change = 0;
  for (std::uint32_t i = rank; i < t.num_rows; i += threads) {
    std::uint32_t const row = t.first_row + i;
    if (i != rank) mine = row_inputs<Value>{of, x_old, row};
    std::uint32_t const length = mine.end - mine.begin;
    if (by_warps && length > sum_lanes) continue;
    Value const* const first = products + (mine.begin - t.first_entry);
    Value const sum = ordered_sum<Value>(length, [&](std::uint32_t k) { return first[k]; });
    Value const now = new_value(mine.right_side, sum, mine.diagonal, mine.old);
    x_new[row] = now;
    change += std::fabs(static_cast<double>(now) - static_cast<double>(mine.old));
  }
  if (!by_warps) return change;
  auto const warp = worker.warp();
  for (std::uint32_t i = rank / sum_lanes; i < t.num_rows; i += threads / sum_lanes) {
    std::uint32_t const row = t.first_row + i;
    std::uint32_t const begin = of.row_offsets[row];
    std::uint32_t const length = of.row_offsets[row + 1] - begin;
    if (length <= sum_lanes) continue;
    Value const* const first = products + (begin - t.first_entry);
    Value const sum = ordered_sum<Value>(warp, length, [&](std::uint32_t k) { return first[k]; });
    if (warp.thread_rank() == 0) change += write_row(of, x_old, x_new, row, sum);
  }
  return change;
}

// Returns the sum of n numbers to the worker's first warp. Other warps get zero.
template <thread_group Worker, class Value>
GRIDLOOM_FN Value first_warp_sum(Worker const& worker, Value const* numbers, std::uint32_t n) {
  if (worker.thread_rank() >= static_cast<int>(sum_lanes)) return Value{0};
  auto const number = [&](std::uint32_t i) { return numbers[i]; };
  return ordered_sum<Value>(worker.warp(), n, number);
}

// Computes a segment, including the products. The last segment of the row to arrive adds up all
// sums. Called by all threads.
template <thread_group Worker, class Value>
GRIDLOOM_FN task_done compute_segment(Worker const& worker, Value* products,
                                      system_ref<Value> const& of, task const& t,
                                      Value const* x_old, Value* x_new) {
  put_products(worker, products, of, t, x_old);
  worker.sync();
  direct_memory memory;
  bool const first = worker.thread_rank() == 0;
  split_row const whole = of.splits[t.split];
  Value* const partials = of.partials + whole.first_partial;
  Value const own = first_warp_sum(worker, products, t.num_entries);
  bool last = false;
  if (first) {
    partials[t.part] = own;
    last = memory.fetch_add_acq_rel(of.arrived + t.split, 1U) + 1 == whole.num_parts;
    // A plain reset is enough, because no segment arrives for the next iteration before this one
    // has written the row.
    if (last) memory.store_relaxed(of.arrived + t.split, 0U);
  }
  last = worker.any(last);
  // The first thread has acquired the other segments' sums. The barrier passes them on to its warp.
  worker.sync();
  task_done done;
  done.unit_done = last;
  if (last) {
    Value const sum = first_warp_sum(worker, partials, whole.num_parts);
    if (first) done.change = write_row(of, x_old, x_new, whole.row, sum);
  }
  return done;
}

}  // namespace detail

/// Computes the task's part of x(iteration) from x(iteration - 1). Called by all threads of the
/// worker. Ends with a barrier of the worker, so the scratch may be used again. Tasks of one
/// iteration may run at the same time. A task of the next iteration may run only after the units
/// for which it waits (task_graph).
template <thread_group Worker, class Value>
GRIDLOOM_FN task_done execute_task(Worker const& worker, task_scratch<Value>& scratch,
                                   system_ref<Value> const& of, std::uint32_t number,
                                   std::uint32_t iteration) {
  task const t = of.tasks[number];
  Value const* const x_old = of.x[(iteration + 1) % 2];
  Value* const x_new = of.x[iteration % 2];
  task_done done;
  if (t.split == not_split) {
    done.change = detail::compute_rows(worker, scratch.products, of, t, x_old, x_new);
  } else {
    done = detail::compute_segment(worker, scratch.products, of, t, x_old, x_new);
  }
  worker.sync();
  return done;
}

}  // namespace gridloom::mhive::jacobi
