#pragma once
// The configurations of a tiled method that a user asks for: one for each number of workers, order
// among ready tasks and weight of double tasks that makes a difference to it.

#include <string>
#include <string_view>
#include <vector>

#include "arms.hpp"

namespace gridloom::tiled_qr {

/// Stands for a weight that is measured before the runs.
inline constexpr double measured_weight = 0;

struct configuration {
  /// The method, and what sets it apart from its others.
  std::string arm;
  factorization_settings settings;
};

/// `shape`: what the common options ask for.
[[nodiscard]] std::vector<configuration> configurations_of(request const& wanted, double timeout_s,
                                                           std::string_view method, scheduling how,
                                                           launch_shape shape);

/// Numbers, or "measured", separated by commas. Throws usage_error.
[[nodiscard]] std::vector<double> parse_weights(std::string const& text);

}  // namespace gridloom::tiled_qr
