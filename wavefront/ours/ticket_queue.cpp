#include "wavefront/ours/ticket_queue_state.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph, class Probe>
class ticket_queue final : public kernel_executor<ticket_queue<Graph, Probe>> {
 public:
  explicit ticket_queue(scheduler_setup const& setup)
      : kernel_executor<ticket_queue>(setup),
        state_(setup.machine, setup.graph, setup.memory,
               static_cast<std::uint32_t>(setup.config.units()), setup.config.ring_slots) {}

  [[nodiscard]] std::size_t bytes() const override { return state_.bytes(); }
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    auto const& config = this->setup_.config;
    return std::visit(
        [&]<class Body>(Body const& own) {
          bool const orders = config.orders_memory || own.needs_results();
          if (config.width == task_width::block)
            return state_.template with_kernel<Probe>(own, this->stopper_, this->observer_, visit,
                                                      orders);
          return visit(ticket_queue_kernel<Graph, Probe, Body>{state_.ref(orders), own,
                                                               this->stopper_, this->observer_});
        },
        this->body_);
  }

 private:
  void reset_state() override { state_.reset(); }

  ticket_queue_state<Graph> state_;
};

}  // namespace

std::unique_ptr<body_executor> make_ticket_queue(scheduler_setup const& setup) {
  return for_graph(
      setup, [&]<class Graph, class Probe>(Graph const&) -> std::unique_ptr<body_executor> {
        if constexpr (std::is_same_v<Graph, dag_ref>) {
          if (setup.config.packs_successors)
            return std::make_unique<ticket_queue<packed_dag, Probe>>(setup);
        }
        return std::make_unique<ticket_queue<Graph, Probe>>(setup);
      });
}

}  // namespace gridloom::wavefront
