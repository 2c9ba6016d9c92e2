// Host side of in_order and in_order_ticket: which order the tasks are taken in, and the words.

#include "wavefront/in_order_kernels.hpp"

#include <numeric>

#include "scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

/// Arrays of a listed order, on the device.
struct order_arrays {
  buffer<std::uint32_t> numbers;
  buffer<std::uint64_t> offsets;
  buffer<std::uint32_t> predecessors;

  std::uint64_t bytes() const { return numbers.bytes() + offsets.bytes() + predecessors.bytes(); }
  listed_order view() const {
    return {static_cast<std::uint32_t>(numbers.size()), numbers.data(), offsets.data(),
            predecessors.data()};
  }
};

/// The tasks level by level, with their predecessors by position.
order_arrays by_levels(device& machine, graph_store& graph) {
  std::vector<std::uint32_t> const numbers = graph.find_levels().tasks;
  std::vector<std::uint32_t> position_of(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) position_of[numbers[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> predecessors;
  offsets.reserve(numbers.size() + 1);
  predecessors.reserve(graph.edges());
  std::visit(
      [&](auto const& tasks) {
        for (std::uint32_t const task : numbers) {
          auto const from = tasks.predecessors(task);
          for (std::uint32_t k = 0; k < from.size(); ++k)
            predecessors.push_back(position_of[from[k]]);
          offsets.push_back(predecessors.size());
        }
      },
      graph.host_view());
  return {machine.allocate_copy(numbers), machine.allocate_copy(offsets),
          machine.allocate_copy(predecessors)};
}

template <class Order, class Graph, class Probe>
class in_order : public kernel_scheduler {
 public:
  in_order(scheduler_setup const& setup, Order const& order, Graph const& graph,
           order_arrays arrays)
      : kernel_scheduler(setup),
        order_(order),
        graph_(graph),
        arrays_(std::move(arrays)),
        words_(setup.machine.allocate<tagged<std::uint32_t>>(setup.graph.tasks())),
        executed_(setup.machine.allocate<std::uint32_t>(warps_of(setup))) {
    setup.machine.fill_bytes(words_, 0);
    setup.machine.fill_bytes(executed_, 0);
  }

  void reset() override { reset_words(); }

  void run(task_body const& body, probe_ref const& observer) override {
    if (++run_ == 0) {  // R2: after 2^32 runs
      setup_.machine.fill_bytes(words_, 0);
      run_ = 1;
    }
    bool const tickets = setup_.config.algorithm == "in_order_ticket";
    in_order_ref<Order> const shared{order_, words_.data(), run_,
                                     tickets ? &words()->cursor : nullptr,
                                     !tickets && setup_.config.looks_ahead};
    if (setup_.config.width == task_width::lane) {
      setup_.machine.launch(shape(), in_order_kernel<Order, Probe>{shared, body, executed_.data(),
                                                                   stopper_, observer});
    } else {
      setup_.machine.launch(shape(),
                            in_order_block_kernel<Order, Graph, Probe>{
                                shared, graph_, body, executed_.data(), stopper_, observer});
    }
  }

  std::uint64_t executed() override {
    auto const counts = setup_.machine.copy_to_host(executed_);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  std::uint64_t bytes() const override {
    return words_.bytes() + executed_.bytes() + arrays_.bytes() + sizeof(scheduler_words);
  }
  int units() const override {
    return setup_.config.width == task_width::lane ? setup_.config.blocks * setup_.config.threads
                                                   : setup_.config.blocks;
  }
  int observers() const override { return setup_.config.blocks * setup_.config.threads; }

 private:
  static std::size_t warps_of(scheduler_setup const& setup) {
    return static_cast<std::size_t>(setup.config.blocks) *
           static_cast<std::size_t>((setup.config.threads + 31) / 32);
  }

  Order order_;
  Graph graph_;
  order_arrays arrays_;
  buffer<tagged<std::uint32_t>> words_;
  buffer<std::uint32_t> executed_;
  std::uint32_t run_ = 0;
};

template <class Order, class Graph>
std::unique_ptr<scheduler> make(scheduler_setup const& setup, Order const& order,
                                Graph const& graph, order_arrays arrays = {}) {
  if (setup.observe) {
    return std::make_unique<in_order<Order, Graph, full_probe>>(setup, order, graph,
                                                                std::move(arrays));
  }
  return std::make_unique<in_order<Order, Graph, silent_probe>>(setup, order, graph,
                                                                std::move(arrays));
}

template <class Graph>
std::unique_ptr<scheduler> make_listed(scheduler_setup const& setup, Graph const& graph) {
  order_arrays arrays = by_levels(setup.machine, setup.graph);
  listed_order const order = arrays.view();
  return make(setup, order, graph, std::move(arrays));
}

std::unique_ptr<scheduler> make_for(scheduler_setup const& setup, lattice const& graph) {
  if (setup.config.numbering == task_numbering::own)
    return make(setup, own_order<lattice>{graph}, graph);
  if (graph.depth() == 1) return make(setup, diagonal_order(graph), graph);
  return make_listed(setup, graph);
}

std::unique_ptr<scheduler> make_for(scheduler_setup const& setup, dag_ref const& graph) {
  if (setup.config.numbering == task_numbering::levels) return make_listed(setup, graph);
  auto const against = setup.graph.edge_against_numbers();
  if (!against) return make(setup, own_order<dag_ref>{graph}, graph);
  if (setup.config.numbering == task_numbering::automatic) return make_listed(setup, graph);
  throw usage_error("--numbering own: expected edges from smaller to larger numbers, got edge " +
                    std::to_string(against->first) + " -> " + std::to_string(against->second) +
                    "; --numbering levels computes an order");
}

}  // namespace

std::unique_ptr<scheduler> make_in_order(scheduler_setup const& setup) {
  return std::visit([&](auto const& graph) { return make_for(setup, graph); }, setup.graph.view());
}

}  // namespace gridloom::wavefront
