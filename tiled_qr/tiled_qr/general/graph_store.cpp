#include "tiled_qr/general/graph_store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>

namespace gridloom::tiled_qr::general {

namespace {

using slot = mpmc_ring_ref::slot;

/// Places values one after the other, each stretch on lines of its own.
class layout {
 public:
  template <class T>
  std::size_t add(std::size_t n) {
    std::size_t const at = size_;
    size_ = (size_ + n * sizeof(T) + line_bytes - 1) / line_bytes * line_bytes;
    return at;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

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

graph_store::graph_store(device& machine, compiled_graph const& graph)
    : machine_(&machine),
      types_(machine.allocate_copy(graph.types)),
      successors_(machine.allocate_copy(graph.successors.columns)),
      uses_(machine.allocate_copy(graph.uses)),
      order_(machine.allocate_copy(graph.order)),
      payloads_(machine.allocate_copy(graph.payloads)),
      successor_offsets_(machine.allocate_copy(graph.successors.row_offsets)),
      use_offsets_(machine.allocate_copy(graph.use_offsets)) {
  std::uint32_t const n = graph.tasks();
  for (std::uint32_t task = 0; task < n; ++task) {
    if (graph.dependences[task] > open_word::most_dependences) {
      throw usage_error("task graph: task " + std::to_string(task) + " depends on " +
                        std::to_string(graph.dependences[task]) + " tasks, expected at most " +
                        std::to_string(open_word::most_dependences));
    }
  }
  std::vector<std::uint32_t> const offsets = offsets_of_queues(graph);
  queue_offsets_ = machine.allocate_copy(offsets);

  layout places;
  std::size_t const words_at = places.add<dispatch_words>(1);
  std::size_t const queues_at = places.add<mpmc_ring_words>(graph.num_classes);
  std::size_t const slots_at = places.add<slot>(offsets.back());
  std::size_t const open_at = places.add<std::uint32_t>(n);
  std::size_t const locks_at = places.add<std::uint32_t>(graph.resources);
  std::vector<std::byte> first(places.size());
  auto const write = [&](std::size_t at, std::size_t k, auto const& value) {
    std::memcpy(first.data() + at + k * sizeof(value), &value, sizeof(value));
  };

  std::vector<std::uint32_t> tails(graph.num_classes, 0);
  for (std::uint32_t c = 0; c < graph.num_classes; ++c) {
    std::uint32_t const capacity = offsets[c + 1] - offsets[c];
    for (std::uint32_t i = 0; i < capacity; ++i)
      write(slots_at, offsets[c] + i, mpmc_ring_ref::empty_slot(i, capacity));
  }
  for (std::uint32_t task = 0; task < n; ++task) {
    std::uint32_t const c = graph.classes[task];
    write(open_at, task, open_word::make(graph.dependences[task], c));
    if (graph.dependences[task] != 0) continue;
    std::uint32_t const ticket = tails[c]++;
    write(slots_at, offsets[c] + ticket, slot{ticket + 1, task});  // as after a publish
  }
  for (std::uint32_t c = 0; c < graph.num_classes; ++c)
    write(queues_at, c, mpmc_ring_words{tails[c], 0});
  first_state_ = machine.allocate_copy(first);
  state_ = machine.allocate<std::byte>(first.size());

  graph_ = {n,
            types_.data(),
            payloads_.data(),
            graph.payload_bytes,
            successor_offsets_.data(),
            successors_.data(),
            graph.uses.empty() ? nullptr : use_offsets_.data(),
            uses_.data()};
  auto const at = [&]<class T>(std::size_t place, T*) {
    return reinterpret_cast<T*>(state_.data() + place);
  };
  dispatch_ = {graph_,
               graph.num_classes,
               at(words_at, static_cast<dispatch_words*>(nullptr)),
               at(queues_at, static_cast<mpmc_ring_words*>(nullptr)),
               queue_offsets_.data(),
               at(slots_at, static_cast<slot*>(nullptr)),
               at(open_at, static_cast<std::uint32_t*>(nullptr)),
               at(locks_at, static_cast<std::uint32_t*>(nullptr))};
  reset();
}

void graph_store::reset() { machine_->copy_on_device(state_, first_state_); }

dispatch_words graph_store::words() { return machine_->copy_to_host(dispatch_.words); }

std::size_t graph_store::bytes() const {
  return types_.bytes() + successors_.bytes() + uses_.bytes() + order_.bytes() +
         queue_offsets_.bytes() + payloads_.bytes() + successor_offsets_.bytes() +
         use_offsets_.bytes() + first_state_.bytes() + state_.bytes();
}

}  // namespace gridloom::tiled_qr::general
