#pragma once
// What is measured. An arm is a name, what is known before it runs, and a factory; the factory
// makes a `work`, which the harness then runs again and again.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gridloom/device.hpp"

namespace gridloom::bench {

/// An arm made ready: all memory is taken, all plans are made. One repetition calls prepare(),
/// copy_in(), run(), copy_out(), check() in this order; the three in the middle are timed, each
/// apart and all together. Whatever throws ends the arm with a status of its own: timeout_error,
/// wrong_result, grid_error, unsupported, else run_error as "failed". Any other usage_error ends
/// the program.
class work_base {
 public:
  work_base() = default;
  work_base(work_base const&) = delete;
  work_base& operator=(work_base const&) = delete;
  virtual ~work_base() = default;

  /// What only measuring needs, such as overwriting the results of the run before.
  virtual void prepare() {}
  /// What a fresh call needs: inputs brought to the machine, words set to their first state.
  virtual void copy_in() {}
  /// The algorithm on data in the machine's memory. It may return before the device is done.
  virtual void run() {}
  /// As run, and its time in ms; for work that knows it better than the events around run().
  virtual double timed_run(device& machine) {
    return machine.time_ms([this] { run(); });
  }
  /// Results brought to the host.
  virtual void copy_out() {}
  /// After every run, also with --no-verify: what shows at no cost that a run went wrong.
  virtual void check() {}
  /// With --verify, after the first run, which is not measured: holds the results against an
  /// independent computation. Throws wrong_result. May run the algorithm once more in another way.
  virtual void verify() {}
  /// One more run after all measured ones, for a trace and the like; false: the arm has none.
  /// check() follows: what it looks at must be of this run.
  virtual bool observe() { return false; }
};

/// The same with what it stores of a run: Row is the program's own struct.
template <class Row>
class work : public work_base {
 public:
  /// Counters of the last run, also of one that failed, into a row that begins as the arm's.
  virtual void record(Row& /*row*/) const {}
};

/// One configuration to be measured.
template <class Row>
struct arm {
  std::string name;
  Row row;  // what is known before it runs
  std::function<std::unique_ptr<work<Row>>()> make;
  /// Runs on host threads whatever the machine is, so a steady clock times it. --timeout-s holds for
  /// run() by a host_time_limit, which its loops have to check.
  bool on_host = false;
  /// Verifies after every repetition; for cheap checks.
  bool verify_each = false;
  /// A rival whose results are taken as they are: a wrong_result of verify() makes `verified` no,
  /// and the arm goes on.
  bool as_it_is = false;
  /// A build that counts or the like: runs once, its row has no times.
  bool untimed = false;
};

}  // namespace gridloom::bench
