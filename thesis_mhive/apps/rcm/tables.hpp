#pragma once
// The tables of mhive-rcm's results.

#include "gridloom/bench/result_table.hpp"

namespace gridloom::mhive::rcm {

/// A row an arm and repetition.
[[nodiscard]] result_table runs_table();
/// A row an arm and task type, of one run that was traced for it.
[[nodiscard]] result_table parts_table();

}  // namespace gridloom::mhive::rcm
