#pragma once
// The published ordering with keys of one width. For kernel sources.

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/trace.hpp"
#include "mhive/program.hpp"
#include "published/mhive_ordering.hpp"
#include "published/order_tasks.hpp"
#include "published/part_times.hpp"
#include "published/valency_kernel.hpp"
#include "thesis_mhive/ours/rcm/narrow_levels.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::mhive::rcm {

/// `Levels` has the queue of the tasks, and the data that they share.
template <std::unsigned_integral Key, class Levels = published_levels<Key>>
class width_ordering final : public mhive_ordering {
 public:
  using queue = typename Levels::queue;

  width_ordering(device& machine, graph_ref graph, std::string_view scheduler,
                 ordering_options const& options)
      : machine_{machine},
        size_{graph.num_rows},
        scheduler_{scheduler},
        workers_{options.workers},
        most_tasks_{bounded_tasks(options.most_tasks, size_)},
        program_{machine,
                 {.capacity = most_tasks_,
                  .waiting = 2,
                  .workers = options.workers,
                  .timeout_s = options.timeout_s}} {
    bool known = false;
    for_each_scheduler([&]<class Scheduler>(Scheduler) { known |= Scheduler::name == scheduler; });
    if (!known) throw std::invalid_argument("no scheduler \"" + scheduler_ + "\"");
    std::size_t const room = std::max<std::size_t>(1, size_);
    valencies_ = machine.allocate<std::uint32_t>(room);
    starts_ = machine.allocate<std::uint32_t>(room);
    order_ = machine.allocate<std::uint32_t>(size_);
    keys_ = machine.allocate<Key>(room);
    sort_keys_ = machine.allocate<Key>(room);
    sort_values_ = machine.allocate<std::uint32_t>(room);
    words_ = machine.allocate<level_words>(1);
    largest_ = machine.allocate<std::uint32_t>(1);
    constexpr std::uint32_t any = 0;
    program_.template enqueue<sort_delegate<Key>>(std::span{&any, 1});
  }

  ordering_report order(device_graph const& graph, std::span<std::uint32_t const> starts,
                        bool with_parts) override {
    require_plausible(graph, starts);
    if (size_ == 0) return {};
    if (!with_parts) return order_once(graph, starts);
    for (;;) {
      if (!trace_) trace_.emplace(machine_, 1, trace_room_);
      program_.set_trace(trace_->arm());
      ordering_report done = order_once(graph, starts);
      program_.set_trace({});
      std::uint64_t const dropped = trace_->dropped();
      if (dropped == 0) {
        done.parts = part_times(trace_->events(), names());
        return done;
      }
      trace_.reset();
      grow_trace(dropped);
    }
  }

  buffer<std::uint32_t> const& cuthill_mckee() const override { return order_; }
  int key_bits() const override { return std::numeric_limits<Key>::digits; }
  std::size_t bytes() const override {
    // For each type, the program has a ring, and a copy of the ring's state before a run.
    std::size_t const queues =
        std::size_t{2} * queue::num_types * most_tasks_ * sizeof(tagged<std::uint32_t>);
    return valencies_.bytes() + starts_.bytes() + order_.bytes() + keys_.bytes() +
           sort_keys_.bytes() + sort_values_.bytes() + words_.bytes() + largest_.bytes() + queues +
           sizeof(run_words<queue>);
  }

 private:
  // A queue never holds more tasks than the graph has vertices.
  static std::uint32_t bounded_tasks(std::uint32_t most, std::uint32_t size) {
    return std::max(2U, std::bit_ceil(std::min(most, std::max(1U, size))));
  }

  static std::vector<std::string> names() {
    std::vector<std::string> result(queue::num_types);
    for_each_type<queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      result[queue::template index_of<type>()] = display_name<queue, type>();
    });
    return result;
  }

  void require_plausible(device_graph const& graph, std::span<std::uint32_t const> starts) const {
    if (graph.host_ref().num_rows != size_) {
      throw std::invalid_argument("ordering: expected the graph that it was made for");
    }
    for (std::uint32_t const start : starts) {
      if (start >= size_) throw std::invalid_argument(no_start(start));
    }
    if (starts.size() > size_) {
      throw std::invalid_argument("ordering: expected one start node per component, got " +
                                  std::to_string(starts.size()) + " for " + std::to_string(size_) +
                                  " vertices");
    }
  }
  std::string no_start(std::uint32_t vertex) const {
    return "ordering: expected one start node per component, got vertex " + std::to_string(vertex) +
           (vertex < size_ ? " of a component ordered before"
                           : " of " + std::to_string(size_) + " vertices");
  }

  void grow_trace(std::uint64_t dropped) {
    // Number of tasks whose trace takes 4 GiB.
    constexpr std::uint64_t most = std::uint64_t{1} << 27U;
    std::uint64_t const needed = trace_room_ + dropped + dropped / 8;
    if (needed > most) {
      throw run_error("times of the task types: expected at most " + std::to_string(most) +
                      " tasks, got " + std::to_string(needed));
    }
    trace_room_ = static_cast<std::uint32_t>(needed);
  }

  ordering_report order_once(device_graph const& graph, std::span<std::uint32_t const> starts) {
    machine_.synchronize();
    auto const begin = std::chrono::steady_clock::now();
    machine_.copy_to_device(starts_, starts);
    int const bits = find_valencies(machine_, graph.ref());
    // Sets all keys to untouched.
    machine_.fill_bytes(keys_, 0xff);
    level_words const at_start{};
    machine_.copy_to_device(words_, std::span{&at_start, 1});
    auto const data = Levels::data_for(
        {graph.ref(), valencies_.data(), bits, static_cast<std::uint32_t>(starts.size()),
         starts_.data(), most_tasks_, order_.data(), keys_.data(), sort_keys_.data(),
         sort_values_.data(), words_.data()},
        graph.host_ref());
    ordering_report done;
    for_each_scheduler([&]<class Scheduler>(Scheduler) {
      if (Scheduler::name == scheduler_) done.run = program_.template run<Scheduler>(data);
    });
    level_words const words = machine_.copy_to_host(words_)[0];
    std::chrono::duration<double, std::milli> const elapsed =
        std::chrono::steady_clock::now() - begin;
    done.elapsed_ms = elapsed.count();
    require_whole(words, starts);
    done.num_levels = words.num_levels;
    return done;
  }

  // Does the preprocessing. Returns the number of bits for the largest valency. The machine is a
  // template parameter, because its launches exist only in sources that nvcc compiles.
  template <class Machine>
  int find_valencies(Machine& machine, graph_ref graph) {
    constexpr int blocks_a_processor = 8;
    machine.fill_bytes(largest_, 0);
    int const processors = machine.properties().multiprocessors;
    int const wanted = machine.is_host() ? (workers_ > 0 ? workers_ : processors)
                                         : processors * blocks_a_processor;
    machine.launch({wanted, machine.is_host() ? 1 : valency_kernel::max_threads},
                   valency_kernel{graph, valencies_.data(), largest_.data()});
    int const bits = valency_bits(machine.copy_to_host(largest_)[0]);
    if (!fits<Key>(size_, bits)) {
      throw run_error("keys: expected " + std::to_string(key_bits()) +
                      " bits to hold a place and a valency, got " + std::to_string(size_) +
                      " vertices with valencies of " + std::to_string(bits) + " bits");
    }
    return bits;
  }

  void require_whole(level_words const& words, std::span<std::uint32_t const> starts) const {
    if (words.bad_start != level_words::none) {
      throw std::invalid_argument(no_start(starts[words.bad_start]));
    }
    if (words.next_start < starts.size()) {
      throw std::invalid_argument(no_start(starts[words.next_start]));
    }
    if (words.end < size_) {
      throw std::invalid_argument(
          "ordering: expected one start node per component, got none for the components of " +
          std::to_string(size_ - words.end) + " vertices");
    }
  }

  device& machine_;
  std::uint32_t size_;
  std::string scheduler_;
  int workers_;
  std::uint32_t most_tasks_;
  program<queue> program_;
  buffer<std::uint32_t> valencies_;
  buffer<std::uint32_t> starts_;
  buffer<std::uint32_t> order_;
  buffer<Key> keys_;
  buffer<Key> sort_keys_;
  buffer<std::uint32_t> sort_values_;
  buffer<level_words> words_;
  buffer<std::uint32_t> largest_;
  std::optional<trace_buffer> trace_;
  std::uint32_t trace_room_ = 1U << 20U;
};

template <std::unsigned_integral Key>
std::unique_ptr<mhive_ordering> make_ordering(device& machine, graph_ref graph,
                                              std::string_view scheduler,
                                              ordering_options const& options) {
  if (options.merge_narrow_levels) {
    return std::make_unique<width_ordering<Key, narrow_levels_merged<Key>>>(machine, graph,
                                                                            scheduler, options);
  }
  return std::make_unique<width_ordering<Key>>(machine, graph, scheduler, options);
}

}  // namespace gridloom::mhive::rcm
