#pragma once
// The program's methods as arms of the bench, for one application.

#include <vector>

#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "request.hpp"

namespace gridloom::juggler {

/// The arms of all requested methods that the application has. `what` has its input.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                                   subject const& what);

/// The number of these arms. `what` needs no input.
[[nodiscard]] std::size_t count_arms(bench::program& app, request const& wanted,
                                     subject const& what);

}  // namespace gridloom::juggler
