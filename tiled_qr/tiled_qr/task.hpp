#pragma once
// Tasks of the tiled QR (report, I.C and II.C). A task is an operation of step k on tile (i, j);
// its place determines the operation. Tile (i, j) has one task in each step from 0 to min(i, j), or
// to the last step if that comes earlier.

#include <cstdint>

#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

enum class task_type : std::uint32_t { dgeqt2, dlarfb, dtsqt2, dssrfb };

inline constexpr char const* task_type_names[] = {"dgeqt2", "dlarfb", "dtsqt2", "dssrfb"};

struct task {
  std::uint32_t k;
  std::uint32_t i;
  std::uint32_t j;

  GRIDLOOM_FN task_type type() const {
    if (i == k) return j == k ? task_type::dgeqt2 : task_type::dlarfb;
    return j == k ? task_type::dtsqt2 : task_type::dssrfb;
  }
  /// Whether the task is a factorisation, which unlocks a whole row of applications.
  GRIDLOOM_FN bool factorises() const { return j == k; }
  /// Whether the task works on two coupled tiles.
  GRIDLOOM_FN bool is_double() const { return i != k; }

  bool operator==(task const&) const = default;
};

/// Returns the number of tasks before step k. Step s has (p - s)(q - s) tasks.
GRIDLOOM_FN inline std::uint64_t tasks_before(tiling const& cut, std::uint64_t k) {
  std::uint64_t const p = cut.p();
  std::uint64_t const q = cut.q();
  // These are the sums of s and of s² over s < k, computed without negative intermediate values.
  std::uint64_t const first = k == 0 ? 0 : k * (k - 1) / 2;
  std::uint64_t const second = k == 0 ? 0 : (k - 1) * k * (2 * k - 1) / 6;
  return k * p * q + second - (p + q) * first;
}

/// Returns the number of all tasks, which is p(p + 1)(2p + 1)/6 for p × p tiles.
GRIDLOOM_FN inline std::uint64_t count_tasks(tiling const& cut) {
  return tasks_before(cut, cut.steps());
}

/// Returns the task's number in the order of Algorithm 2.
GRIDLOOM_FN inline std::uint64_t number_of(tiling const& cut, task const& of) {
  return tasks_before(cut, of.k) + std::uint64_t{of.i - of.k} * (cut.q() - of.k) + (of.j - of.k);
}

/// Returns the task with this number, which is below count_tasks().
GRIDLOOM_FN inline task task_at(tiling const& cut, std::uint64_t number) {
  std::uint32_t k = 0;
  // Binary search for the last step whose first task has a number of at most `number`.
  for (std::uint32_t end = cut.steps(); end - k > 1;) {
    std::uint32_t const middle = k + (end - k) / 2;
    if (tasks_before(cut, middle) <= number) {
      k = middle;
    } else {
      end = middle;
    }
  }
  auto const place = static_cast<std::uint32_t>(number - tasks_before(cut, k));
  std::uint32_t const columns = cut.q() - k;
  return {k, k + place / columns, k + place % columns};
}

/// Returns the floating-point operations of a QR of m × n, as LAPACK counts them.
inline double flops_of(std::int64_t m, std::int64_t n) {
  auto const a = static_cast<double>(m);
  auto const b = static_cast<double>(n);
  return a >= b ? 2 * a * b * b - 2 * b * b * b / 3 : 2 * b * a * a - 2 * a * a * a / 3;
}

}  // namespace gridloom::tiled_qr
