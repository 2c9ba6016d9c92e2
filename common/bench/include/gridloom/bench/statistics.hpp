#pragma once
// What is quoted of a series of measured times: the median with a bootstrap interval. Times of
// kernels are skewed and have outliers, so means and normal intervals mislead; the percentile
// bootstrap (Efron, Tibshirani: "An Introduction to the Bootstrap", chapter 13) assumes neither.

#include <cstdint>
#include <span>

namespace gridloom {

struct interval {
  double median;
  double low;
  double high;
};

/// Middle value of the samples, in their unit; the mean of the two middle ones for an even count.
/// Samples need not be sorted. Throws std::invalid_argument on no samples or a NaN.
[[nodiscard]] double median(std::span<double const> samples);

/// The value below which the fraction `probability` (0 to 1) of the samples lies, interpolated
/// linearly between the two nearest order statistics (NumPy's default method). Throws
/// std::invalid_argument on no samples, a NaN, or a probability outside [0, 1].
[[nodiscard]] double quantile(std::span<double const> samples, double probability);

/// Median with its percentile-bootstrap interval of the given confidence (0.95: the 2.5 % and 97.5
/// % quantiles of the medians of `resamples` resamplings). The same samples and seed give the same
/// interval on every platform; one sample gives low = high = median. Throws std::invalid_argument
/// on no samples, a NaN, confidence outside (0, 1) or resamples < 1. Cost: resamples x samples.
[[nodiscard]] interval bootstrap_median(std::span<double const> samples, std::uint64_t seed,
                                        double confidence = 0.95, int resamples = 2000);

}  // namespace gridloom
