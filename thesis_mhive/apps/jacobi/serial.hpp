#pragma once
// The serial reference. Every other version must give the same iterates, to the bit.

#include <cstdint>
#include <vector>

#include "problem.hpp"
#include "stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// A serial run that can be continued. Used by one thread; `of` outlives it.
template <typename Value>
class serial_iteration {
 public:
  /// Begins at x = 1. Rows longer than `entries_per_task`, the threshold of the compared tasks, are
  /// summed in segments of that length.
  serial_iteration(system<Value> const& of, std::uint32_t entries_per_task);

  /// Computes one iteration. Returns its residual, summed in the order of the rows.
  double step();
  /// Iterates until the rules end the run. Returns the verdict.
  outcome run(stop_rules const& rules);

  [[nodiscard]] std::vector<Value> const& x() const { return x_; }
  [[nodiscard]] std::uint32_t iteration() const { return iteration_; }
  [[nodiscard]] double residual() const { return residual_; }

 private:
  [[nodiscard]] Value row_sum(std::uint32_t row) const;

  system<Value> const& of_;
  std::uint32_t segment_;
  std::vector<Value> x_;
  std::vector<Value> next_;
  std::uint32_t iteration_ = 0;
  double residual_ = 0;
};

}  // namespace gridloom::mhive::jacobi
