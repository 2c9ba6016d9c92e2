#include "wavefront/ours/ticket_queue_kernels.hpp"

#include <bit>

#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph, class Probe>
class ticket_queue : public kernel_scheduler {
 public:
  /// `packed` holds the array that a packed graph refers to.
  ticket_queue(scheduler_setup const& setup, Graph const& graph,
               buffer<packed_successors> packed = {})
      : kernel_scheduler(setup),
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

  void reset() override {
    reset_words();
    count_dependencies(graph_, parked_mark);
    setup_.machine.copy_to_device(setup_.memory.words,
                                  std::span<scheduler_words const>(&first_words_, 1));
    setup_.machine.fill_bytes(ring_words_, 0);
    setup_.machine.copy_to_device(slots_, std::span<mpmc_ring_ref::slot const>(first_slots_));
  }

  void run(any_body const& body, probe_ref const& observer) override {
    std::visit([&](auto const& own) { launch(own, observer); }, body);
  }

  std::uint64_t bytes() const override {
    return counter_bytes() + packed_.bytes() + slots_.bytes() + sizeof(mpmc_ring_words) +
           sizeof(scheduler_words);
  }
  int units() const override {
    return setup_.config.width == task_width::lane ? setup_.config.blocks * setup_.config.threads
                                                   : setup_.config.blocks;
  }
  int observers() const override { return setup_.config.blocks * setup_.config.threads; }

 private:
  template <class Body>
  void launch(Body const& body, probe_ref const& observer) {
    bool const holds_all = capacity_ >= setup_.graph.width_bound();
    ticket_queue_ref<Graph> const shared{
        graph_,
        dependencies(),
        mpmc_ring_ref(ring_words_.data(), slots_.data(), capacity_),
        holds_all,
        slack(setup_),
        words(),
        setup_.config.orders_memory || body.needs_results()};
    if (setup_.config.width == task_width::lane) {
      setup_.machine.launch(
          shape(), ticket_queue_kernel<Graph, Probe, Body>{shared, body, stopper_, observer});
    } else {
      setup_.machine.launch(
          shape(), ticket_queue_block_kernel<Graph, Probe, Body>{shared, body, stopper_, observer});
    }
  }

  /// The number of pushes that can be under way at once: one per scheduling thread.
  static std::uint32_t slack(scheduler_setup const& setup) {
    auto const schedulers = setup.config.width == task_width::lane
                                ? setup.config.blocks * setup.config.threads
                                : setup.config.blocks;
    return static_cast<std::uint32_t>(schedulers);
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
std::unique_ptr<scheduler> make_packed(scheduler_setup const& setup, dag_ref const& graph) {
  auto& machine = setup.machine;
  auto packed = machine.allocate<packed_successors>(graph.tasks());
  int const blocks = machine.is_host() ? 1 : 4 * machine.properties().multiprocessors;
  machine.launch({blocks, machine.is_host() ? 1 : 256}, pack_kernel{graph, packed.data()});
  packed_dag const view{graph, packed.data()};
  return std::make_unique<ticket_queue<packed_dag, Probe>>(setup, view, std::move(packed));
}

}  // namespace

std::unique_ptr<scheduler> make_ticket_queue(scheduler_setup const& setup) {
  return for_graph(setup,
                   [&]<class Graph, class Probe>(Graph const& graph) -> std::unique_ptr<scheduler> {
                     if constexpr (std::is_same_v<Graph, dag_ref>) {
                       if (setup.config.packs_successors) return make_packed<Probe>(setup, graph);
                     }
                     return std::make_unique<ticket_queue<Graph, Probe>>(setup, graph);
                   });
}

}  // namespace gridloom::wavefront
