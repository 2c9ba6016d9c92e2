// Host side of in_order and in_order_ticket, for results of one word.

#include "wavefront/ours/in_order_scheduler.hpp"

namespace gridloom::wavefront {

std::unique_ptr<scheduler> make_in_order(scheduler_setup const& setup) {
  return make_in_order_for<std::uint32_t>(setup);
}

}  // namespace gridloom::wavefront
