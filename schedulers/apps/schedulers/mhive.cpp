// One source per artifact, so that they compile at the same time.

#include "schedulers/mhive.hpp"

#include "apps/schedulers/all.hpp"

namespace gridloom::schedulers {

std::vector<synthetic_scheduler> synthetic_mhive() { return mhive<synthetic_graph_ref>(); }

}  // namespace gridloom::schedulers
