// One source per artifact, so that they compile at the same time.

#include "schedulers/tiled_qr.hpp"

#include "apps/schedulers/all.hpp"

namespace gridloom::schedulers {

std::vector<synthetic_scheduler> synthetic_tiled_qr() { return tiled_qr<synthetic_graph_ref>(); }

}  // namespace gridloom::schedulers
