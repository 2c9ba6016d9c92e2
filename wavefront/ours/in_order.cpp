// Host side of in_order and in_order_ticket, for results of one word.

#include "ours/in_order_lanes.hpp"

namespace gridloom::wavefront {

namespace {

/// One task per block. Words carry only tags; results stay in memory.
template <class Order, class Graph, class Probe>
class in_order_blocks : public in_order_base<Order> {
 public:
  in_order_blocks(scheduler_setup const& setup, Order const& order, Graph const& graph,
                  order_arrays arrays)
      : in_order_base<Order>(setup, order, std::move(arrays)),
        graph_(graph),
        by_tickets_(setup.config.algorithm->by_tickets) {}

  void run(any_body const& body, probe_ref const& observer) override {
    auto const shared = this->next_run(by_tickets_ ? &this->words()->cursor : nullptr);
    std::visit(
        [&]<class Body>(Body const& own) {
          this->setup_.machine.launch(
              this->shape(),
              in_order_block_kernel<Order, Graph, Probe, Body>{
                  shared, graph_, own, this->executed_.data(), this->stopper_, observer});
        },
        body);
  }

 private:
  Graph graph_;
  bool by_tickets_;
};

}  // namespace

std::unique_ptr<scheduler> make_in_order(scheduler_setup const& setup) {
  if (setup.config.width == task_width::lane) return make_in_order_lanes<std::uint32_t>(setup);
  return with_order(
      setup,
      [&]<class Order, class Graph>(Order const& order, Graph const& graph,
                                    order_arrays arrays) -> std::unique_ptr<scheduler> {
        if (setup.observe) {
          return std::make_unique<in_order_blocks<Order, Graph, full_probe>>(setup, order, graph,
                                                                             std::move(arrays));
        }
        return std::make_unique<in_order_blocks<Order, Graph, silent_probe>>(setup, order, graph,
                                                                             std::move(arrays));
      });
}

}  // namespace gridloom::wavefront
