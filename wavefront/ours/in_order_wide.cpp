// in_order and in_order_ticket, for results wider than one access.

#include "wavefront/ours/in_order_bodies.hpp"

namespace gridloom::wavefront {

template <class Order, class Probe>
using wide = in_order<Order, Probe, wide_value>;

std::unique_ptr<body_executor> make_in_order_wide(scheduler_setup const& setup) {
  return make_for_order<wide>(setup);
}

}  // namespace gridloom::wavefront
