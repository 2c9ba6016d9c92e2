#pragma once
// Host side of in_order and in_order_ticket.

#include "wavefront/ours/in_order_base.hpp"
#include "wavefront/ours/in_order_kernels.hpp"

namespace gridloom::wavefront {

/// For bodies with results of type `Value`, which sets the width of the words.
template <class Order, class Probe, class Value>
class in_order_scheduler : public in_order_base<Order, Value> {
 public:
  in_order_scheduler(scheduler_setup const& setup, Order const& order, order_arrays arrays)
      : in_order_base<Order, Value>(setup, order, std::move(arrays)) {}

  void run(any_body const& body, probe_ref const& observer) override {
    auto const& config = this->setup_.config;
    auto const shared =
        this->next_run(config.algorithm->by_tickets ? &this->words()->cursor : nullptr);
    visit_with_results<Value>(body, [&]<class Body>(Body const& own) {
      auto const launch = [&]<class Kernel>(Kernel const& kernel) {
        this->setup_.machine.launch(this->shape(), kernel);
      };
      if (config.width == task_width::lane) {
        launch(in_order_kernel<Order, Probe, Body>{shared, own, this->executed_.data(),
                                                   this->stopper_, observer});
      } else {
        launch(in_order_block_kernel<Order, Probe, Body>{shared, own, this->executed_.data(),
                                                         this->stopper_, observer});
      }
    });
  }
};

/// Makes the scheduler for the order and the probe that a set-up asks for.
template <class Value>
std::unique_ptr<scheduler> make_in_order_for(scheduler_setup const& setup) {
  return with_order(
      setup,
      [&]<class Order>(Order const& order, order_arrays arrays) -> std::unique_ptr<scheduler> {
        if (setup.observe) {
          return std::make_unique<in_order_scheduler<Order, full_probe, Value>>(setup, order,
                                                                                std::move(arrays));
        }
        return std::make_unique<in_order_scheduler<Order, silent_probe, Value>>(setup, order,
                                                                                std::move(arrays));
      });
}

}  // namespace gridloom::wavefront
