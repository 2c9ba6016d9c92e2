#pragma once
// The thesis's loop, one launch per level, over a layout that the thesis does not have: compressed
// rows.

#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

/// The method reads the rows of the argument `there`.
metrics_factory make_csr;

}  // namespace gridloom::pets
