// Host side of in_order and in_order_ticket for results wider than one access.

#include "wavefront/ours/in_order_scheduler.hpp"

namespace gridloom::wavefront {

std::unique_ptr<scheduler> make_in_order_wide(scheduler_setup const& setup) {
  return make_in_order_for<wide_value>(setup);
}

}  // namespace gridloom::wavefront
