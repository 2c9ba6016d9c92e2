#pragma once
// The host's side of an algorithm: what can be configured, and one interface to run it.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/watchdog.hpp"
#include "support/graph_store.hpp"
#include "support/probe.hpp"
#include "support/scheduler_words.hpp"
#include "support/task_body.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

/// Whose numbers in_order takes tasks by: their own, which have to rise along edges (a lattice's do,
/// row by row), or those of a listing level by level. `automatic` is by levels for lattices, and
/// their own for other graphs if these rise.
enum class task_numbering : std::uint32_t { automatic, own, levels };
inline constexpr std::array<char const*, 3> task_numbering_names{"auto", "own", "levels"};

/// Threads of a block at most where in_order and its kin run a task a lane.
inline constexpr int most_in_order_lanes = 512;

/// One algorithm with all its parameters.
struct configuration {
  std::string algorithm;
  int blocks = 1;
  int threads = 1;
  /// multi_queue.
  int queues = 1;
  /// multi_queue.
  task_hash hash = task_hash::a;
  /// Who executes a task, where there is a choice.
  task_width width = task_width::block;
  /// Stripes: columns between two signals.
  std::uint32_t publish_every = 16;
  /// ticket_queue: capacity, a power of two; 0 = by the graph.
  std::uint32_t ring_slots = 0;
  /// ticket_queue: false leaves fences out that only data between tasks needs.
  bool orders_memory = true;
  /// ticket_queue, on a graph from a file: its successors are copied to where one load finds them.
  bool packs_successors = true;
  /// in_order and its kin.
  task_numbering numbering = task_numbering::automatic;
  /// in_order: warps that wait ask for the edges of their next round.
  bool looks_ahead = true;
  /// in_order and its kin: how many runs are taken to have been, for tests that see their number wrap.
  std::uint32_t runs_before = 0;
  /// Only wide_body is run, else all but it: in_order has words as wide as results.
  bool wide_results = false;
  /// omp_tiles: side of a tile of a lattice, in cells; of another graph a tile is so many tasks that
  /// follow one another in a topological order.
  std::uint32_t tile = 64;
};

/// What an algorithm is good for and who executes a task in it.
struct algorithm_info {
  std::string_view name;
  std::string_view about;
  bool on_host;
  bool on_cuda;
  bool lattice_only;
  /// A task can be executed by a single thread of a block.
  bool lanes;
  /// A task can be executed by a whole block.
  bool blocks;
  /// Its accesses can be counted and its tasks traced.
  bool observable = true;
  /// Compute capability on CUDA; 90 means 9.0.
  int needs = 80;
  /// Tasks may have results wider than one access.
  bool wide_results = true;
};

/// All algorithms, published ones first.
std::vector<algorithm_info> const& algorithms();
/// Throws usage_error that lists all names.
algorithm_info const& find_algorithm(std::string const& name);
/// in_order or one of its kin.
inline bool is_in_order(std::string_view algorithm) {
  return algorithm == "in_order" || algorithm == "in_order_ticket" ||
         algorithm == "in_order_cluster";
}
/// All its blocks are one thread block cluster.
inline bool is_one_cluster(std::string_view algorithm) {
  return algorithm == "in_order_cluster" || algorithm == "waves_cluster";
}
/// Empty if the machine can run the algorithm, otherwise why not.
std::string why_not_on(device_properties const& machine, algorithm_info const& info);

/// Memory that all algorithms on one graph share, so that many arms fit.
struct workspace {
  /// One a task.
  buffer<std::uint32_t> dependencies;
  /// One a task, allocated by the first that needs it.
  buffer<std::uint32_t> locks;
  /// One a task, for the recurrence.
  buffer<std::uint32_t> values;
  /// The same, of wide_body.
  buffer<wide_value> wide_values;
  buffer<scheduler_words> words;
};

/// What a scheduler is made from; all outlive it.
struct scheduler_setup {
  device& machine;
  graph_store& graph;
  workspace& memory;
  watchdog& dog;
  configuration config;
  /// Instantiate with full_probe.
  bool observe = false;
};

/// An algorithm ready to run on one graph. Used by one thread.
class scheduler {
 public:
  scheduler() = default;
  scheduler(scheduler const&) = delete;
  scheduler& operator=(scheduler const&) = delete;
  virtual ~scheduler() = default;

  /// Puts all words back to the start of a run. Not timed, as in the paper.
  virtual void reset() = 0;
  /// What can be done before a timed run with this body, such as recording a graph. The body is a
  /// wide_body where the configuration has wide results, else another, or std::bad_variant_access may
  /// be thrown, as by `run`.
  virtual void prepare(any_body const& /*body*/, probe_ref const& /*observer*/) {}
  /// Runs the whole graph once; returns when it is done or launched.
  virtual void run(any_body const& body, probe_ref const& observer) = 0;
  /// Tasks that the last run executed, by the algorithm's own count.
  virtual std::uint64_t executed() = 0;
  /// Memory beside the graph and the tasks' own results.
  virtual std::uint64_t bytes() const = 0;
  /// Tasks that can be executed at the same time.
  virtual int units() const = 0;
  /// Workers that a watchdog or a trace numbers.
  virtual int observers() const = 0;
  /// Of the last recording that prepare() made, with its instantiation; 0: there was none.
  virtual double record_ms() const { return 0; }
};

/// Throws usage_error if a configuration does not fit its algorithm, the kind of graph or the
/// machine. Whether a grid fits the device is seen at launch.
void require_fit(device_properties const& machine, bool on_lattice, configuration const& config);

/// Throws as `require_fit` does.
std::unique_ptr<scheduler> make_scheduler(scheduler_setup const& setup);

// One factory a source file; `make_scheduler` chooses.
std::unique_ptr<scheduler> make_scanning(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_single_queue(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_multi_queue(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_ticket_queue(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_in_order(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_in_order_wide(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_in_order_cluster(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_stripes(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_waves(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_omp_tasks(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_omp_tiles(scheduler_setup const& setup);
std::unique_ptr<scheduler> make_serial(scheduler_setup const& setup);

}  // namespace gridloom::wavefront
