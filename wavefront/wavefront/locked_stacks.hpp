#pragma once
// Host side of the published queues: their memory, and their content at the start of a run.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "wavefront/locked_stack.hpp"

namespace gridloom::wavefront {

/// Memory of the stacks. At the start of a run they hold the tasks without dependencies.
class locked_stacks {
 public:
  template <class Hash>
  locked_stacks(device& machine, device_graph const& graph, Hash const& hash, std::uint32_t queues)
      : capacity_(capacity_for(graph, queues)),
        words_(machine.allocate<locked_stack_words>(queues)),
        items_(machine.allocate<std::uint32_t>(std::size_t{queues} * capacity_)),
        first_words_(queues, locked_stack_words{}) {
    for (std::uint32_t task : graph.entries()) {
      std::uint32_t q = hash(task, 0, queues);
      while (first_words_[q].size == capacity_) q = (q + 1) % queues;
      std::size_t const place = std::size_t{q} * capacity_ + first_words_[q].size++;
      if (first_items_.size() <= place) first_items_.resize(place + 1, no_task);
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
  /// Places in each queue. The paper allots as many places as tasks can be ready at once. A hash
  /// may send all of them to one queue, so each queue has that many places if memory allows.
  /// Otherwise each has twice its fair share, and a full queue passes tasks on to the next.
  static std::uint32_t capacity_for(device_graph const& graph, std::uint32_t queues) {
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

}  // namespace gridloom::wavefront
