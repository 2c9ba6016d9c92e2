#pragma once
// What is warped.

#include "apps/dtw/series.hpp"

namespace gridloom::juggler::dtw {

struct input {
  /// Rows.
  std::vector<double> x;
  /// Columns.
  std::vector<double> y;
  /// Costs and series in float in place of double.
  bool single = false;
};

/// Two random walks.
[[nodiscard]] inline input make_input(std::int64_t length, std::uint64_t seed, bool single) {
  return {make_series(length, seed), make_series(length, seed + 1), single};
}

/// Throws usage_error "NAME: ..." where costs could be beyond what the precision holds.
void require_fit(input const& given, std::string const& name);

}  // namespace gridloom::juggler::dtw
