// Host side of in_order and in_order_ticket: the words, and how many tasks ran.

#include "wavefront/in_order_kernels.hpp"

#include "in_order_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Order, class Graph, class Probe>
class in_order : public in_order_base<Order> {
 public:
  in_order(scheduler_setup const& setup, Order const& order, Graph const& graph,
           order_arrays arrays)
      : in_order_base<Order>(setup, order, std::move(arrays)), graph_(graph) {}

  void run(task_body const& body, probe_ref const& observer) override {
    auto const& config = this->setup_.config;
    in_order_ref<Order> const shared =
        this->next_run(config.algorithm == "in_order_ticket" ? &this->words()->cursor : nullptr);
    if (config.width == task_width::lane) {
      this->setup_.machine.launch(
          this->shape(), in_order_kernel<Order, Probe>{shared, body, this->executed_.data(),
                                                       this->stopper_, observer});
    } else {
      this->setup_.machine.launch(this->shape(), in_order_block_kernel<Order, Graph, Probe>{
                                                     shared, graph_, body, this->executed_.data(),
                                                     this->stopper_, observer});
    }
  }

 private:
  Graph graph_;
};

}  // namespace

std::unique_ptr<scheduler> make_in_order(scheduler_setup const& setup) {
  return with_order(
      setup,
      [&]<class Order, class Graph>(Order const& order, Graph const& graph,
                                    order_arrays arrays) -> std::unique_ptr<scheduler> {
        if (setup.observe) {
          return std::make_unique<in_order<Order, Graph, full_probe>>(setup, order, graph,
                                                                      std::move(arrays));
        }
        return std::make_unique<in_order<Order, Graph, silent_probe>>(setup, order, graph,
                                                                      std::move(arrays));
      });
}

}  // namespace gridloom::wavefront
