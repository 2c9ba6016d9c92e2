#pragma once
// Many small graphs at once on a device (kernels/batch.hpp): levels, ranks, order, and placements
// by append. All numbers equal those of priorities.hpp and selection.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "pets/ours/kernels/batch_large.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

// A batch: the disjoint union of many small graphs, for parameter studies that schedule all graphs
// at once.

/// Graphs with the same number of processors. Tasks begins[g] to begins[g + 1] - 1 of `all` belong
/// to graph g, in the graph's own order. Names are omitted. Threads may read at the same time.
struct graph_batch {
  task_graph all;
  /// First task of each graph; number of graphs + 1 entries.
  std::vector<std::uint32_t> begins{0};
  std::uint32_t most_tasks = 0;
  /// Largest sum of the costs and weights of a graph.
  time_value most_total = 0;

  [[nodiscard]] std::uint32_t num_graphs() const {
    return static_cast<std::uint32_t>(begins.size() - 1);
  }
  [[nodiscard]] std::uint32_t tasks_of(std::uint32_t graph) const {
    return begins[graph + 1] - begins[graph];
  }
};

/// Joins make(0) to make(count - 1), one after another. Throws usage_error "batch: expected ...,
/// got ..." if there is no graph, or if numbers of processors differ. Also throws if the number
/// of all tasks exceeds 32 bits, or that of all edges 31 bits. Cost: linear.
[[nodiscard]] graph_batch make_batch(std::size_t count,
                                     std::function<task_graph(std::size_t)> const& make);

/// A copy of one graph, with tasks numbered from 0.
[[nodiscard]] task_graph graph_of(graph_batch const& batch, std::uint32_t graph);

/// What a batch finds and copies back. Makespans and schedules need all steps.
enum class batch_output { order, makespans, schedules };

/// Results of all graphs, graph after graph. Arrays without results are empty.
struct batch_results {
  std::vector<std::uint32_t> levels{};
  std::vector<time_value> ranks{};
  /// The orders of all graphs. Task numbers count through the whole batch.
  std::vector<std::uint32_t> order{};
  /// Processor and finish of each task: a schedule. The start is the finish less the task's cost.
  std::vector<std::uint32_t> processors{};
  std::vector<time_value> finishes{};
  /// One entry per graph.
  std::vector<time_value> makespans{};
};

/// Lays out the graphs of a batch in one piece of memory, so that one copy moves all of them. Costs
/// and weights become words of the kernel's type.
class batch_packing {
 public:
  /// Only counts bytes.
  batch_packing() = default;
  /// Writes to `staging`. Kernels find the arrays at `there`, which gets a copy.
  batch_packing(std::byte* staging, std::byte const* there) : staging_(staging), there_(there) {}

  template <class Word>
  batch_ref<Word> pack(graph_batch const& batch) {
    auto const rows = [&](adjacency const& of) {
      return rows_ref<Word>{put<std::uint32_t>(of.offsets), put<std::uint32_t>(of.tasks),
                            put<Word>(of.weights)};
    };
    task_graph const& all = batch.all;
    return {{all.num_tasks, all.num_processors, put<Word>(all.costs), rows(all.successors),
             rows(all.predecessors)},
            batch.num_graphs(),
            put<std::uint32_t>(batch.begins)};
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  template <class To, class From>
  To const* put(std::vector<From> const& values) {
    std::size_t const begin = bytes_;
    bytes_ += (values.size() * sizeof(To) + 7) / 8 * 8;
    if (staging_ == nullptr) return nullptr;
    std::transform(values.begin(), values.end(), reinterpret_cast<To*>(staging_ + begin),
                   [](From value) { return static_cast<To>(value); });
    return reinterpret_cast<To const*>(there_ + begin);
  }

  std::byte* staging_ = nullptr;
  std::byte const* there_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Memory for graphs and results, on the device and pinned on the host, which later runs reuse. The
/// graph_batch may be freed after construction. Used by one thread.
class device_batch {
 public:
  /// Largest number of tasks of a graph. The largest number of processors is most_batch_processors.
  static constexpr std::uint32_t most_tasks = std::uint32_t{1} << 24U;
  /// Largest number of tasks of graphs in shared memory. If one graph is larger, all graphs use the
  /// device's memory.
  static constexpr std::uint32_t most_tasks_in_shared_memory = 1024;

  /// Blocks have at most `threads` threads; 0 means the best number. They have fewer if shared
  /// memory has no room for so many warps. Throws usage_error "batch: expected ..., got ..." if a
  /// graph has too many tasks or processors.
  device_batch(device& machine, graph_batch const& batch, batch_output output, int workers = 0,
               int threads = 0);

  /// Copies the graphs from pinned memory to the device.
  void copy_in();
  /// Launches all steps that the output needs, and does not wait.
  void run();
  /// Copies the output, and nothing else, to pinned memory.
  void copy_out();

  /// Overwrites all results, so a test sees if a run omits some.
  void clear();
  /// The output from pinned memory, and the other results from the device.
  [[nodiscard]] batch_results results() const;

  /// Whether times have 64 bits. They do if a graph's costs and weights add up to more than
  /// most_narrow_total, or if a graph exceeds shared memory.
  [[nodiscard]] bool is_wide() const { return wide_; }
  [[nodiscard]] launch_shape shape() const { return shape_; }

 private:
  [[nodiscard]] bool is_whole() const { return output_ != batch_output::order; }
  template <class Word>
  void load(graph_batch const& batch);
  [[nodiscard]] launch_shape best_shape(int workers, int threads) const;
  template <class Body>
  void with_kernel(Body&& body) const;
  template <class Body>
  void with_results(Body&& body) const;

  /// Memory of graphs that are too large for shared memory.
  struct large_memory {
    large_memory(device& machine, std::size_t tasks, std::size_t graphs, std::size_t processors);
    [[nodiscard]] large_memory_ref ref() const;

    std::size_t num_tasks;
    std::size_t num_starts;
    /// In this order: ranks, sums of costs, finishes, ends of processors' last tasks.
    buffer<time_value> times;
    /// In this order: processors, queue, order, levels, beginnings of rows and of levels.
    buffer<std::uint32_t> numbers;
  };
  /// A result on the device, and pinned memory for it if it belongs to the output.
  template <class T>
  struct result {
    result(device& machine, std::size_t size, bool is_output)
        : there(machine.allocate<T>(size)),
          back(is_output ? machine.allocate_staging<T>(size) : buffer<T>()) {}

    buffer<T> there;
    buffer<T> back;
  };

  device* machine_;
  batch_output output_;
  bool small_;
  bool large_;
  bool wide_;
  buffer<std::byte> staging_;
  buffer<std::byte> there_;
  std::variant<batch_ref<std::uint32_t>, batch_ref<std::uint64_t>> batch_;
  buffer<std::uint32_t> taken_;
  result<std::uint32_t> levels_;
  result<time_value> ranks_;
  result<std::uint32_t> order_;
  result<std::uint32_t> processors_;
  result<time_value> finishes_;
  result<time_value> makespans_;
  std::optional<large_memory> memory_;
  launch_shape shape_;
};

}  // namespace gridloom::pets
