#include "gridloom/bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "gridloom/random.hpp"

namespace gridloom {
namespace {

void check_samples(std::span<double const> samples) {
  if (samples.empty()) throw std::invalid_argument("statistics: expected at least one sample");
  for (double const sample : samples) {
    if (std::isnan(sample)) throw std::invalid_argument("statistics: a sample is not a number");
  }
}

// Reorders the values, which must not be empty.
double median_in_place(std::vector<double>& values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  double const below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

double quantile_of_sorted(std::vector<double> const& sorted, double probability) {
  double const place = probability * static_cast<double>(sorted.size() - 1);
  auto const left = static_cast<std::size_t>(std::floor(place));
  std::size_t const right = std::min(left + 1, sorted.size() - 1);
  double const share = place - static_cast<double>(left);
  // If the right neighbour is infinite, infinity times 0 would be a NaN.
  if (share == 0.0) return sorted[left];
  return sorted[left] + share * (sorted[right] - sorted[left]);
}

}  // namespace

double median(std::span<double const> samples) {
  check_samples(samples);
  std::vector<double> values(samples.begin(), samples.end());
  return median_in_place(values);
}

interval bootstrap_median(std::span<double const> samples, std::uint64_t seed) {
  constexpr std::size_t resamples = 2000;
  double const centre = median(samples);
  if (samples.size() == 1) return {centre, centre, centre};

  random_source source{seed};
  std::vector<double> drawn(samples.size());
  std::vector<double> medians(resamples);
  for (double& resampled : medians) {
    for (double& value : drawn) {
      value = samples[static_cast<std::size_t>(source.below(samples.size()))];
    }
    resampled = median_in_place(drawn);
  }
  std::sort(medians.begin(), medians.end());
  return {centre, quantile_of_sorted(medians, 0.025), quantile_of_sorted(medians, 1 - 0.025)};
}

}  // namespace gridloom
