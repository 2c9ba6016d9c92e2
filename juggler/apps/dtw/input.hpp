#pragma once
// The two series to be matched.

#include "apps/dtw/series.hpp"

namespace gridloom::juggler::dtw {

struct input {
  /// The series along the rows.
  std::vector<double> x;
  /// The series along the columns.
  std::vector<double> y;
  /// Whether costs and series are float instead of double.
  bool single = false;
};

[[nodiscard]] inline input make_input(std::int64_t length, std::uint64_t seed, bool single) {
  return {make_series(length, seed), make_series(length, seed + 1), single};
}

/// Throws usage_error "NAME: ..." if costs could exceed the range of the precision.
void require_fit(input const& given, std::string const& name);

}  // namespace gridloom::juggler::dtw
