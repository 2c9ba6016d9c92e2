#include "tiled_qr/general/graph_store.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

namespace gridloom::tiled_qr::general {

namespace {

/// Sets the words of a run to their state at its start.
struct reset_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  dispatch_ref to;
  /// Number of tasks that have a word.
  std::uint32_t tasks;
  std::uint32_t resources;
  /// The first value of each task's open_word.
  std::uint32_t const* first_open;
  /// The tasks of class c that are ready at the start are ready[ready_offsets[c]] to
  /// ready[ready_offsets[c + 1] - 1].
  std::uint32_t const* ready_offsets;
  std::uint32_t const* ready;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    std::uint64_t const rank =
        std::uint64_t(block.index()) * block.num_threads() + block.thread_rank();
    std::uint64_t const all = std::uint64_t(block.count()) * block.num_threads();
    if (rank == 0) *to.words = {};
    for (std::uint32_t c = 0; c < to.classes; ++c) {
      std::uint32_t const begin = to.queue_offsets[c];
      std::uint32_t const capacity = to.queue_offsets[c + 1] - begin;
      std::uint32_t const first_ready = ready_offsets[c];
      std::uint32_t const count = ready_offsets[c + 1] - first_ready;
      if (rank == 0) {
        to.queue_words[c] = {count, 0};
        to.words->waiting[c] = count;
      }
      for (std::uint64_t at = rank; at < capacity; at += all) {
        auto const i = static_cast<std::uint32_t>(at);
        if (i < count)
          // The state of a slot into which a value was put.
          to.slots[begin + i] = {i + 1, ready[first_ready + i]};
        else
          to.slots[begin + i] = mpmc_ring_ref::empty_slot(i, capacity);
      }
    }
    for (std::uint64_t task = rank; task < tasks; task += all) to.open[task] = first_open[task];
    for (std::uint64_t r = rank; r < resources; r += all) to.locks[r] = 0;
  }
};

/// Converts offsets to 32 bits. Throws usage_error if one is too large; `what` names the counted
/// things.
std::vector<std::uint32_t> short_offsets(std::vector<std::uint64_t> const& offsets,
                                         char const* what) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (!offsets.empty() && offsets.back() > most)
    throw usage_error("task graph: expected at most " + std::to_string(most) + " " + what +
                      ", got " + std::to_string(offsets.back()));
  return {offsets.begin(), offsets.end()};
}

/// Returns where the slots of each class begin. Each class has one slot per task, rounded up to a
/// power of two.
std::vector<std::uint32_t> offsets_of_queues(compiled_graph const& graph) {
  std::vector<std::uint64_t> sizes(graph.num_classes, 0);
  for (std::uint32_t const of : graph.classes) ++sizes[of];
  std::vector<std::uint32_t> offsets{0};
  std::uint64_t end = 0;
  for (std::uint64_t const size : sizes) {
    end += std::bit_ceil(std::max<std::uint64_t>(size, 2));
    if (end > std::uint32_t{1} << 31U)
      throw usage_error(
          "task graph: expected fewer tasks, so that the queues fit into 32-bit indices");
    offsets.push_back(static_cast<std::uint32_t>(end));
  }
  return offsets;
}

}  // namespace

task_memory::task_memory(device& machine, compiled_graph const& graph)
    : types_(machine.allocate_copy(graph.types)),
      payloads_(machine.allocate_copy(graph.payloads)),
      graph_{graph.tasks(), types_.data(), payloads_.data(), graph.payload_bytes,
             nullptr,       nullptr,       nullptr,          nullptr} {}

graph_store::graph_store(device& machine, compiled_graph const& graph)
    : machine_(&machine),
      tasks_(machine, graph),
      words_(machine.allocate<dispatch_words>(1)),
      graph_(tasks_.graph()) {
  successor_offsets_ =
      machine.allocate_copy(short_offsets(graph.successors.row_offsets, "dependencies"));
  successors_ = machine.allocate_copy(graph.successors.columns);
  graph_.successor_offsets = successor_offsets_.data();
  graph_.successors = successors_.data();
  if (!graph.uses.empty()) {
    use_offsets_ = machine.allocate_copy(short_offsets(graph.use_offsets, "uses"));
    uses_ = machine.allocate_copy(graph.uses);
    graph_.use_offsets = use_offsets_.data();
    graph_.uses = uses_.data();
  }
  std::vector<std::uint32_t> const offsets = offsets_of_queues(graph);
  queue_offsets_ = machine.allocate_copy(offsets);
  queue_words_ = machine.allocate<mpmc_ring_words>(graph.num_classes);
  slots_ = machine.allocate<mpmc_ring_ref::slot>(offsets.back());
  open_ = machine.allocate<std::uint32_t>(graph.tasks());
  locks_ = machine.allocate<std::uint32_t>(graph.resources);

  std::vector<std::uint32_t> first_open;
  std::vector<std::vector<std::uint32_t>> ready(graph.num_classes);
  for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
    std::uint32_t const before = graph.dependences[task];
    if (before > open_word::most_dependences) {
      throw usage_error("task graph: task " + std::to_string(task) + " depends on " +
                        std::to_string(before) + " tasks, expected at most " +
                        std::to_string(open_word::most_dependences));
    }
    first_open.push_back(open_word::make(before, graph.classes[task]));
    if (before == 0) ready[graph.classes[task]].push_back(task);
  }
  std::vector<std::uint32_t> all_ready;
  std::vector<std::uint32_t> ready_offsets{0};
  for (auto const& class_tasks : ready) {
    all_ready.insert(all_ready.end(), class_tasks.begin(), class_tasks.end());
    ready_offsets.push_back(static_cast<std::uint32_t>(all_ready.size()));
  }
  first_open_ = machine.allocate_copy(first_open);
  ready_offsets_ = machine.allocate_copy(ready_offsets);
  ready_ = machine.allocate_copy(all_ready);
  order_ = machine.allocate_copy(graph.order);
  dispatch_ = {
      graph_,        graph.num_classes, words_.data(), queue_words_.data(), queue_offsets_.data(),
      slots_.data(), open_.data(),      locks_.data(), order_.data()};
  reset();
}

void graph_store::reset() {
  int const processors = machine_->properties().multiprocessors;
  launch_shape const shape = machine_->is_host()
                                 ? launch_shape{1, 1}
                                 : launch_shape{2 * processors, reset_kernel::max_threads};
  machine_->launch(shape, reset_kernel{dispatch_, static_cast<std::uint32_t>(open_.size()),
                                       static_cast<std::uint32_t>(locks_.size()),
                                       first_open_.data(), ready_offsets_.data(), ready_.data()});
}

dispatch_words graph_store::words() { return machine_->copy_to_host(dispatch_.words); }

std::size_t graph_store::bytes() const {
  return tasks_.bytes() + successors_.bytes() + uses_.bytes() + queue_offsets_.bytes() +
         successor_offsets_.bytes() + use_offsets_.bytes() + first_open_.bytes() +
         ready_offsets_.bytes() + ready_.bytes() + words_.bytes() + queue_words_.bytes() +
         slots_.bytes() + open_.bytes() + locks_.bytes() + order_.bytes();
}

}  // namespace gridloom::tiled_qr::general
