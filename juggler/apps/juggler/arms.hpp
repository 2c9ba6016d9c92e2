#pragma once
// The methods of the program as the bench runs them, on one application.

#include <vector>

#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "request.hpp"

namespace gridloom::juggler {

/// The arms of all methods that were asked for, as far as the application has them. `what` has its
/// input.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                                   subject const& what);

/// How many they are; `what` needs no input.
[[nodiscard]] std::size_t count_arms(bench::program& app, request const& wanted,
                                     subject const& what);

}  // namespace gridloom::juggler
