#pragma once
// Host side of in_order and in_order_ticket with one task per lane.

#include "ours/in_order_base.hpp"
#include "ours/in_order_kernels.hpp"

namespace gridloom::wavefront {

/// One task per lane, for bodies with results of type `Value`, which sets the width of the words.
template <class Order, class Probe, class Value>
class in_order_lanes : public in_order_base<Order, Value> {
 public:
  in_order_lanes(scheduler_setup const& setup, Order const& order, order_arrays arrays)
      : in_order_base<Order, Value>(setup, order, std::move(arrays)),
        by_tickets_(setup.config.algorithm->by_tickets) {}

  void run(any_body const& body, probe_ref const& observer) override {
    auto const shared = this->next_run(by_tickets_ ? &this->words()->cursor : nullptr);
    visit_with_results<Value>(body, [&]<class Body>(Body const& own) {
      this->setup_.machine.launch(
          this->shape(), in_order_kernel<Order, Probe, Body>{shared, own, this->executed_.data(),
                                                             this->stopper_, observer});
    });
  }

 private:
  bool by_tickets_;
};

/// Makes the scheduler for the order and the probe that a set-up asks for.
template <class Value>
std::unique_ptr<scheduler> make_in_order_lanes(scheduler_setup const& setup) {
  return with_order(setup,
                    [&]<class Order>(Order const& order, auto const& /*graph*/,
                                     order_arrays arrays) -> std::unique_ptr<scheduler> {
                      if (setup.observe) {
                        return std::make_unique<in_order_lanes<Order, full_probe, Value>>(
                            setup, order, std::move(arrays));
                      }
                      return std::make_unique<in_order_lanes<Order, silent_probe, Value>>(
                          setup, order, std::move(arrays));
                    });
}

}  // namespace gridloom::wavefront
