#pragma once
// The thesis's loop, one launch per level, over a layout that the thesis has not: compressed rows.

#include "support/device_metrics.hpp"

namespace gridloom::pets {

/// Reads the rows that `there` holds.
metrics_factory make_csr;

}  // namespace gridloom::pets
