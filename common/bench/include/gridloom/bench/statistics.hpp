#pragma once
// Median and bootstrap interval of measured times. Times of kernels are skewed and have outliers,
// so means and normal intervals would mislead. The percentile bootstrap (Efron, Tibshirani: "An
// Introduction to the Bootstrap", chapter 13) assumes neither symmetry nor normality.

#include <cstdint>
#include <span>

namespace gridloom {

struct interval {
  double median;
  double low;
  double high;
};

/// The middle value of the samples; for an even number, the mean of the two middle ones. Samples
/// need not be sorted. Throws std::invalid_argument if there are no samples or a NaN.
[[nodiscard]] double median(std::span<double const> samples);

/// Median with its percentile-bootstrap interval of 95 %: its bounds are the 2.5 % and 97.5 %
/// quantiles of the medians of 2000 resamplings. The same samples and seed give the same interval
/// on every platform. One sample gives low = high = median. Throws std::invalid_argument if there
/// are no samples, or a NaN.
[[nodiscard]] interval bootstrap_median(std::span<double const> samples, std::uint64_t seed);

}  // namespace gridloom
