#pragma once
// Host side of in_order and in_order_ticket with a task a lane.

#include "in_order_base.hpp"
#include "wavefront/in_order_kernels.hpp"

namespace gridloom::wavefront {

/// For one type of body, whose results set the width of the words.
template <class Order, class Probe, class Body>
class in_order_lanes : public in_order_base<Order, value_of<Body>> {
 public:
  using in_order_base<Order, value_of<Body>>::in_order_base;

  void run(any_body const& body, probe_ref const& observer) override {
    bool const by_tickets = this->setup_.config.algorithm == "in_order_ticket";
    this->setup_.machine.launch(
        this->shape(), in_order_kernel<Order, Probe, Body>{
                           this->next_run(by_tickets ? &this->words()->cursor : nullptr),
                           std::get<Body>(body), this->executed_.data(), this->stopper_, observer});
  }
};

/// Made for the order and the probe of a set-up.
template <class Body>
std::unique_ptr<scheduler> make_in_order_lanes(scheduler_setup const& setup) {
  return with_order(setup,
                    [&]<class Order>(Order const& order, auto const& /*graph*/,
                                     order_arrays arrays) -> std::unique_ptr<scheduler> {
                      if (setup.observe) {
                        return std::make_unique<in_order_lanes<Order, full_probe, Body>>(
                            setup, order, std::move(arrays));
                      }
                      return std::make_unique<in_order_lanes<Order, silent_probe, Body>>(
                          setup, order, std::move(arrays));
                    });
}

}  // namespace gridloom::wavefront
