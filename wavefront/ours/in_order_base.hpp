#pragma once
// Base of the host sides of in_order and its variants. It owns the words of the tasks, and the
// counts of executed tasks.

#include <numeric>

#include "wavefront/ours/in_order.hpp"
#include "wavefront/ours/order_store.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

/// Calls `run` with the body that the variant holds. Throws std::bad_variant_access if the body's
/// results are not of type `Value`.
template <class Value, class Run>
void visit_with_results(any_body const& body, Run const& run) {
  std::visit(
      [&]<class Body>(Body const& own) {
        if constexpr (std::is_same_v<value_gathered<typename Body::gathers>, Value>)
          run(own);
        else
          throw std::bad_variant_access{};
      },
      body);
}

/// `Value` is the type of the results.
template <class Order, class Value = std::uint32_t>
class in_order_base : public kernel_scheduler {
 public:
  in_order_base(scheduler_setup const& setup, Order const& order, order_arrays arrays)
      : kernel_scheduler(setup),
        executed_(setup.machine.allocate<std::uint32_t>(warps_of(setup))),
        order_(order),
        arrays_(std::move(arrays)),
        results_(setup.machine.allocate<result_word<Value>>(setup.graph.tasks())),
        run_(setup.config.runs_before) {
    setup.machine.fill_bytes(results_, 0);
    setup.machine.fill_bytes(executed_, 0);
  }

  void reset() override { reset_words(); }

  std::uint64_t executed() override {
    auto const counts = setup_.machine.copy_to_host(executed_);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  std::uint64_t bytes() const override {
    return results_.bytes() + executed_.bytes() + arrays_.bytes() + sizeof(scheduler_words);
  }
  int units() const override {
    return setup_.config.width == task_width::lane ? setup_.config.blocks * setup_.config.threads
                                                   : setup_.config.blocks;
  }
  int observers() const override { return setup_.config.blocks * setup_.config.threads; }

 protected:
  /// The shared data of the next run. `next_round` is null if warps take rounds in turn.
  in_order_ref<Order, Value> next_run(std::uint32_t* next_round) {
    // IO.R2 of in_order.hpp: the numbers repeat after 2^32 runs.
    if (++run_ == 0) {
      setup_.machine.fill_bytes(results_, 0);
      run_ = 1;
    }
    return {order_, results_.data(), run_, next_round,
            next_round == nullptr && setup_.config.looks_ahead};
  }

  /// Array of one number per warp: the tasks that it executed.
  buffer<std::uint32_t> executed_;

 private:
  static std::size_t warps_of(scheduler_setup const& setup) {
    return static_cast<std::size_t>(setup.config.blocks) *
           static_cast<std::size_t>((setup.config.threads + 31) / 32);
  }

  Order order_;
  order_arrays arrays_;
  buffer<result_word<Value>> results_;
  std::uint32_t run_;
};

}  // namespace gridloom::wavefront
