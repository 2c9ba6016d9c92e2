#pragma once
// One configuration of mhive-overhead: its settings, its counters, and the factory of its work.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "gridloom/bench/arm.hpp"
#include "gridloom/bench/column.hpp"
#include "gridloom/clock.hpp"
#include "mhive/context.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::overhead {

// Measures the cost of scheduling with `layers` layers of `width` tasks of equal length. Task j of
// a layer runs after task j of the previous layer, or after a group of that layer, or after all of
// it. The form says how this order is expressed:
//
//   queue       There is one layer, and all tasks are enqueued before the run. Shows the cost of a
//               queue.
//   enqueue     A task enqueues its successor at its end. Shows the cost of an enqueue.
//   individual  When it begins, a task enqueues its successor with a dependency on itself. At its
//               end it reduces that dependency.
//   grouped     A layer consists of groups of equal size. The tasks of a group wait for one
//               counter, which the same group of the previous layer reduces. When it begins, the
//               first task of a group enqueues its group of the next layer.
//   phases      Two phases alternate. A task enqueues its successor, which the phase holds back.
//   graph       Without MHive: a CUDA graph has one kernel per layer. (On the host it is a list.)

enum class form { queue, enqueue, individual, grouped, phases, graph };

/// A task: its layer and its place in the layer.
struct place {
  std::uint32_t layer;
  std::uint32_t index;
};

template <int Size, form Form, int Turn>
struct layer_task;

/// The data of the tasks. `places` holds the tasks, layer after layer, for the grouped form.
template <int Size, form Form>
struct layers_data {
  using waiting_task = layer_task<Size, Form, 0>;

  std::uint32_t width;
  std::uint32_t layers;
  /// Number of tasks that wait for each other: of a group, or the width.
  std::uint32_t group;
  /// Number of fused multiply-adds per thread of a task.
  std::uint32_t work;
  float* sink;
  /// For each place in a layer, the number of layers whose task at this place has begun. Null if
  /// the order is not checked.
  std::uint32_t* seen;
  /// For each group, the number of tasks that have ended.
  std::uint32_t* finished;
  /// Number of tasks that ran out of order.
  std::uint32_t* wrong;
  place const* places;
  /// Array of 2 · width dependencies: of the current layer and of the next one.
  dependency<waiting_task>* next;
  /// Array of one dependency per group.
  group_dependency<waiting_task>* groups;

  /// Number of the task's group, layer after layer.
  GRIDLOOM_FN std::size_t group_of(place at) const {
    return std::size_t{at.layer} * (width / group) + at.index / group;
  }
};

/// A task's work: fused multiply-adds in four independent chains, so that a single warp keeps a
/// multiprocessor's warp scheduler busy. Called by all threads.
template <class Data>
GRIDLOOM_FN void work_for(Data const& data) {
  if (data.work == 0) return;
  // The compiler does not know this value.
  auto const start = static_cast<float>(data.work);
  float a[4] = {start, start + 1, start + 2, start + 3};
  for (std::uint32_t i = 0; i < data.work; i += 4) {
    for (float& x : a) x = x * 0.999F + 0.001F;
  }
  // The condition is never true. The compiler cannot know that, so it keeps the loop.
  if (a[0] + a[1] + a[2] + a[3] < 0) *data.sink = a[0];
}

/// Checks the order in a verified run. The task's predecessor must have begun, or, with
/// `after_all`, its whole group must have ended. Called by the first thread of a worker.
template <class Data>
GRIDLOOM_FN void check(Data const& data, place at, bool after_all) {
  if (data.seen == nullptr) return;
  direct_memory memory;
  bool in_order = memory.fetch_add_relaxed(data.seen + at.index, 1U) == at.layer;
  if (after_all && at.layer > 0) {
    auto const* const before = data.finished + data.group_of({at.layer - 1, at.index});
    in_order &= memory.load_relaxed(before) == data.group;
  }
  if (!in_order) memory.fetch_add_relaxed(data.wrong, 1U);
}
/// Counts the task as ended. Called before the task releases its successors.
template <class Data>
GRIDLOOM_FN void note_end(Data const& data, place at) {
  if (data.seen == nullptr) return;
  direct_memory{}.fetch_add_relaxed(data.finished + data.group_of(at), 1U);
}

template <int Size, form Form, int Turn>
struct layer_task {
  using work_item = place;
  using insert_policy = random_insert;
  static constexpr int worker_size = Size;
  static constexpr bool grouped = Form == form::grouped;
  static constexpr std::string_view name = Turn == 0 ? "layer" : "odd layer";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, place at) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    bool const first = worker.thread_rank() == 0;
    place const next{at.layer + 1, at.index};
    bool const has_next = next.layer < data.layers;
    if (first) check(data, at, Form == form::grouped || Form == form::phases);
    if constexpr (Form == form::individual) {
      auto* const on = data.next + (next.layer % 2) * data.width + at.index;
      if (first && has_next) context.enqueue_with_dependencies(next, on, 1);
      // Without this barrier, the other threads would begin the work while the first one enqueues.
      worker.sync();
      work_for(data);
      worker.sync();
      if (first) note_end(data, at);
      if (first && has_next) context.reduce(on);
    } else if constexpr (Form == form::grouped) {
      auto* const on = data.groups + data.group_of(next);
      if (at.index % data.group == 0 && has_next) {
        context.enqueue_with_dependencies(
            on, data.places + data.width * std::size_t{next.layer} + next.index, data.group,
            static_cast<std::int32_t>(data.group));
      }
      work_for(data);
      if (first) note_end(data, at);
      if (has_next) context.reduce(on);
    } else {
      work_for(data);
      if constexpr (Form != form::queue) {
        using next_task = layer_task<Size, Form, Form == form::phases ? 1 - Turn : Turn>;
        worker.sync();
        if (first) note_end(data, at);
        if (first && has_next) context.template enqueue<next_task>(next);
      }
    }
  }
};

template <int Size, form Form>
struct queue_of {
  using type = phase_queue<phaseless<layer_task<Size, Form, 0>>>;
};
template <int Size>
struct queue_of<Size, form::phases> {
  using type = phase_queue<phaseless<>, phase<layer_task<Size, form::phases, 0>>,
                           phase<layer_task<Size, form::phases, 1>>>;
};

template <int Size>
struct layer_kernel {
  static constexpr int max_threads = 256;
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  layers_data<Size, form::queue> data;
  std::uint32_t layer;
  /// 0 if there is no deadline.
  std::uint64_t deadline_ns;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    int const size = block.num_threads() == 1 ? 1 : Size;
    auto const workers = static_cast<std::uint32_t>(block.num_threads() / size);
    auto const mine = static_cast<std::uint32_t>(block.thread_rank() / size);
    std::uint32_t const stride = static_cast<std::uint32_t>(block.count()) * workers;
    for (std::uint32_t i = static_cast<std::uint32_t>(block.index()) * workers + mine;
         i < data.width; i += stride) {
      // Each worker checks the time itself, because the workers of a block never synchronise.
      if (deadline_ns != 0 && now_ns() > deadline_ns) return;
      bool const first = block.thread_rank() % size == 0;
      if (first) check(data, {layer, i}, true);
      work_for(data);
      if (first) note_end(data, {layer, i});
    }
  }
};

/// Names of the forms, in the order of the enumeration.
inline constexpr std::array<char const*, 6> form_names{"queue",   "enqueue", "individual",
                                                       "grouped", "phases",  "graph"};
/// Values of --worker-size.
inline constexpr int worker_sizes[] = {1, 32, 256};

struct problem {
  device& machine;
  int workers;
  double timeout_s;
};

struct settings {
  overhead::form form = form::queue;
  int worker_size = 32;
  std::uint32_t width = 1;
  std::uint32_t layers = 1;
  /// Divides the width. The width, unless the form is `grouped`.
  std::uint32_t group = 1;
  /// Number of fused multiply-adds per thread of a task.
  std::int64_t work = 0;

  [[nodiscard]] std::uint64_t tasks() const { return std::uint64_t{width} * layers; }
  [[nodiscard]] std::uint64_t groups() const { return tasks() / group; }
};

struct counters {
  report done{};
  /// The kernel with the most registers.
  kernel_facts largest{};
};

using row = bench::row_of<problem, settings, counters>;

/// Estimates the bytes of the machine's memory that an arm needs.
[[nodiscard]] std::uint64_t bytes_needed(settings const& what);

/// Makes the work of an arm under a scheduler of MHive. verify() runs the layers once more and
/// counts tasks. It throws wrong_result for tasks that ran out of order or not exactly once.
template <class Scheduler>
[[nodiscard]] std::unique_ptr<bench::work<row>> make_under(problem& of, row const& what);
/// Makes the same layers as one CUDA graph with one kernel per layer; on the host, as a list of
/// calls.
[[nodiscard]] std::unique_ptr<bench::work<row>> make_graph(problem& of, row const& what);

}  // namespace gridloom::mhive::overhead
