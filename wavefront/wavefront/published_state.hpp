#pragma once
// Host side of the paper's schedulers: the words of a run, and the kernels with any body. Only
// sources that launch kernels include this header.

#include <cstdint>
#include <utility>

#include "wavefront/locked_stacks.hpp"
#include "wavefront/multi_queue.hpp"
#include "wavefront/published_method.hpp"
#include "wavefront/scanning.hpp"
#include "wavefront/single_queue.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

/// The state of one scheduler on one graph. `Graph` is the graph's type in kernels, `Hash` spreads
/// tasks over queues.
template <class Graph, class Hash>
class published_state {
 public:
  /// `memory` has counters and words. All arguments must outlive this object.
  published_state(device& machine, device_graph const& graph, workspace& memory,
                  std::uint32_t queues, published_method how, Hash const& hash)
      : machine_(&machine),
        graph_(std::get<Graph>(graph.view())),
        memory_(&memory),
        how_(how),
        hash_(hash),
        queues_(how == published_method::multi_queue ? queues : 1),
        stacks_(machine, graph, hash, queues_) {
    if (scans() && memory.locks.size() == 0)
      memory.locks = machine.allocate<std::uint32_t>(graph.tasks());
  }

  void reset() {
    machine_->fill_bytes(memory_->words, 0);
    count_dependencies(*machine_, graph_, *memory_, 0);
    scans() ? machine_->fill_bytes(memory_->locks, 0) : stacks_.reset(*machine_);
  }
  [[nodiscard]] std::uint64_t finished() const {
    return machine_->copy_to_host(memory_->words)[0].finished;
  }
  [[nodiscard]] std::size_t bytes() const {
    return memory_->dependencies.bytes() + memory_->words.bytes() +
           (scans() ? memory_->locks.bytes() : stacks_.bytes());
  }
  /// Returns visit(kernel) for the scheduler's kernel with a body.
  template <class Probe, class Body, class Visit>
  auto with_kernel(Body const& body, watchdog_ref dog, probe_ref const& observer,
                   Visit const& visit) const {
    auto* const open = memory_->dependencies.data();
    auto* const words = memory_->words.data();
    if (scans())
      return visit(scanning_kernel<Graph, Probe, Body>{graph_, body, open, memory_->locks.data(),
                                                       words, dog, observer});
    if (how_ == published_method::single_queue)
      return visit(single_queue_kernel<Graph, Probe, Body>{graph_, body, open, stacks_.words(),
                                                           stacks_.items(), stacks_.capacity(),
                                                           words, dog, observer});
    return visit(multi_queue_kernel<Graph, Probe, Body, Hash>{
        graph_, body, open, stacks_.words(), stacks_.items(), queues_, stacks_.capacity(), hash_,
        words, dog, observer});
  }

 private:
  [[nodiscard]] bool scans() const { return how_ == published_method::scanning; }

  device* machine_;
  Graph graph_;
  workspace* memory_;
  published_method how_;
  Hash hash_;
  std::uint32_t queues_;
  locked_stacks stacks_;
};

}  // namespace gridloom::wavefront
