#include "apps/schedulers/all.hpp"

#include <algorithm>

namespace gridloom::schedulers {

std::vector<synthetic_scheduler> const& all_schedulers() {
  static std::vector<synthetic_scheduler> const all = [] {
    std::vector<synthetic_scheduler> found;
    for (auto const make : {synthetic_wavefront, synthetic_juggler, synthetic_mhive,
                            synthetic_tiled_qr, synthetic_pets, synthetic_rivals}) {
      for (synthetic_scheduler const& one : make()) found.push_back(one);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](auto const& a, auto const& b) { return a.by < b.by; });
    return found;
  }();
  return all;
}

}  // namespace gridloom::schedulers
