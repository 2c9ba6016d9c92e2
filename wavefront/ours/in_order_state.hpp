#pragma once
// Host side of in_order and its variants: the order, the words of the tasks, and the counts of
// executed tasks.

#include <utility>

#include "gridloom/taskgraph/executed_counts.hpp"
#include "wavefront/ours/in_order.hpp"
#include "wavefront/ours/order_store.hpp"

namespace gridloom::wavefront {

/// `Value` is the type of the results, which sets the width of the words.
template <class Order, class Value = std::uint32_t>
class in_order_state : public executed_counts {
 public:
  /// `workers` is the number of warps or blocks that count tasks. `arrays` are those of the order.
  in_order_state(device& machine, Order const& order, order_arrays&& arrays, int workers,
                 std::uint32_t runs_before = 0)
      : executed_counts(machine, workers),
        machine_(&machine),
        order_(order),
        arrays_(std::move(arrays)),
        results_(machine.allocate<result_word<Value>>(order.tasks())),
        run_(runs_before) {
    machine.fill_bytes(results_, 0);
  }
  /// For a listed order.
  in_order_state(device& machine, order_arrays&& arrays, int workers)
      : in_order_state(machine, arrays.view(), std::move(arrays), workers) {}

  /// Called before each run.
  void begin_run() {
    // IO.R2 of in_order.hpp: the numbers repeat after 2^32 runs.
    if (++run_ != 0) return;
    machine_->fill_bytes(results_, 0);
    run_ = 1;
  }
  /// The shared data of the run. `next_round` is null if warps take rounds in turn.
  [[nodiscard]] in_order_ref<Order, Value> ref(std::uint32_t* next_round, bool looks_ahead) const {
    return {order_, results_.data(), run_, next_round, next_round == nullptr && looks_ahead};
  }
  [[nodiscard]] std::size_t bytes() const {
    return results_.bytes() + arrays_.bytes() + executed_counts::bytes();
  }

 private:
  device* machine_;
  Order order_;
  order_arrays arrays_;
  buffer<result_word<Value>> results_;
  std::uint32_t run_;
};

}  // namespace gridloom::wavefront
