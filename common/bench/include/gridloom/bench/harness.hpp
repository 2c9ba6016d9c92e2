#pragma once
// The one harness that measures every program. It makes the arms of a group ready, verifies and
// warms them up, repeats them in balanced order, shows progress, stores a row a repetition, and
// prints a line an arm. An arm that fails gets one row that says how, and ends; others go on.
//
// - Set-up is sampled before anything is timed: the factory runs once to warm up, then again until
//   there is a sample a repetition or a second has passed.
// - With --verify the first run is followed by the check and not measured; --warmup runs follow.
// - An arm whose run takes more than a second is repeated three times at most, and once above half
//   a minute.
// - A run that is observed is checked like any other, and its trace is kept only if it passes.

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

/// What is not of a row's type.
class harness_base {
 public:
  /// Some arm was wrong, stopped or failed: 1. Else some could not run here: 2. Else 0.
  [[nodiscard]] int exit_code() const;
  /// A line an arm on standard output: median and interval of the run, the program's own figures,
  /// end to end, set-up.
  void print_summary() const;
  /// How many groups there will be, for the progress bar.
  void expect_groups(std::size_t n) { groups_ = n; }
  /// Calls work::observe of every arm, which --trace does, for another reason.
  void observe_arms() { observe_ = true; }

 protected:
  struct any_arm {
    std::string name;
    bool on_host;
    bool verify_each;
    bool as_it_is;
    bool untimed;
    std::function<std::unique_ptr<work_base>()> make;
    std::function<void(work_base const*, measured const&)> store;
    std::function<std::vector<std::string>(double)> figures;  // of a median time
  };

  harness_base(std::string program, device& machine, common_options const& common)
      : program_(std::move(program)),
        machine_(&machine),
        common_(common),
        observe_(!common.trace.empty()) {}
  void run_group(std::vector<any_arm> const& arms);

  std::vector<std::string> titles_;  // of the program's own figures
  trace_log* trace_ = nullptr;       // that of the program, if there is one

 private:
  struct state;
  struct line;

  void set_up(state& of);
  void warm_up(state& of);
  void repeat(state& of, std::size_t repetition, std::size_t place);
  void observe(state& of);
  bool attempt(state& of, measured& times, bool verify);
  bool guarded(state& of, measured& times, std::function<void()> const& body);
  [[nodiscard]] static bool verify_once(state& of);
  double run_once(state& of, measured& times);
  void store(state& of, measured const& times);
  void complain(state const& of, std::string const& message) const;

  std::string program_;
  device* machine_;
  common_options common_;
  bool observe_;
  bool failed_ = false;
  std::exception_ptr refusal_;  // the first grid_error or unsupported
  std::size_t groups_ = 1;
  std::size_t group_ = 0;
  std::vector<std::shared_ptr<line>> lines_;
};

/// Measures arms whose rows are of one type, for one table. Used by one thread.
template <class Row>
class harness : public harness_base {
 public:
  /// `own` are the columns beside the standard ones.
  harness(program& frame, schema<Row> own, std::string name = "runs")
      : harness(frame.name(), frame.machine(), frame.common(), std::move(own), std::move(name)) {
    trace_ = &frame.trace();
    frame.begin({&runs(), 1});
  }
  harness(std::string program, device& machine, common_options const& common, schema<Row> own,
          std::string name = "runs")
      : harness_base(std::move(program), machine, common),
        runs_(std::move(name), with_standard_columns(std::move(own))) {}

  /// A column of the summary: text, or a number, made of a row and the median time in ms.
  template <class Projection>
  void show(std::string title, Projection projection) {
    titles_.push_back(std::move(title));
    shown_.push_back([projection](std::vector<Row> const& rows, double elapsed_ms) {
      auto const value = std::invoke(projection, rows.back(), elapsed_ms);
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
        return shown_number(static_cast<double>(value));
      } else {
        return std::string(value);
      }
    });
  }

  /// A column of the summary: the median of a row's real number over the rows of an arm, without
  /// those that have none.
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

  /// Measures the arms of one group: those that run in turns, on the same input. Throws what a
  /// factory or a run throws as usage_error; a grid_error or unsupported only when no arm of the
  /// group can run.
  void run(std::vector<arm<Row>> const& arms) {
    std::vector<any_arm> group;
    for (arm<Row> const& one : arms) {
      auto const rows = std::make_shared<std::vector<Row>>();
      group.push_back({one.name, one.on_host, one.verify_each, one.as_it_is, one.untimed, one.make,
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
  table<Row> runs_;
  std::vector<std::function<std::string(std::vector<Row> const&, double)>> shown_;
};

}  // namespace gridloom::bench
