// The paper's schedulers with the bodies of the program wavefront.

#include "wavefront/published_state.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph, class Probe>
class published final : public kernel_executor<published<Graph, Probe>> {
 public:
  explicit published(scheduler_setup const& setup)
      : kernel_executor<published>(setup),
        state_(setup.machine, setup.graph, setup.memory,
               static_cast<std::uint32_t>(setup.config.queues), *setup.config.algorithm->published,
               setup.hash()) {}

  [[nodiscard]] std::size_t bytes() const override { return state_.bytes(); }
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    return std::visit(
        [&](auto const& body) {
          return state_.template with_kernel<Probe>(body, this->stopper_, this->observer_, visit);
        },
        this->body_);
  }

 private:
  void reset_state() override { state_.reset(); }

  published_state<Graph, any_hash> state_;
};

}  // namespace

std::unique_ptr<body_executor> make_published(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const&) {
    return std::make_unique<published<Graph, Probe>>(setup);
  });
}

}  // namespace gridloom::wavefront
