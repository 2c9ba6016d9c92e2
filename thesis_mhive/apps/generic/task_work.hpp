#pragma once
// What every task of the generic test does, under any scheduler. It executes the synthetic work of
// its task type. If the run is certified, it takes a stamp before and after the work.

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "gridloom/trace.hpp"
#include "mhive/unit.hpp"
#include "tree_tables.hpp"

namespace gridloom::mhive::generic {

/// The arrays that tasks fill for check_certificate. All are null if the run is not certified. A
/// task's index is instance * nodes + node.
struct certificate_ref {
  std::uint64_t* begin = nullptr;
  std::uint64_t* end = nullptr;
  std::uint32_t* executions = nullptr;
  /// The counter from which all tasks take their stamps.
  std::uint64_t* stamps = nullptr;

  [[nodiscard]] GRIDLOOM_FN bool on() const { return stamps != nullptr; }
  /// Returns the next stamp. A relaxed update suffices, because the scheduler's order between two
  /// tasks also orders their stamps.
  [[nodiscard]] GRIDLOOM_FN std::uint64_t stamp() const {
    return direct_memory{}.fetch_add_relaxed(stamps, std::uint64_t{1});
  }
};

/// The data that all tasks of a run read.
struct tree_data {
  tree_tables tables;
  std::uint64_t seed;
  certificate_ref certificate;
  /// Its events have the instance as task and the node as type.
  trace_ref trace;
  /// Array of eight bytes for each possible task; null with phases.
  std::byte* dependencies;
  /// Never written. The compiler cannot know that, so it keeps the loop.
  float* sink;

  [[nodiscard]] GRIDLOOM_FN std::size_t index(std::uint32_t instance, int node) const {
    return std::size_t{instance} * static_cast<std::size_t>(tables.num_nodes) +
           static_cast<std::size_t>(node);
  }
};
static_assert(std::is_trivially_copyable_v<tree_data>);

/// The form of `tree_data` that MHive's tasks get. It is only a pointer to device memory, because
/// each of the many launches copies the kernel's arguments.
struct tree_data_ref {
  tree_data const* at;
};

/// A work item: a task, and the set of all tasks of its instance.
struct tree_item {
  std::uint32_t instance;
  /// The nodes of the instance that have a task, from reached().
  std::uint32_t mask;
  std::int32_t node;

  // Names the task in the message about a task that was never released.
  friend std::ostream& operator<<(std::ostream& to, tree_item const& item) {
    return to << "node " << item.node << " of instance " << item.instance;
  }
};

/// Executes `flops` floating-point operations, which the worker's threads share. Each thread runs
/// one chain of multiply-adds, which count as two operations. The number of steps is rounded up.
template <class Worker>
GRIDLOOM_FN void burn(Worker const& worker, std::int64_t flops, float* sink) {
  std::int64_t const threads = worker.num_threads();
  std::int64_t const steps = (flops + 2 * threads - 1) / (2 * threads);
  float value = static_cast<float>(worker.thread_rank()) * 0x1p-10F;
  // The value stays between 0 and 1, so infinities and denormal numbers never occur.
  for (std::int64_t k = 0; k < steps; ++k) value = value * 0.75F + 0.125F;
  if (value > 2.0F) *sink = value;
}

/// Executes the task, but enqueues no successors. A trace gets the time of this work, so a task ends
/// before it releases others. Called by all threads of the worker. When the first thread returns,
/// the writes of all threads are done.
template <class Worker>
GRIDLOOM_FN void work(Worker const& worker, tree_data const& data, tree_item const& item) {
  bool const first = worker.thread_rank() == 0;
  bool const stamps = data.certificate.on() && first;
  bool const traced = data.trace.on() && first;
  std::size_t const at = data.index(item.instance, item.node);
  if (stamps) data.certificate.begin[at] = data.certificate.stamp();
  // No thread begins before the stamp is taken.
  if (data.certificate.on()) worker.sync();
  std::uint64_t const begin_ns = traced ? now_ns() : 0;
  burn(worker, data.tables.flops[item.node], data.sink);
  worker.sync();
  if (traced) {
    data.trace.record_among(
        trace_row(worker),
        {item.instance, static_cast<std::uint32_t>(item.node), begin_ns, now_ns()});
  }
  if (!stamps) return;
  data.certificate.end[at] = data.certificate.stamp();
  direct_memory{}.fetch_add_relaxed(data.certificate.executions + at, std::uint32_t{1});
}

}  // namespace gridloom::mhive::generic
