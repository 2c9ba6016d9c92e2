#pragma once
// What a program measures. An arm has a name, the facts that are known before it runs, and a
// factory. The factory makes a `work`, which the harness runs repeatedly.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gridloom/device.hpp"

namespace gridloom::bench {

/// An arm after set-up: all memory is allocated, all plans are made. One repetition calls
/// prepare(), copy_in(), run(), copy_out() and check(). The three middle ones are timed separately
/// and together. An exception ends the arm. timeout_error, wrong_result, grid_error and unsupported
/// each have a status; any other run_error is "failed". Any other usage_error ends the program.
class work_base {
 public:
  work_base() = default;
  work_base(work_base const&) = delete;
  work_base& operator=(work_base const&) = delete;
  virtual ~work_base() = default;

  /// Time that set-up took before, for parts that several arms share. Samples of set-up include it.
  virtual double shared_setup_ms() const { return 0; }
  /// False if copy_in() and copy_out() copy nothing from or to the host. Then no time with copies is
  /// stored.
  virtual bool has_copies() const { return true; }
  /// Work that is needed for measuring only, such as overwriting the results of the previous run.
  virtual void prepare() {}
  /// Work that every call on new data needs: copies inputs to the machine, initialises words.
  virtual void copy_in() {}
  /// Runs the algorithm on data in the machine's memory. May return before the device is done.
  virtual void run() {}
  /// Runs the algorithm and returns the time in ms. Overridden by work that can measure more
  /// precisely than with events around run().
  virtual double timed_run(device& machine) {
    return machine.time_ms([this] { run(); });
  }
  /// Copies results to the host.
  virtual void copy_out() {}
  /// Makes a cheap check. Called after every run, even with --no-verify.
  virtual void check() {}
  /// Compares the results with an independent computation. Called after the first run, which is not
  /// measured, unless --no-verify is given. Throws wrong_result. May run the algorithm again.
  virtual void verify() {}
  /// Runs once more after all measured runs, for a trace. Returns false if the arm has none.
  /// check() follows, and must check this run.
  virtual bool observe() { return false; }
};

/// Work that stores facts of a run in a row. Row is the program's own struct.
template <class Row>
class work : public work_base {
 public:
  /// Stores the counters of the last run, even a failed one, in a copy of the arm's row.
  virtual void record(Row& /*row*/) const {}
};

/// One configuration to be measured.
template <class Row>
struct arm {
  std::string name;
  /// The facts that are known before the arm runs.
  Row row;
  std::function<std::unique_ptr<work<Row>>()> make;
  /// Whether the arm runs on host threads even if the machine is a GPU. Then a steady clock times
  /// it. A host_time_limit enforces --timeout-s for run(), whose loops must check the limit.
  bool on_host = false;
  /// Whether to verify after every repetition, for cheap checks.
  bool verify_each = false;
  /// Whether to tolerate wrong results, for some rivals. If verify() throws wrong_result,
  /// `verified` becomes "no", and the arm continues.
  bool as_it_is = false;
  /// Whether to run once and leave the times of the row empty, for example in builds that count.
  bool untimed = false;
  /// Set for a step of a search. Then the arm is set up once without a sample, it is not in the
  /// summary, and it is repeated only until this returns true.
  std::function<bool()> is_decided{};
};

}  // namespace gridloom::bench
