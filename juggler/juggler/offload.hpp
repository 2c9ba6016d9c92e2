#pragma once
// The parts of the library that only programs made by juggler-cc (compiler/) use. They hold a
// region's arrays on the device, inspect the region and run it. A person may develop such a program
// further with the rest of the library. This header launches kernels: see run_runtime.hpp.
//
// Settings come from the environment, since a user's program has a command line of its own:
//
//   JUGGLER_BACKEND   auto (CUDA if a device is there), host or cuda
//   JUGGLER_DEVICE    the device's number, from 0
//   JUGGLER_WORKERS   resident blocks or host threads; default: as many as fit
//   JUGGLER_THREADS   threads of a block; default: the region's num_threads, or 128
//   JUGGLER_TIMEOUT_S ends a run that takes longer (60)
//   JUGGLER_REPORT    1: a line for each run of a region
//   JUGGLER_DAG       file for each region's task graph; the last one stays. HDF5, or Graphviz if
//                     the name ends in .dot (graph_export.hpp)

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gridloom/collectives.hpp"
#include "juggler/app_context.hpp"
#include "juggler/graph_export.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {

/// Whether a map clause copies its array in before the tasks, and out after them.
enum class map_type { to, from, tofrom, alloc };

/// One execution of a region. Used by one thread. Invalid arguments throw usage_error. All regions
/// of a process share one device: while one thread runs a region, other threads wait to begin
/// theirs.
class offload_run {
 public:
  /// Messages call the region `where`. A block has `num_threads` threads; 0 means the default.
  offload_run(char const* where, int num_threads);

  /// Gives elements [begin, begin + length) of `array` a place on the device. Returns the device's
  /// pointer to `array`, valid only for elements of the range. Refuses overlapping arrays, except
  /// identical ranges with the same map type.
  template <class T>
  T* map(map_type type, char const* name, T* array, std::int64_t begin, std::int64_t length) {
    void const* const there =
        take(type, name, section_of(array, begin, length), std::is_const_v<T>);
    // Integer arithmetic, because the array's first element may be outside the range.
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(there) -
                                static_cast<std::uintptr_t>(begin) * sizeof(T));
  }
  /// The device's pointer for one into a mapped array, or null for null. Refuses other pointers.
  template <class T>
  T* on_device(T* pointer, char const* name) const {
    return reinterpret_cast<T*>(translate(reinterpret_cast<std::uintptr_t>(pointer), name));
  }

  /// Notes that the inspection reads memory through this pointer. Tasks may change a mapped array,
  /// but the inspection runs before them. So arrays are refused unless they are mapped as `to`.
  void reads_through(char const* name, void const* pointer, std::size_t bytes = 1) const;

  /// From now on, pointers are not translated, because this execution ends after the inspection.
  void only_inspects() { only_inspects_ = true; }

  /// Times the inspection.
  template <class Inspection>
  void inspect(Inspection const& inspection) {
    std::uint64_t const begin = now_ns();
    inspection();
    inspection_ns_ = now_ns() - begin;
  }

  /// Makes every later task wait for this one, because its `if` clause was false.
  void undeferred(task_id task) { barrier_ = task, has_barrier_ = true; }
  /// Makes a new task wait for the last undeferred task, or for the last taskwait.
  template <class TaskData>
  void follow(app_context<TaskData>& context, task_id task) {
    if (has_barrier_) context.add_dependency(barrier_, task);
  }
  /// Makes later tasks wait for all earlier ones. Adds an empty task, which counts as a task.
  template <class TaskData>
  void taskwait(app_context<TaskData>& context, std::uint32_t kernel_type) {
    // Later tasks already wait for an undeferred task, but tasks before it may still be running.
    auto const end = static_cast<std::uint32_t>(context.tasks());
    if (waited_ == end) return;
    task_id const wait = context.add_task(kernel_type);
    for (std::uint32_t t = waited_; t < end; ++t)
      context.add_dependency(static_cast<task_id>(t), wait);
    waited_ = end + 1;
    undeferred(wait);
  }

  /// Copies data in, runs all tasks, and copies data out. A region without tasks only copies.
  /// Policy and Numbering are those of make_runtime().
  template <class Policy, class Numbering = block_numbers, application App>
  void execute(app_context<typename App::task_data>& context, App const& app) {
    std::uint64_t const begin = now_ns();
    context.build_csr();
    graph_ns_ = now_ns() - begin;
    if (wants_graph()) write_graph(context.dag(), App::type_names());
    copy_in();
    if (context.tasks() != 0) {
      auto const run = make_runtime<Policy, Numbering>(machine(), context.dag(), context.data(),
                                                       settings(), app);
      device& here = machine();
      run_ms_ = here.time_ms([&] { run->run(); });
      run->require_done();
    }
    copy_out();
    report(context.dag());
  }

 protected:
  void copy_in();
  void copy_out();
  void report(task_dag const& dag) const;

 private:
  struct mapped {
    std::uintptr_t end;
    map_type type;
    std::string name;
    buffer<std::byte> there;
  };

  static device& machine();
  [[nodiscard]] execution_settings settings() const;
  void const* take(map_type type, char const* name, array_section const& whole, bool is_const);
  [[nodiscard]] std::uintptr_t translate(std::uintptr_t pointer, char const* name) const;
  static bool wants_graph();
  static void write_graph(task_dag const& dag, std::vector<std::string> const& type_names);

  /// The lock of the device. As the first member it is released last.
  std::unique_lock<std::recursive_mutex> alone_;
  char const* where_;
  int num_threads_;
  /// Disjoint arrays; the key is the first address on the host.
  std::map<std::uintptr_t, mapped> arrays_;
  bool only_inspects_ = false;
  task_id barrier_{};
  bool has_barrier_ = false;
  /// Number of the first task after the last taskwait.
  std::uint32_t waited_ = 0;
  std::uint64_t inspection_ns_ = 0;
  std::uint64_t graph_ns_ = 0;
  double run_ms_ = 0;
};

/// Prints an error of a region and ends the process, with status 2 for usage_error and otherwise 1.
[[noreturn]] void end_program(char const* where, std::exception const& error);

/// Number of iterations of `for (i = low; i < high; i += step)`, or of the loop from `high` down to
/// `low`. If `closed`, the comparison includes the bound. Steps are positive.
GRIDLOOM_FN constexpr std::int64_t trips(std::int64_t low, std::int64_t high, std::int64_t step,
                                         bool closed) {
  if (closed) return high < low ? 0 : (high - low) / step + 1;
  return high <= low ? 0 : (high - low - 1) / step + 1;
}

/// One thread's iterations of nested loops (`collapse`): every `stride`-th, starting at `first`.
/// Only the constructor divides; next() adds with carry.
template <int Loops>
class iterations {
 public:
  GRIDLOOM_FN iterations(std::int64_t const (&trips)[Loops], std::int64_t first,
                         std::int64_t stride) {
    bool empty = false;
    for (int d = Loops - 1; d >= 0; --d) {
      trips_[d] = trips[d];
      empty = empty || trips[d] <= 0;
      if (empty) continue;
      at_[d] = d == 0 ? first : first % trips[d];
      step_[d] = d == 0 ? stride : stride % trips[d];
      first /= trips[d];
      stride /= trips[d];
    }
    if (empty) at_[0] = trips_[0];
  }
  [[nodiscard]] GRIDLOOM_FN bool left() const { return at_[0] < trips_[0]; }
  GRIDLOOM_FN void next() {
    std::int64_t carry = 0;
    for (int d = Loops - 1; d >= 0; --d) {
      at_[d] += step_[d] + carry;
      carry = 0;
      if (d > 0 && at_[d] >= trips_[d]) {
        at_[d] -= trips_[d];
        carry = 1;
      }
    }
  }
  /// The current iteration of loop d; the outermost loop is 0.
  GRIDLOOM_FN std::int64_t operator[](int d) const { return at_[d]; }

 private:
  std::int64_t trips_[Loops];
  std::int64_t at_[Loops]{};
  std::int64_t step_[Loops]{};
};

}  // namespace gridloom::juggler
