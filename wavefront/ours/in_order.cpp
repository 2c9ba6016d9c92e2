// in_order and in_order_ticket, for results of one word.

#include "wavefront/ours/in_order_bodies.hpp"

namespace gridloom::wavefront {

template <class Order, class Probe>
using narrow = in_order<Order, Probe, std::uint32_t>;

std::unique_ptr<body_executor> make_in_order(scheduler_setup const& setup) {
  return make_for_order<narrow>(setup);
}

}  // namespace gridloom::wavefront
