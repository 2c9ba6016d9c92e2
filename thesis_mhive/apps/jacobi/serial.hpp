#pragma once
// The serial reference. Every other version must give the same iterates, to the bit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "problem.hpp"
#include "row_sum.hpp"
#include "stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// A serial run that can be continued. Used by one thread; `of` outlives it.
template <typename Value>
class serial_iteration {
 public:
  /// Begins at x = 1. Rows longer than `entries_per_task`, the threshold of the compared tasks, are
  /// summed in segments of that length.
  serial_iteration(system<Value> const& of, std::uint32_t entries_per_task)
      : of_(of), segment_(entries_per_task), x_(of.num_rows(), Value{1}), next_(of.num_rows()) {}

  /// Computes one iteration. Returns its residual, summed in the order of the rows.
  double step() {
    double change = 0;
    for (std::uint32_t row = 0; row < of_.num_rows(); ++row) {
      next_[row] = new_value(of_.right_side[row], row_sum(row), of_.diagonal[row], x_[row]);
      change += std::abs(static_cast<double>(next_[row]) - static_cast<double>(x_[row]));
    }
    x_.swap(next_);
    ++iteration_;
    residual_ = change;
    return change;
  }
  /// Iterates until the rules end the run. Returns the verdict.
  outcome run(stop_rules const& rules) {
    for (;;) {
      double const residual = step();
      outcome const verdict = rules.judge(iteration_, residual);
      if (verdict != outcome::running) return verdict;
    }
  }

  [[nodiscard]] std::vector<Value> const& x() const { return x_; }
  [[nodiscard]] std::uint32_t iteration() const { return iteration_; }
  [[nodiscard]] double residual() const { return residual_; }

 private:
  [[nodiscard]] Value row_sum(std::uint32_t row) const {
    sparse::csr_matrix<Value> const& matrix = of_.matrix;
    std::uint64_t const begin = matrix.row_offsets[row];
    auto const length = static_cast<std::uint32_t>(matrix.row_offsets[row + 1] - begin);
    auto const sum_from = [&](std::uint64_t first, std::uint32_t n) {
      return ordered_sum<Value>(n, [&](std::uint32_t i) -> Value {
        return matrix.values[first + i] * x_[matrix.columns[first + i]];
      });
    };
    if (length <= segment_) return sum_from(begin, length);
    std::vector<Value> partials;
    for (std::uint32_t done = 0; done < length; done += segment_) {
      partials.push_back(sum_from(begin + done, std::min(segment_, length - done)));
    }
    return ordered_sum<Value>(static_cast<std::uint32_t>(partials.size()),
                              [&](std::uint32_t i) { return partials[i]; });
  }

  system<Value> const& of_;
  std::uint32_t segment_;
  std::vector<Value> x_;
  std::vector<Value> next_;
  std::uint32_t iteration_ = 0;
  double residual_ = 0;
};

}  // namespace gridloom::mhive::jacobi
