#pragma once
// What every task of the generic test does, whoever schedules it: the synthetic work of its task
// type, between two stamps if the run is to be certified.

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "tree_tables.hpp"

namespace gridloom::mhive::generic {

/// Where tasks leave what check_certificate reads; all null: nowhere. Entry instance * nodes + node
/// of each array.
struct certificate_ref {
  std::uint64_t* begin = nullptr;
  std::uint64_t* end = nullptr;
  std::uint32_t* executions = nullptr;
  /// One counter for all tasks.
  std::uint64_t* stamps = nullptr;

  [[nodiscard]] GRIDLOOM_FN bool on() const { return stamps != nullptr; }
  /// The next stamp. Relaxed: two tasks that are ordered otherwise take theirs in that order.
  [[nodiscard]] GRIDLOOM_FN std::uint64_t stamp() const {
    return direct_memory{}.fetch_add_relaxed(stamps, std::uint64_t{1});
  }
};

/// What all tasks of a run see.
struct tree_data {
  tree_tables tables;
  std::uint64_t seed;
  certificate_ref certificate;
  /// Eight bytes a task that may be; null with phases.
  std::byte* dependencies;
  /// Never written; the compiler cannot know.
  float* sink;

  [[nodiscard]] GRIDLOOM_FN std::size_t index(std::uint32_t instance, int node) const {
    return std::size_t{instance} * static_cast<std::size_t>(tables.num_nodes) +
           static_cast<std::size_t>(node);
  }
};
static_assert(std::is_trivially_copyable_v<tree_data>);

/// How MHive's tasks get there: in device memory, since what the many kernels are handed is copied
/// at every launch from the device.
struct tree_data_ref {
  tree_data const* at;
};

/// A work item: which task, and which of its instance's others there are.
struct tree_item {
  std::uint32_t instance;
  /// As reached() gives it.
  std::uint32_t mask;
  std::int32_t node;

  // For what is said of a task that nobody releases.
  friend std::ostream& operator<<(std::ostream& to, tree_item const& item) {
    return to << "node " << item.node << " of instance " << item.instance;
  }
};

/// Executes `flops` floating-point operations with the worker's threads together, as one chain of
/// multiply-adds (two each) a thread; what does not divide evenly is rounded up.
template <class Worker>
GRIDLOOM_FN void burn(Worker const& worker, std::int64_t flops, float* sink) {
  std::int64_t const threads = worker.num_threads();
  std::int64_t const steps = (flops + 2 * threads - 1) / (2 * threads);
  float value = static_cast<float>(worker.thread_rank()) * 0x1p-10F;
  // Stays between 0 and 1: no infinities and no denormal numbers, whatever the number of steps.
  for (std::int64_t k = 0; k < steps; ++k) value = value * 0.75F + 0.125F;
  if (value > 2.0F) *sink = value;
}

/// The task without what depends on it. Called by all threads of the worker; what they wrote comes
/// before the return of the first.
template <class Worker>
GRIDLOOM_FN void work(Worker const& worker, tree_data const& data, tree_item const& item) {
  bool const stamps = data.certificate.on() && worker.thread_rank() == 0;
  std::size_t const at = data.index(item.instance, item.node);
  if (stamps) data.certificate.begin[at] = data.certificate.stamp();
  if (data.certificate.on()) worker.sync();  // nobody begins before the stamp
  burn(worker, data.tables.flops[item.node], data.sink);
  worker.sync();
  if (!stamps) return;
  data.certificate.end[at] = data.certificate.stamp();
  direct_memory{}.fetch_add_relaxed(data.certificate.executions + at, std::uint32_t{1});
}

}  // namespace gridloom::mhive::generic
