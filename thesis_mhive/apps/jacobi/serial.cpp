#include "serial.hpp"

#include <algorithm>
#include <cmath>

#include "row_sum.hpp"

namespace gridloom::mhive::jacobi {

template <typename Value>
serial_iteration<Value>::serial_iteration(system<Value> const& of, std::uint32_t entries_per_task)
    : of_(of), segment_(entries_per_task), x_(of.num_rows(), Value{1}), next_(of.num_rows()) {}

template <typename Value>
Value serial_iteration<Value>::row_sum(std::uint32_t row) const {
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

template <typename Value>
double serial_iteration<Value>::step() {
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

template <typename Value>
outcome serial_iteration<Value>::run(stop_rules const& rules) {
  for (;;) {
    double const residual = step();
    outcome const verdict = rules.judge(iteration_, residual);
    if (verdict != outcome::running) return verdict;
  }
}

template class serial_iteration<float>;
template class serial_iteration<double>;

}  // namespace gridloom::mhive::jacobi
