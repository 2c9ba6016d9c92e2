#pragma once
// Any task graph as a program of MHive with individual dependencies (chapter 5.3). One task type
// executes the bodies of common/taskgraph. Tasks without predecessors are in the queue at the start
// of a run. Every other task is enqueued by its first predecessor, after that one's body, and waits
// for the reductions by the others. A task with a single predecessor needs no dependency.
//
// Order: the worker of a task synchronises after the body. Then its threads enqueue and reduce,
// which releases (CX.R1, CX.R2). Each thread of the successor's worker acquires in `await`. So
// tasks may pass data by plain accesses.
//
// The header launches kernels (gridloom_kernel_sources).

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "mhive/program.hpp"
#include "mhive/type_kernel.hpp"

namespace gridloom::mhive {

/// Executes the body of task `number` with all threads of a worker, and synchronises them.
template <class Context>
GRIDLOOM_FN void execute_body(Context& context, std::uint32_t number) {
  auto const& data = context.data();
  auto const& worker = context.worker();
  constexpr bool has_trace = traced_tasks<std::remove_cvref_t<decltype(data.tasks)>>;
  bool const traced = has_trace && data.trace.on() && worker.thread_rank() == 0;
  std::uint64_t const begin_ns = traced ? now_ns() : 0;
  auto const early = data.tasks.read(number);
  data.tasks.execute(worker, number, early, context.scratch());
  worker.sync();
  if constexpr (has_trace) {
    if (traced)
      data.trace.record_among(trace_row(worker),
                              {number, data.tasks.type(number, early), begin_ns, now_ns()});
  }
}

/// A task waits in the slot with its number. A storage with a slot per task has no collisions.
struct insert_by_number {
  GRIDLOOM_FN static std::uint32_t start(std::uint32_t number, std::uint32_t /*salt*/) {
    return number;
  }
};

template <block_tasks Tasks, int Size>
struct graph_task;

template <block_tasks Tasks, int Size>
struct graph_data {
  /// Marks the edge whose task enqueues the successor. Task numbers leave this bit free.
  static constexpr std::uint32_t enqueues = std::uint32_t{1} << 31U;

  Tasks tasks;
  /// Array of number of tasks + 1 offsets into `successors`.
  std::uint64_t const* offsets;
  /// Array of one successor per edge, some with the mark `enqueues`.
  std::uint32_t const* successors;
  /// For each task, the number of predecessors that reduce its dependency.
  std::int32_t const* reductions;
  dependency<graph_task<Tasks, Size>>* dependencies;
  trace_ref trace;
};

/// The task with the number in its work item, executed by `Size` threads.
template <block_tasks Tasks, int Size>
struct graph_task {
  using work_item = std::uint32_t;
  using scratch = typename Tasks::scratch;
  using insert_policy = insert_by_number;
  static constexpr int worker_size = Size;
  static constexpr std::string_view name = "task";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    // These loads overlap the body.
    std::uint64_t const begin = data.offsets[number];
    std::uint64_t const end = data.offsets[number + 1];
    execute_body(context, number);
    for (std::uint64_t first = begin; first < end;
         first += static_cast<std::uint64_t>(worker.num_threads())) {
      std::uint64_t const at = first + static_cast<std::uint64_t>(worker.thread_rank());
      bool const has = at < end;
      std::uint32_t const edge = has ? data.successors[at] : 0;
      std::uint32_t const to = edge & ~data.enqueues;
      bool const enqueues = (edge & data.enqueues) != 0;
      std::int32_t const needed = enqueues ? data.reductions[to] : 0;
      if (needed > 0) context.enqueue_with_dependencies(to, data.dependencies + to, needed);
      context.template enqueue_each<graph_task>(enqueues && needed == 0, to);
      context.reduce_each(has && !enqueues, data.dependencies + to);
    }
  }
};

/// The task types of a graph, their queue and their data: a form that graph_executor runs.
template <block_tasks Tasks, int Size>
class by_dependencies {
  using data_type = graph_data<Tasks, Size>;

 public:
  using task = graph_task<Tasks, Size>;
  using queue = phase_queue<phaseless<task>>;

  by_dependencies(device& machine, csr_graph const& graph)
      // At most all tasks are in the queue or wait.
      : queue_size(static_cast<std::uint32_t>(graph.tasks())),
        machine_(&machine),
        offsets_(machine.allocate_copy(graph.row_offsets)),
        dependencies_(machine.allocate<dependency<task>>(graph.tasks())) {
    std::vector<std::uint32_t> marked = graph.columns;
    std::vector<std::int32_t> reductions(graph.tasks(), -1);
    for (std::uint32_t& to : marked) {
      if (++reductions[to] == 0) to |= data_type::enqueues;
    }
    for (std::uint32_t number = 0; number < reductions.size(); ++number) {
      if (reductions[number] < 0) entries.push_back(number);
    }
    successors_ = machine.allocate_copy(marked);
    reductions_ = machine.allocate_copy(reductions);
  }

  /// All dependencies are zero after a complete run, but not after a failed one.
  void reset() { machine_->fill_bytes(dependencies_, 0); }
  [[nodiscard]] data_type data(Tasks const& tasks, trace_ref trace) {
    return {tasks, offsets_.data(), successors_.data(), reductions_.data(), dependencies_.data(),
            trace};
  }
  [[nodiscard]] std::size_t bytes() const {
    return offsets_.bytes() + successors_.bytes() + reductions_.bytes() + dependencies_.bytes();
  }

  /// Room of each queue.
  std::uint32_t queue_size;
  /// Tasks in the queue at the start of a run.
  std::vector<std::uint32_t> entries;

 private:
  device* machine_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> successors_;
  buffer<std::int32_t> reductions_;
  buffer<dependency<task>> dependencies_;
};

/// Runs a graph under a scheduler of MHive. `Size` threads execute a task.
template <class Scheduler, block_tasks Tasks, int Size, template <class, int> class Form>
class graph_executor final : public executor {
  using form = Form<Tasks, Size>;
  /// Blocks that execute no tasks.
  static constexpr int controllers = [] {
    if constexpr (requires { Scheduler::controllers; }) return Scheduler::controllers;
    return 0;
  }();
  /// Workers of a block on a device.
  static constexpr int per_device_block = [] {
    if constexpr (requires { Scheduler::template block_threads<typename form::queue>; })
      return Scheduler::template block_threads<typename form::queue> / Size;
    return static_cast<int>(workers_of_block<typename form::task>);
  }();

 public:
  graph_executor(device& machine, csr_graph const& graph, Tasks const& tasks,
                 executor_settings const& settings)
      : tasks_(tasks),
        tasks_in_graph_(graph.tasks()),
        per_block_(machine.is_host() ? 1 : per_device_block),
        blocks_((settings.workers + per_block_ - 1) / per_block_),
        form_(machine, graph),
        program_(machine, {.capacity = form_.queue_size,
                           .waiting = form_.queue_size,
                           .workers = blocks_,
                           .timeout_s = settings.timeout_s}) {
    program_.template enqueue<typename form::task>(form_.entries);
  }

  void reset() override {
    form_.reset();
    program_.reset();
    is_reset_ = true;
  }
  void run(trace_ref trace) override {
    if (!is_reset_) reset();
    is_reset_ = false;
    done_ = program_.template start<Scheduler>(form_.data(tasks_, trace));
  }
  void require_done() override {
    program_.template finish<Scheduler>(done_);
    if (finished() == tasks_in_graph_) return;
    throw wrong_result("only " + std::to_string(finished()) + " of " +
                       std::to_string(tasks_in_graph_) + " tasks were executed");
  }
  [[nodiscard]] std::uint64_t finished() override {
    std::uint64_t all = 0;
    for_each_type<typename form::queue>(
        [&](auto tag) { all += program_.template executed<typename decltype(tag)::type>(); });
    return all;
  }
  [[nodiscard]] std::size_t bytes() const override { return form_.bytes() + program_.bytes(); }
  /// Launches of the last run.
  [[nodiscard]] std::size_t launches() const override {
    return std::max<std::size_t>(1, done_.launches);
  }
  /// Workers of the last run, or the wanted ones. A block has several.
  [[nodiscard]] int workers() const override {
    if (done_.most_warps > 0) return static_cast<int>(done_.most_warps * unit_threads / Size);
    return per_block_ * (done_.blocks > 0 ? done_.blocks - controllers : std::max(1, blocks_));
  }
  /// Facts of the kernel that executes tasks, after the first run.
  [[nodiscard]] kernel_facts facts() const override {
    return done_.kernels.empty() ? kernel_facts{} : done_.kernels.back().facts;
  }

 private:
  Tasks tasks_;
  std::size_t tasks_in_graph_;
  int per_block_;
  /// Wanted blocks; 0: as many as fit.
  int blocks_;
  form form_;
  program<typename form::queue> program_;
  report done_;
  bool is_reset_ = false;
};

/// Makes an executor of a graph. `settings.threads` is the number of threads per task: 1, 32, 128.
/// A block of the scheduler may have several such workers, which share its memory for scratch. If
/// settings.workers does not fill the last block, the block is full nevertheless. `graph`
/// has passed check_dag and has a task. The machine and the data of the tasks must outlive the
/// executor. Throws usage_error for settings out of range, and for more than 2^30 tasks.
template <class Scheduler, block_tasks Tasks, template <class, int> class Form = by_dependencies>
std::unique_ptr<executor> make_graph_executor(device& machine, csr_graph const& graph,
                                              Tasks const& tasks,
                                              executor_settings const& settings) {
  require_in_range(settings, Tasks::max_threads);
  std::unique_ptr<executor> made;
  std::string sizes;
  auto const offer = [&]<int Size>(std::integral_constant<int, Size>) {
    constexpr std::size_t workers = workers_of_block<graph_task<Tasks, Size>>;
    if constexpr (Size <= Tasks::max_threads &&
                  workers * sizeof(typename Tasks::scratch) <= most_scratch_bytes) {
      sizes += (sizes.empty() ? "" : " or ") + std::to_string(Size);
      if (settings.threads != Size) return;
      made = std::make_unique<graph_executor<Scheduler, Tasks, Size, Form>>(machine, graph, tasks,
                                                                            settings);
    }
  };
  offer(std::integral_constant<int, 1>{});
  offer(std::integral_constant<int, 32>{});
  offer(std::integral_constant<int, 128>{});
  if (made) return made;
  throw usage_error("--threads: MHive executes these tasks with " + sizes + " threads, got " +
                    std::to_string(settings.threads));
}

}  // namespace gridloom::mhive
