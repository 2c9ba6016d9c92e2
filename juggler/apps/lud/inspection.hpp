#pragma once
// The inspection loop of LU decomposition (Listing 5).

#include <cstdint>

#include "apps/lud/app.hpp"
#include "apps/lud/blocking.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::lud {

/// The number of tasks for p tiles in a row: p (p + 1) (2p + 1) / 6. Table 1 has 1240 for p = 15.
[[nodiscard]] std::uint64_t count_tasks(std::int64_t tiles);

/// `a` is only an address and is not read.
[[nodiscard]] inspected<task_data> inspect_lud(blocking const& cut, double const* a);

}  // namespace gridloom::juggler::lud
