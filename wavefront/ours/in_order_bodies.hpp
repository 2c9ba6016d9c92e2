#pragma once
// Executors of in_order and its variants with the bodies of the program wavefront.

#include "wavefront/ours/in_order_kernels.hpp"
#include "wavefront/ours/in_order_state.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

/// Returns run(body) for the body that the variant holds. Throws std::bad_variant_access if the
/// body's results are not of type `Value`.
template <class Value, class Run>
auto visit_with_results(any_body const& body, Run const& run) {
  using example = std::conditional_t<std::is_same_v<Value, wide_value>, wide_body, noop_body>;
  return std::visit(
      [&]<class Body>(Body const& own) -> decltype(run(example{})) {
        if constexpr (std::is_same_v<value_of<Body>, Value>)
          return run(own);
        else
          throw std::bad_variant_access{};
      },
      body);
}

/// Base of the executors. `Value` is the type of the results.
template <class Derived, class Order, class Value>
class in_order_base : public kernel_executor<Derived> {
 public:
  in_order_base(scheduler_setup const& setup, Order const& order, order_arrays&& arrays)
      : kernel_executor<Derived>(setup),
        state_(setup.machine, order, std::move(arrays),
               setup.config.blocks * ((setup.config.threads + 31) / 32), setup.config.runs_before) {
  }

  [[nodiscard]] std::uint64_t finished() override { return state_.finished(); }
  [[nodiscard]] std::size_t bytes() const override {
    return state_.bytes() + sizeof(scheduler_words);
  }

 protected:
  void reset_state() override {
    kernel_executor<Derived>::reset_state();
    state_.begin_run();
  }
  [[nodiscard]] in_order_ref<Order, Value> shared() const {
    auto const& config = this->setup_.config;
    return state_.ref(config.algorithm->by_tickets ? &this->words()->cursor : nullptr,
                      config.looks_ahead);
  }

  in_order_state<Order, Value> state_;
};

template <class Order, class Probe, class Value>
class in_order final : public in_order_base<in_order<Order, Probe, Value>, Order, Value> {
 public:
  using in_order_base<in_order, Order, Value>::in_order_base;

  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    return visit_with_results<Value>(this->body_, [&]<class Body>(Body const& own) {
      auto const shared = this->shared();
      auto* const executed = this->state_.data();
      if (this->setup_.config.width == task_width::lane)
        return visit(in_order_kernel<Order, Probe, Body>{shared, own, executed, this->stopper_,
                                                         this->observer_});
      return visit(in_order_block_kernel<Order, Probe, Body>{shared, own, executed, this->stopper_,
                                                             this->observer_});
    });
  }
};

inline task_rounds rounds_of(scheduler_setup const& setup) {
  auto const blocks = static_cast<std::size_t>(setup.config.blocks);
  if (setup.config.width == task_width::block) return {blocks, 1};
  if (setup.machine.is_host()) return {blocks, 32};
  auto const threads = static_cast<std::uint32_t>(setup.config.threads);
  return {blocks * ((threads + 31) / 32), std::min(threads, 32U)};
}

/// Calls `make(order, arrays)` for the order that a set-up asks for. The order refers to the
/// arrays, if it has any. Throws usage_error if the set-up asks for the tasks' own numbers and
/// these are no topological order.
template <class Make>
std::unique_ptr<body_executor> with_order(scheduler_setup const& setup, Make const& make) {
  auto const listed = [&] {
    order_arrays arrays = std::visit(
        [&](auto const& graph) {
          return list_in_order(setup.machine, setup.graph.find_levels().tasks, graph);
        },
        setup.graph.host_view());
    listed_order const order = arrays.view();
    return make(order, std::move(arrays));
  };
  task_numbering const asked = setup.config.numbering;
  graph_view const view = setup.graph.view();
  if (auto const* cells = std::get_if<lattice>(&view)) {
    if (asked == task_numbering::own) return make(own_order<lattice>{*cells}, no_arrays());
    if (cells->depth() == 1) return make(diagonal_order(*cells), no_arrays());
    return listed();
  }
  auto const& graph = std::get<dag_ref>(view);
  if (asked == task_numbering::levels) return listed();
  auto const against = setup.graph.edge_against_numbers();
  if (asked == task_numbering::automatic &&
      (against || is_slow_in_order(std::get<dag_ref>(setup.graph.host_view()), rounds_of(setup))))
    return listed();
  if (!against) return make(own_order<dag_ref>{graph}, no_arrays());
  throw usage_error("--numbering own: expected edges from smaller to larger numbers, got edge " +
                    std::to_string(against->first) + " -> " + std::to_string(against->second) +
                    "; --numbering levels computes an order");
}

/// Makes an Executor<Order, Probe> for the order and the probe that a set-up asks for.
template <template <class, class> class Executor>
std::unique_ptr<body_executor> make_for_order(scheduler_setup const& setup) {
  return with_order(
      setup,
      [&]<class Order>(Order const& order,
                       order_arrays&& arrays) -> std::unique_ptr<body_executor> {
        if (setup.observe)
          return std::make_unique<Executor<Order, full_probe>>(setup, order, std::move(arrays));
        return std::make_unique<Executor<Order, silent_probe>>(setup, order, std::move(arrays));
      });
}

}  // namespace gridloom::wavefront
