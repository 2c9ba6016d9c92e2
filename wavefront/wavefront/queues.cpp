// Host sides of the two published queue schedulers.

#include <algorithm>

#include "scheduler_base.hpp"
#include "wavefront/multi_queue.hpp"
#include "wavefront/single_queue.hpp"

namespace gridloom::wavefront {

namespace {

/// Memory of the stacks and their content at the start of a run: the tasks without dependencies.
class locked_stacks {
 public:
  locked_stacks(scheduler_setup const& setup, std::uint32_t queues)
      : capacity_(capacity_for(setup.graph, queues)),
        words_(setup.machine.allocate<locked_stack_words>(queues)),
        items_(setup.machine.allocate<std::uint32_t>(std::size_t{queues} * capacity_)),
        first_words_(queues, locked_stack_words{}) {
    for (std::uint32_t task : setup.graph.entries()) {
      std::uint32_t q = queue_of(setup.config.hash, task, 0, setup.graph.row_length(), queues);
      while (first_words_[q].size == capacity_) q = (q + 1) % queues;
      std::size_t const place = std::size_t{q} * capacity_ + first_words_[q].size++;
      if (first_items_.size() <= place) first_items_.resize(place + 1, none);
      first_items_[place] = task;
    }
  }

  void reset(device& machine) {
    machine.copy_to_device(words_, std::span<locked_stack_words const>(first_words_));
    machine.copy_to_device(items_, std::span<std::uint32_t const>(first_items_));
  }
  locked_stack_words* words() const { return words_.data(); }
  std::uint32_t* items() const { return items_.data(); }
  std::uint32_t capacity() const { return capacity_; }
  std::uint64_t bytes() const { return words_.bytes() + items_.bytes(); }

 private:
  /// The paper allots as many places as tasks can be ready. One queue may get them all under an
  /// unlucky hash, so each has that many where memory allows, and twice its fair share where not:
  /// then a full queue hands on to the next.
  static std::uint32_t capacity_for(graph_store const& graph, std::uint32_t queues) {
    std::uint64_t const all = graph.width_bound();
    if (all * queues <= (std::uint64_t{1} << 28)) return static_cast<std::uint32_t>(all);
    return static_cast<std::uint32_t>(std::min(all, std::max<std::uint64_t>(64, 2 * all / queues)));
  }

  std::uint32_t capacity_;
  buffer<locked_stack_words> words_;
  buffer<std::uint32_t> items_;
  std::vector<locked_stack_words> first_words_;
  std::vector<std::uint32_t> first_items_;
};

template <class Graph>
class queue_scheduler : public kernel_scheduler {
 public:
  queue_scheduler(scheduler_setup const& setup, Graph const& graph, int queues)
      : kernel_scheduler(setup),
        graph_(graph),
        stacks_(setup, static_cast<std::uint32_t>(queues)) {}
  void reset() override {
    reset_words();
    count_dependencies(graph_, 0);
    stacks_.reset(setup_.machine);
  }
  std::uint64_t bytes() const override {
    return counter_bytes() + stacks_.bytes() + sizeof(scheduler_words);
  }

 protected:
  Graph graph_;
  locked_stacks stacks_;
};

template <class Graph, class Probe>
class single_queue : public queue_scheduler<Graph> {
 public:
  single_queue(scheduler_setup const& setup, Graph const& graph)
      : queue_scheduler<Graph>(setup, graph, 1) {}
  void run(task_body const& body, probe_ref const& observer) override {
    auto const& stacks = this->stacks_;
    this->setup_.machine.launch(
        this->shape(), single_queue_kernel<Graph, Probe>{
                           this->graph_, body, this->dependencies(), stacks.words(), stacks.items(),
                           stacks.capacity(), this->words(), this->stopper_, observer});
  }
};

template <class Graph, class Probe>
class multi_queue : public queue_scheduler<Graph> {
 public:
  multi_queue(scheduler_setup const& setup, Graph const& graph)
      : queue_scheduler<Graph>(setup, graph, setup.config.queues) {}
  void run(task_body const& body, probe_ref const& observer) override {
    auto const& stacks = this->stacks_;
    auto const& config = this->setup_.config;
    this->setup_.machine.launch(
        this->shape(),
        multi_queue_kernel<Graph, Probe>{
            this->graph_, body, this->dependencies(), stacks.words(), stacks.items(),
            static_cast<std::uint32_t>(config.queues), stacks.capacity(), config.hash,
            this->setup_.graph.row_length(), this->words(), this->stopper_, observer});
  }
};

}  // namespace

std::unique_ptr<scheduler> make_single_queue(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const& graph) {
    return std::make_unique<single_queue<Graph, Probe>>(setup, graph);
  });
}

std::unique_ptr<scheduler> make_multi_queue(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const& graph) {
    return std::make_unique<multi_queue<Graph, Probe>>(setup, graph);
  });
}

}  // namespace gridloom::wavefront
