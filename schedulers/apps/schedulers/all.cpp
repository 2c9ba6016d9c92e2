#include "apps/schedulers/all.hpp"

namespace gridloom::schedulers {

std::vector<synthetic_scheduler> const& all_schedulers() {
  static auto const all = joined<synthetic_graph_ref>(
      {synthetic_wavefront(), synthetic_juggler(), synthetic_mhive(), synthetic_mhive_pdc(),
       synthetic_tiled_qr(), synthetic_pets(), synthetic_rivals()});
  return all;
}

}  // namespace gridloom::schedulers
