#pragma once
// The harness that measures every program. It sets up the arms of a group, verifies them, warms
// them up and repeats them in balanced order. It shows progress, stores one row per repetition, and
// prints one line per arm. An arm that fails ends, with one row that has its status.
//
// - Set-up is sampled first. The factory runs once to warm up. Then it runs --setup-samples times,
//   or until there is one sample per repetition or a second has passed.
// - Without --no-verify, the first run is checked and not measured. The --warmup runs follow.
// - If a run takes more than a second, the arm is repeated at most three times. If it takes more
//   than half a minute, the arm runs once.
// - A run for a trace is checked like any other, and its trace is kept only if it passes.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/bench/arm.hpp"
#include "gridloom/bench/measured.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/bench/statistics.hpp"
#include "gridloom/bench/text_table.hpp"
#include "gridloom/device.hpp"

namespace gridloom::bench {

/// The part of the harness that does not depend on the type of the rows.
class harness_base {
 public:
  /// 1 if an arm was wrong, stopped or failed. Otherwise 2 if an arm could not run here, else 0.
  [[nodiscard]] int exit_code() const;
  /// Prints one line per arm to standard output: median and interval of the run's time, the
  /// program's own figures, the time with copies, and set-up.
  void print_summary() const;
  /// Sets the number of groups, for the line of progress.
  void expect_groups(std::size_t n) { groups_ = n; }
  /// Calls work::observe of every arm, as --trace does.
  void observe_arms() { observe_ = true; }

 protected:
  struct any_arm {
    std::string name;
    bool on_host;
    bool verify_each;
    bool as_it_is;
    bool untimed;
    std::function<bool()> is_decided;
    std::function<std::unique_ptr<work_base>()> make;
    std::function<void(work_base const*, measured const&)> store;
    /// The program's own figures for a median time.
    std::function<std::vector<std::string>(double)> figures;
  };

  harness_base(std::string program, device& machine, common_options const& common)
      : program_(std::move(program)),
        machine_(&machine),
        common_(common),
        observe_(!common.trace.empty()) {}
  void run_group(std::vector<any_arm> const& arms);

  /// Titles of the program's own figures.
  std::vector<std::string> titles_;
  /// The trace log of the program, or null.
  trace_log* trace_ = nullptr;

 private:
  struct state;
  struct line;

  void set_up(state& entry);
  void warm_up(state& entry);
  void repeat(state& entry, std::size_t repetition, std::size_t place);
  void observe(state& entry);
  bool attempt(state& entry, measured& times, bool verify);
  bool guarded(state& entry, measured& times, std::function<void()> const& body);
  [[nodiscard]] static bool verify_once(state& entry);
  double run_once(state& entry, measured& times);
  void store(state& entry, measured const& times);
  void complain(state const& entry, std::string const& message) const;

  std::string program_;
  device* machine_;
  common_options common_;
  bool observe_;
  bool failed_ = false;
  /// The first exception of type grid_error or unsupported.
  std::exception_ptr refusal_;
  std::size_t groups_ = 1;
  std::size_t group_ = 0;
  std::vector<std::shared_ptr<line>> lines_;
};

/// Measures arms whose rows have one type, for one table. Used by one thread.
template <class Row>
class harness : public harness_base {
 public:
  /// `own` has the program's own columns, which precede the standard ones.
  harness(program& frame, schema<Row> own, std::string name = "runs")
      : harness(frame.name(), frame.machine(), frame.common(), std::move(own), std::move(name)) {
    trace_ = &frame.trace();
    frame.begin({&runs(), 1});
  }
  harness(std::string program, device& machine, common_options const& common, schema<Row> own,
          std::string name = "runs")
      : harness_base(std::move(program), machine, common),
        runs_(std::move(name), with_standard_columns(std::move(own))) {}

  /// Adds a column to the summary: a text or a number. `projection` is a function of a row and the
  /// median time in ms, or one that a column takes (column.hpp).
  template <class Projection>
  void show(std::string title, Projection projection) {
    titles_.push_back(std::move(title));
    shown_.push_back([projection](std::vector<Row> const& rows, double elapsed_ms) {
      if constexpr (std::is_invocable_v<Projection, Row const&, double>) {
        return shown(std::invoke(projection, rows.back(), elapsed_ms));
      } else {
        return shown(detail::projected(projection, rows.back()));
      }
    });
  }
  /// `inner` is a member of what `outer` gives.
  template <class Outer, class Inner>
  void show(std::string title, Outer outer, Inner inner) {
    show(std::move(title), [outer, inner](Row const& row, double) {
      return std::invoke(inner, detail::projected(outer, row));
    });
  }

  /// Adds a column to the summary: the median of a real number over the rows of an arm.
  template <class Projection>
  void show_median(std::string title, Projection projection) {
    titles_.push_back(std::move(title));
    shown_.push_back([projection](std::vector<Row> const& rows, double) {
      std::vector<double> values;
      for (Row const& row : rows) values.push_back(std::invoke(projection, row));
      std::erase_if(values, [](double value) { return value != value; });
      return shown_number(values.empty() ? missing_real : median(values));
    });
  }

  /// Measures the arms of one group, which run in turns on the same input. Rethrows a usage_error
  /// of a factory or a run. Rethrows grid_error and unsupported only if no arm can run.
  void run(std::vector<arm<Row>> const& arms) {
    std::vector<any_arm> group;
    for (arm<Row> const& one : arms) {
      auto const rows = std::make_shared<std::vector<Row>>();
      group.push_back({one.name, one.on_host, one.verify_each, one.as_it_is, one.untimed,
                       one.is_decided, one.make,
                       [this, &one, rows](work_base const* done, measured const& times) {
                         Row& last = rows->emplace_back(one.row);
                         if (done != nullptr) static_cast<work<Row> const*>(done)->record(last);
                         runs_.add(last, times);
                       },
                       [this, rows](double elapsed_ms) {
                         std::vector<std::string> figures;
                         for (auto const& text : shown_) figures.push_back(text(*rows, elapsed_ms));
                         return figures;
                       }});
    }
    run_group(group);
  }

  /// The rows so far.
  [[nodiscard]] result_table const& runs() const { return runs_.contents(); }

 private:
  template <class Value>
  static std::string shown(Value const& value) {
    if constexpr (std::is_integral_v<Value>) return std::to_string(value);
    if constexpr (std::is_floating_point_v<Value>) return shown_number(value);
    if constexpr (!std::is_arithmetic_v<Value>) return std::string(value);
  }

  table<Row> runs_;
  std::vector<std::function<std::string(std::vector<Row> const&, double)>> shown_;
};

}  // namespace gridloom::bench
