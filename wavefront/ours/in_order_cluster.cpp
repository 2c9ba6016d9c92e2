// Host side of in_order_cluster.

#include "wavefront/ours/in_order_base.hpp"
#include "wavefront/ours/in_order_cluster_kernel.hpp"

namespace gridloom::wavefront {

namespace {

template <class Order, class Probe>
class in_order_cluster : public in_order_base<Order> {
  template <class Body>
  using kernel = in_order_cluster_kernel<Order, Probe, Body>;

 public:
  in_order_cluster(scheduler_setup const& setup, Order const& order, order_arrays arrays)
      : in_order_base<Order>(setup, order, std::move(arrays)),
        rings_(setup.machine.allocate<ring_slot>(
            slots_of_parts(setup.machine, setup.config.blocks, cluster_ring::slots))) {
    // require_fit refuses wide results.
    for_bodies(setup.config, [&]<class Body>() {
      if constexpr (!std::is_same_v<Body, wide_body>)
        prepare_cluster<kernel<Body>>(setup.machine, this->shape());
    });
  }

  void run(any_body const& body, probe_ref const& observer) override {
    auto const shared = this->next_run(nullptr);
    visit_with_results<std::uint32_t>(body, [&]<class Body>(Body const& own) {
      launch_as_cluster(this->setup_.machine, this->shape(),
                        kernel<Body>{shared, own, this->executed_.data(), rings_.data(),
                                     this->stopper_, observer});
    });
  }

  std::uint64_t bytes() const override { return in_order_base<Order>::bytes() + rings_.bytes(); }

 private:
  /// The rings of a host run. On a GPU, rings are in shared memory.
  buffer<ring_slot> rings_;
};

}  // namespace

std::unique_ptr<scheduler> make_in_order_cluster(scheduler_setup const& setup) {
  return with_order(
      setup,
      [&]<class Order>(Order const& order, order_arrays arrays) -> std::unique_ptr<scheduler> {
        if (setup.observe) {
          return std::make_unique<in_order_cluster<Order, full_probe>>(setup, order,
                                                                       std::move(arrays));
        }
        return std::make_unique<in_order_cluster<Order, silent_probe>>(setup, order,
                                                                       std::move(arrays));
      });
}

}  // namespace gridloom::wavefront
