// Host side of in_order_cluster.

#include "wavefront/ours/in_order_bodies.hpp"
#include "wavefront/ours/in_order_cluster_kernel.hpp"

namespace gridloom::wavefront {

namespace {

template <class Order, class Probe>
class in_order_cluster final
    : public in_order_base<in_order_cluster<Order, Probe>, Order, std::uint32_t> {
  using base = in_order_base<in_order_cluster, Order, std::uint32_t>;

 public:
  using is_cluster = void;

  in_order_cluster(scheduler_setup const& setup, Order const& order, order_arrays&& arrays)
      : base(setup, order, std::move(arrays)),
        rings_(setup.machine.allocate<ring_slot>(
            slots_of_parts(setup.machine, setup.config.blocks, cluster_ring::slots))) {}

  [[nodiscard]] std::size_t bytes() const override { return base::bytes() + rings_.bytes(); }
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    return visit_with_results<std::uint32_t>(this->body_, [&]<class Body>(Body const& own) {
      return visit(in_order_cluster_kernel<Order, Probe, Body>{this->shared(), own,
                                                               this->state_.data(), rings_.data(),
                                                               this->stopper_, this->observer_});
    });
  }

 private:
  /// The rings of a host run. On a GPU, rings are in shared memory.
  buffer<ring_slot> rings_;
};

}  // namespace

std::unique_ptr<body_executor> make_in_order_cluster(scheduler_setup const& setup) {
  return make_for_order<in_order_cluster>(setup);
}

}  // namespace gridloom::wavefront
