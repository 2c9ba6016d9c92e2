#include "tiled_qr/general/graph_store.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

namespace gridloom::tiled_qr::general {

namespace {

/// The words of a run as at its start, each by one thread.
struct reset_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  dispatch_ref to;
  /// That have a word.
  std::uint32_t tasks;
  std::uint32_t resources;
  /// One a task.
  std::uint32_t const* first_open;
  /// ready[ready_offsets[c]] to ready[ready_offsets[c + 1] - 1] are class c's.
  std::uint32_t const* ready_offsets;
  std::uint32_t const* ready;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    std::uint64_t const rank =
        std::uint64_t(block.index()) * block.num_threads() + block.thread_rank();
    std::uint64_t const all = std::uint64_t(block.count()) * block.num_threads();
    if (rank == 0) *to.words = {0, 0};
    for (std::uint32_t c = 0; c < to.classes; ++c) {
      std::uint32_t const begin = to.queue_offsets[c];
      std::uint32_t const capacity = to.queue_offsets[c + 1] - begin;
      std::uint32_t const first_ready = ready_offsets[c];
      std::uint32_t const count = ready_offsets[c + 1] - first_ready;
      if (rank == 0) to.queue_words[c] = {count, 0};
      for (std::uint64_t at = rank; at < capacity; at += all) {
        auto const i = static_cast<std::uint32_t>(at);
        if (i < count)
          to.slots[begin + i] = {i + 1, ready[first_ready + i]};  // as after a publish
        else
          to.slots[begin + i] = mpmc_ring_ref::empty_slot(i, capacity);
      }
    }
    for (std::uint64_t task = rank; task < tasks; task += all) to.open[task] = first_open[task];
    for (std::uint64_t r = rank; r < resources; r += all) to.locks[r] = 0;
  }
};

/// Offsets of at most 2^32 - 1 things. `what`: the things, for the message.
std::vector<std::uint32_t> short_offsets(std::vector<std::uint64_t> const& offsets,
                                         char const* what) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (!offsets.empty() && offsets.back() > most)
    throw usage_error("task graph: expected at most " + std::to_string(most) + " " + what +
                      ", got " + std::to_string(offsets.back()));
  return {offsets.begin(), offsets.end()};
}

/// Where the slots of each class begin: as many as it has tasks, rounded up.
std::vector<std::uint32_t> offsets_of_queues(compiled_graph const& graph) {
  std::vector<std::uint64_t> sizes(graph.num_classes, 0);
  for (std::uint32_t const of : graph.classes) ++sizes[of];
  std::vector<std::uint32_t> offsets{0};
  std::uint64_t end = 0;
  for (std::uint64_t const size : sizes) {
    end += std::bit_ceil(std::max<std::uint64_t>(size, 2));
    if (end > std::uint32_t{1} << 31U) throw usage_error("task graph: too many tasks for queues");
    offsets.push_back(static_cast<std::uint32_t>(end));
  }
  return offsets;
}

}  // namespace

wave_list waves_of(compiled_graph const& graph) {
  std::uint32_t const n = graph.tasks();
  std::vector<std::uint32_t> wave(n, 0);
  std::vector<std::uint32_t> free_from(graph.resources, 0);
  std::uint32_t count = 0;
  for (std::uint32_t const task : graph.order) {
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      wave[task] = std::max(wave[task], free_from[graph.uses[u]]);
    std::uint32_t const next = wave[task] + 1;
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      free_from[graph.uses[u]] = next;
    for (std::uint64_t e = graph.successors.row_offsets[task];
         e < graph.successors.row_offsets[task + 1]; ++e) {
      std::uint32_t& of = wave[graph.successors.columns[e]];
      of = std::max(of, next);
    }
    count = std::max(count, next);
  }
  wave_list list;
  list.offsets.assign(std::size_t{count} + 1, 0);
  for (std::uint32_t const w : wave) ++list.offsets[w + 1];
  std::partial_sum(list.offsets.begin(), list.offsets.end(), list.offsets.begin());
  std::vector<std::uint32_t> next(list.offsets.begin(), list.offsets.end() - 1);
  list.tasks.resize(n);
  for (std::uint32_t task = 0; task < n; ++task) list.tasks[next[wave[task]]++] = task;
  return list;
}

graph_store::graph_store(device& machine, compiled_graph const& graph, execution how)
    : machine_(&machine),
      types_(machine.allocate_copy(graph.types)),
      payloads_(machine.allocate_copy(graph.payloads)),
      words_(machine.allocate<dispatch_words>(1)) {
  graph_ = {graph.tasks(), types_.data(), payloads_.data(), graph.payload_bytes,
            nullptr,       nullptr,       nullptr,          nullptr};
  dispatch_ = {graph_, 0, words_.data(), nullptr, nullptr, nullptr, nullptr, nullptr};
  if (how == execution::in_order) order_ = machine.allocate_copy(graph.order);
  if (how == execution::scheduled) add_scheduler(graph);
  reset();
}

void graph_store::add_scheduler(compiled_graph const& graph) {
  device& machine = *machine_;
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
  for (auto const& of_class : ready) {
    all_ready.insert(all_ready.end(), of_class.begin(), of_class.end());
    ready_offsets.push_back(static_cast<std::uint32_t>(all_ready.size()));
  }
  first_open_ = machine.allocate_copy(first_open);
  ready_offsets_ = machine.allocate_copy(ready_offsets);
  ready_ = machine.allocate_copy(all_ready);
  dispatch_ = {
      graph_,        graph.num_classes, words_.data(), queue_words_.data(), queue_offsets_.data(),
      slots_.data(), open_.data(),      locks_.data()};
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
  return types_.bytes() + successors_.bytes() + uses_.bytes() + order_.bytes() +
         queue_offsets_.bytes() + payloads_.bytes() + successor_offsets_.bytes() +
         use_offsets_.bytes() + first_open_.bytes() + ready_offsets_.bytes() + ready_.bytes() +
         words_.bytes() + queue_words_.bytes() + slots_.bytes() + open_.bytes() + locks_.bytes();
}

}  // namespace gridloom::tiled_qr::general
