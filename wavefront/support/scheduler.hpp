#pragma once
// Host side of all schedulers: their configuration, and the executors that run them.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/level_end.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/ours/task_hash.hpp"
#include "wavefront/published_method.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

/// The order in which in_order takes tasks. `own`: by their numbers, which must rise along edges.
/// `levels`: level by level. `automatic`: `levels` for lattices, and for other graphs unless their
/// numbers rise along edges and are a good order (is_slow_in_order in ours/in_order_state.hpp).
enum class task_numbering : std::uint32_t { automatic, own, levels };
inline constexpr std::array<char const*, 3> task_numbering_names{"auto", "own", "levels"};

/// Largest number of threads per block of in_order and its variants with one task per lane.
inline constexpr int most_in_order_lanes = 512;

struct algorithm_info;

/// One algorithm with all its parameters.
struct configuration {
  algorithm_info const* algorithm = nullptr;
  int blocks = 1;
  int threads = 1;
  /// multi_queue: number of queues.
  int queues = 1;
  /// multi_queue: the hash that chooses a task's queue.
  task_hash hash = task_hash::a;
  /// The threads that execute a task, if the algorithm offers a choice.
  task_width width = task_width::block;
  /// stripes: number of columns between two writes of the progress word.
  std::uint32_t publish_every = 16;
  /// ticket_queue: capacity of the ring, a power of two; 0 derives it from the graph.
  std::uint32_t ring_slots = 0;
  /// ticket_queue: false omits the fences that are needed only if tasks exchange data.
  bool orders_memory = true;
  /// ticket_queue on a graph from a file: copies the successors so that one load gets up to four.
  bool packs_successors = true;
  /// in_order and its variants: the order of the tasks.
  task_numbering numbering = task_numbering::automatic;
  /// in_order: whether waiting warps read the edges of their next round.
  bool looks_ahead = true;
  /// in_order and its variants: initial run counter. Tests make it overflow.
  std::uint32_t runs_before = 0;
  /// If true, only wide_body can run; if false, every other body. The words of in_order have the
  /// results' width.
  bool wide_results = false;
  /// omp_tiles: side of a lattice's tile in cells. For another graph, the number of tasks per tile.
  /// These tasks are neighbours in a topological order.
  std::uint32_t tile = 64;

  /// Number of tasks that can be executed at the same time, and of workers that a trace
  /// distinguishes.
  [[nodiscard]] int units() const { return width == task_width::lane ? blocks * threads : blocks; }
};

class body_executor;
struct scheduler_setup;

/// One algorithm: what it can run, and the function that makes it.
struct algorithm_info {
  std::string_view name;
  std::string_view about;
  bool on_host = true;
  bool on_cuda = true;
  bool lattice_only = false;
  /// A single thread of a block can execute a task.
  bool lanes = false;
  /// A whole block can execute a task.
  bool blocks = false;
  /// Its accesses can be counted and its tasks traced.
  bool observable = true;
  /// Least compute capability on CUDA; 90 means 9.0.
  int needs = 80;
  /// Results may be wider than one access.
  bool wide_results = true;
  /// Takes tasks in a topological order, as in_order and its variants do.
  bool in_order = false;
  /// Warps get rounds by atomic additions instead of in turn.
  bool by_tickets = false;
  /// The grid is one thread block cluster.
  bool one_cluster = false;
  /// Runs level by level, with this barrier between levels.
  std::optional<level_end> by_levels{};
  bool one_thread = false;
  /// The paper's scheduler. Its multi_queue has as many queues as the configuration says.
  std::optional<published_method> published{};
  /// The options for the ring, the fences and the packed successors apply.
  bool has_ring = false;
  /// The option to read the edges of the next round while waiting applies.
  bool looks_ahead = false;
  /// Its tasks are tiles of the graph's tasks.
  bool tiled = false;
  std::unique_ptr<body_executor> (*make)(scheduler_setup const&) = nullptr;

  [[nodiscard]] bool many_queues() const { return published == published_method::multi_queue; }
};

/// All algorithms, published ones first. Each is registered here and nowhere else.
std::vector<algorithm_info> const& algorithms();
/// Throws usage_error with a list of all names if there is no such algorithm.
algorithm_info const& find_algorithm(std::string_view name);
/// The reason why the machine cannot run the algorithm; empty if it can.
std::string why_not_on(device_properties const& machine, algorithm_info const& info);

/// The parts that an executor is made from. All of them must outlive the executor.
struct scheduler_setup {
  device& machine;
  device_graph& graph;
  workspace& memory;
  watchdog& dog;
  configuration config;
  /// Whether to run with full_probe.
  bool observe = false;

  [[nodiscard]] any_hash hash() const { return {config.hash, graph.row_length()}; }
};

/// An executor whose tasks get their body before a run, so that the same executor can be timed with
/// one body and verified with another. Its bytes() leave out the graph, which executors share.
class body_executor : public executor {
 public:
  explicit body_executor(scheduler_setup const& setup) : setup_(setup) {}

  /// Called before the first run. Sets the body of later runs, and what observes them. Does work
  /// that can precede a timed run, such as recording a graph. The body must be a wide_body if and
  /// only if the configuration has wide results. Otherwise `prepare` and `run` may throw
  /// std::bad_variant_access. Throws grid_error if the device has no room for a cluster.
  virtual void prepare(any_body const& body, probe_ref const& observer) {
    body_ = body;
    observer_ = observer;
  }
  void reset() final {
    stopper_ = setup_.dog.arm();
    reset_state();
    is_reset_ = true;
  }
  /// Only executors with full_probe write the trace.
  void run(trace_ref trace = {}) final {
    if (!is_reset_) reset();
    is_reset_ = false;
    if (trace.on()) observer_.trace = trace;
    launch();
  }
  void require_done() final { require_all(setup_.dog, finished(), setup_.graph.tasks()); }
  [[nodiscard]] std::size_t launches() const override { return 1; }
  [[nodiscard]] int workers() const override { return setup_.config.blocks; }
  [[nodiscard]] kernel_facts facts() const override { return {}; }

 protected:
  virtual void reset_state() = 0;
  virtual void launch() = 0;

  scheduler_setup setup_;
  any_body body_;
  probe_ref observer_;
  watchdog_ref stopper_{};

 private:
  bool is_reset_ = false;
};

/// Throws usage_error if a configuration does not fit its algorithm, the kind of graph or the
/// machine. The launch checks whether a grid fits the device.
void require_fit(device_properties const& machine, bool on_lattice, configuration const& config);

/// Throws like `require_fit`.
std::unique_ptr<body_executor> make_scheduler(scheduler_setup const& setup);

// Factories of the algorithms. `make_scheduler` calls one of them.
std::unique_ptr<body_executor> make_published(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_ticket_queue(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_in_order(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_in_order_wide(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_in_order_cluster(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_stripes(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_waves(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_omp_tasks(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_omp_tiles(scheduler_setup const& setup);
std::unique_ptr<body_executor> make_serial(scheduler_setup const& setup);

}  // namespace gridloom::wavefront
