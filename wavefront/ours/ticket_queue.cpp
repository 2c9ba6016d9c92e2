#include "wavefront/ours/ticket_queue_kernels.hpp"

#include <bit>

#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph, class Probe>
class ticket_queue final : public kernel_executor<ticket_queue<Graph, Probe>> {
 public:
  /// `packed` holds the array that a packed graph refers to.
  ticket_queue(scheduler_setup const& setup, Graph const& graph,
               buffer<packed_successors> packed = {})
      : kernel_executor<ticket_queue>(setup),
        graph_(graph),
        packed_(std::move(packed)),
        capacity_(capacity_for(setup)),
        ring_words_(setup.machine.template allocate<mpmc_ring_words>(1)),
        slots_(setup.machine.template allocate<mpmc_ring_ref::slot>(capacity_)),
        first_slots_(capacity_) {
    for (std::uint32_t i = 0; i < capacity_; ++i)
      first_slots_[i] = mpmc_ring_ref::empty_slot(i, capacity_);
    first_words_.parked = static_cast<std::uint32_t>(setup.graph.entries().size());
  }

  [[nodiscard]] std::size_t bytes() const override {
    return 4ULL * this->setup_.graph.tasks() + packed_.bytes() + slots_.bytes() +
           sizeof(mpmc_ring_words) + sizeof(scheduler_words);
  }
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    auto const& setup = this->setup_;
    return std::visit(
        [&]<class Body>(Body const& own) {
          ticket_queue_ref<Graph> const shared{
              graph_,
              setup.memory.dependencies.data(),
              mpmc_ring_ref(ring_words_.data(), slots_.data(), capacity_),
              capacity_ >= setup.graph.width_bound(),
              slack(setup),
              this->words(),
              setup.config.orders_memory || own.needs_results()};
          if (setup.config.width == task_width::lane)
            return visit(ticket_queue_kernel<Graph, Probe, Body>{shared, own, this->stopper_,
                                                                 this->observer_});
          return visit(ticket_queue_block_kernel<Graph, Probe, Body>{shared, own, this->stopper_,
                                                                     this->observer_});
        },
        this->body_);
  }

 private:
  void reset_state() override {
    auto& machine = this->setup_.machine;
    count_dependencies(machine, graph_, this->setup_.memory, parked_mark);
    machine.copy_to_device(this->setup_.memory.words,
                           std::span<scheduler_words const>(&first_words_, 1));
    machine.fill_bytes(ring_words_, 0);
    machine.copy_to_device(slots_, std::span<mpmc_ring_ref::slot const>(first_slots_));
  }

  /// The number of pushes that can be under way at once: one per scheduling thread.
  static std::uint32_t slack(scheduler_setup const& setup) {
    return static_cast<std::uint32_t>(setup.config.units());
  }

  /// Room for all tasks that can be ready at once, if they are known to be few. Otherwise at most
  /// two bytes per task, since a task that finds no room is parked. In any case there is room for
  /// four pushes of every scheduling thread, or a push might never find room.
  static std::uint32_t capacity_for(scheduler_setup const& setup) {
    if (setup.config.ring_slots != 0) return setup.config.ring_slots;
    std::uint32_t const bound = setup.graph.width_bound();
    if (setup.graph.is_lattice() && bound <= setup.graph.tasks() / 8)
      return std::bit_ceil(std::max(2U, bound));
    return std::bit_ceil(std::max(4 * slack(setup), std::min(bound, setup.graph.tasks() / 8)));
  }

  Graph graph_;
  buffer<packed_successors> packed_;
  std::uint32_t capacity_;
  buffer<mpmc_ring_words> ring_words_;
  buffer<mpmc_ring_ref::slot> slots_;
  std::vector<mpmc_ring_ref::slot> first_slots_;
  scheduler_words first_words_{};
};

/// Packs the successors of a graph in memory, then makes the scheduler.
template <class Probe>
std::unique_ptr<body_executor> make_packed(scheduler_setup const& setup, dag_ref const& graph) {
  auto& machine = setup.machine;
  auto packed = machine.allocate<packed_successors>(graph.tasks());
  int const blocks = machine.is_host() ? 1 : 4 * machine.properties().multiprocessors;
  machine.launch({blocks, machine.is_host() ? 1 : 256}, pack_kernel{graph, packed.data()});
  packed_dag const view{graph, packed.data()};
  return std::make_unique<ticket_queue<packed_dag, Probe>>(setup, view, std::move(packed));
}

}  // namespace

std::unique_ptr<body_executor> make_ticket_queue(scheduler_setup const& setup) {
  return for_graph(
      setup, [&]<class Graph, class Probe>(Graph const& graph) -> std::unique_ptr<body_executor> {
        if constexpr (std::is_same_v<Graph, dag_ref>) {
          if (setup.config.packs_successors) return make_packed<Probe>(setup, graph);
        }
        return std::make_unique<ticket_queue<Graph, Probe>>(setup, graph);
      });
}

}  // namespace gridloom::wavefront
