#include "gridloom/bench/harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <sstream>

#include "gridloom/bench/balanced_order.hpp"
#include "gridloom/bench/progress.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/printable.hpp"

namespace gridloom::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr double slow_ms = 1000;
constexpr int slow_repeats = 3;
constexpr double very_slow_ms = 30000;
constexpr double setup_budget_ms = 1000;  // of all samples of an arm's set-up

double ms_between(clock::time_point begin, clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

}  // namespace

/// An arm's place in the summary.
struct harness_base::line {
  std::string name;
  std::function<std::vector<std::string>(double)> figures;
  std::vector<double> setup, elapsed, end_to_end;
  std::string verified;
  std::string status;
};

struct harness_base::state {
  any_arm const& what;
  std::shared_ptr<line> shown;
  std::unique_ptr<work_base> work;
  std::vector<double> setup;  // samples in ms
  std::string verified = "off";
  std::size_t repeats = 0;
  bool usable = true;
  std::string refused{};  // what the machine or the input does not allow
};

void harness_base::run_group(std::vector<any_arm> const& arms) {
  ++group_;
  std::string label = program_;
  if (groups_ > 1) label += " " + std::to_string(group_) + "/" + std::to_string(groups_);
  auto const repeats = static_cast<std::size_t>(common_.repeat);
  auto const is_timed = [](any_arm const& what) { return !what.untimed; };
  auto const num_timed = std::count_if(arms.begin(), arms.end(), is_timed);
  progress_bar progress(label, arms.size() + static_cast<std::size_t>(num_timed) * repeats,
                        common_.quiet);
  std::vector<state> states;
  for (any_arm const& what : arms) {
    auto shown = std::make_shared<line>(line{what.name, what.figures, {}, {}, {}, {}, {}});
    if (!what.untimed) lines_.push_back(shown);
    states.push_back({what, std::move(shown), nullptr, {}, "off", what.untimed ? 0 : repeats});
  }
  for (state& of : states) {
    progress.advance(of.what.name, 0);
    set_up(of);
    if (of.usable) warm_up(of);
    progress.advance(of.what.name);
  }
  if (!states.empty() && std::all_of(states.begin(), states.end(),
                                     [](state const& of) { return !of.refused.empty(); })) {
    std::rethrow_exception(refusal_);
  }
  std::vector<state*> timed;
  for (state& of : states) {
    if (is_timed(of.what)) timed.push_back(&of);
  }
  for (std::size_t repetition = 0; repetition < repeats; ++repetition) {
    auto const order = balanced_order(timed.size(), repetition, common_.seed);
    for (std::size_t place = 0; place < order.size(); ++place) {
      state& of = *timed[order[place]];
      if (of.usable && repetition < of.repeats) repeat(of, repetition, place);
      progress.advance(of.what.name);
    }
  }
  progress.finish();
  for (state& of : states) {
    if (observe_ && of.usable) observe(of);
    if (!of.refused.empty()) complain(of, of.refused);
  }
  if (trace_ != nullptr) trace_->release();
}

void harness_base::set_up(state& of) {
  measured times;
  auto const make = [&] {
    of.work.reset();
    machine_->synchronize();
    auto const begin = clock::now();
    of.work = of.what.make();
    machine_->synchronize();
    return ms_between(begin, clock::now());
  };
  guarded(of, times, [&] {
    double const first = make();
    double spent = first;
    // A kernel's first use is slow, and not the arm's own.
    if (of.what.untimed || first > very_slow_ms) of.setup.push_back(first);
    while (of.setup.empty() ||
           (of.setup.size() < of.repeats && spent < setup_budget_ms && first <= very_slow_ms)) {
      of.setup.push_back(make());
      spent += of.setup.back();
    }
  });
  if (!of.usable) store(of, times);
}

void harness_base::warm_up(state& of) {
  measured times;
  bool const verify = common_.verify;
  if ((verify || of.what.untimed) && !attempt(of, times, verify)) return store(of, times);
  if (of.what.untimed) {
    measured counted;
    store(of, counted);
    return;
  }
  for (int k = 0; k < common_.warmup && !(times.elapsed_ms > slow_ms); ++k) {
    times = {};
    if (!attempt(of, times, of.what.verify_each && verify)) return store(of, times);
  }
  if (!(times.elapsed_ms > very_slow_ms)) return;
  // What a first run costs more is lost in half a minute, so that it need not run once more.
  store(of, times);
  of.repeats = 0;
}

void harness_base::repeat(state& of, std::size_t repetition, std::size_t place) {
  measured times;
  times.repetition = static_cast<std::int64_t>(repetition);
  times.order = static_cast<std::int64_t>(place);
  (void)attempt(of, times, of.what.verify_each && common_.verify);
  store(of, times);
}

void harness_base::observe(state& of) {
  measured times;
  bool there = false;
  bool const done = guarded(of, times, [&] {
    there = of.work->observe();
    if (!there) return;
    machine_->synchronize();
    of.work->check();
  });
  if (done && !there) complain(of, "has no trace");
  if (trace_ == nullptr) return;
  if (!done || !there) return trace_->discard();
  auto const* const kept = trace_->keep(of.what.name);
  if (kept == nullptr || kept->dropped == 0) return;
  complain(of, "the trace has no room for " + std::to_string(kept->dropped) + " of " +
                   std::to_string(kept->dropped + kept->tasks.size()) + " tasks");
}

/// One run with what belongs to it; false, with a status, when it failed.
bool harness_base::attempt(state& of, measured& times, bool verify) {
  bool right = true;
  bool const done = guarded(of, times, [&] {
    double const elapsed_ms = run_once(of, times);
    of.work->check();
    if (verify) right = verify_once(of);
    if (elapsed_ms > slow_ms) of.repeats = std::min<std::size_t>(of.repeats, slow_repeats);
    if (elapsed_ms > very_slow_ms) of.repeats = std::min<std::size_t>(of.repeats, 1);
  });
  if (verify) of.verified = done && right ? "yes" : "no";
  if (!done)
    times.copy_in_ms = times.elapsed_ms = times.copy_out_ms = times.end_to_end_ms = missing_real;
  return done;
}

bool harness_base::verify_once(state& of) {
  try {
    of.work->verify();
  } catch (wrong_result const&) {
    if (!of.what.as_it_is) throw;
    return false;
  }
  return true;
}

double harness_base::run_once(state& of, measured& times) {
  of.work->prepare();
  machine_->synchronize();
  auto const begin = clock::now();
  of.work->copy_in();
  machine_->synchronize();
  auto const there = clock::now();
  if (of.what.on_host) {
    host_time_limit const limit(common_.timeout_s);
    of.work->run();
    times.elapsed_ms = ms_between(there, clock::now());
  } else {
    times.elapsed_ms = of.work->timed_run(*machine_);
  }
  auto const ran = clock::now();
  of.work->copy_out();
  machine_->synchronize();
  auto const end = clock::now();
  times.copy_in_ms = ms_between(begin, there);
  times.copy_out_ms = ms_between(ran, end);
  times.end_to_end_ms = ms_between(begin, end);
  return times.elapsed_ms;
}

/// Runs the body; an error of a run becomes a status and ends the arm.
bool harness_base::guarded(state& of, measured& times, std::function<void()> const& body) {
  std::string message;
  try {
    body();
    return true;
  } catch (timeout_error const& error) {
    times.status = "timeout";
    message = error.what();
  } catch (wrong_result const& error) {
    times.status = "wrong";
    message = error.what();
  } catch (grid_error const& error) {
    // How many blocks fit is known when their kernel is launched.
    times.status = "grid";
    message = std::string("--workers: ") + error.what();
    if (!refusal_) refusal_ = std::make_exception_ptr(grid_error(message));
  } catch (unsupported const& error) {
    times.status = "unsupported";
    message = error.what();
    if (!refusal_) refusal_ = std::current_exception();
  } catch (run_error const& error) {
    times.status = "failed";
    message = error.what();
  } catch (std::bad_alloc const&) {
    times.status = "failed";
    message = "out of memory";
  }
  of.usable = false;
  if (times.status == "grid" || times.status == "unsupported") {
    of.refused = message;
    return false;
  }
  failed_ = true;
  if (common_.verify && times.status == "wrong") of.verified = "no";
  complain(of, message);
  return false;
}

void harness_base::store(state& of, measured const& times) {
  measured row = times;
  row.experiment = common_.label;
  row.arm = of.what.name;
  row.backend = of.what.on_host ? "host" : machine_->properties().backend;
  row.verified = of.verified;
  auto const sample = static_cast<std::size_t>(row.repetition);
  if (sample < of.setup.size()) row.setup_ms = of.setup[sample];
  of.what.store(of.work.get(), row);
  line& shown = *of.shown;
  shown.verified = row.verified;
  shown.status = row.status;
  if (row.status != "ok" || of.what.untimed) return;
  if (sample < of.setup.size()) shown.setup.push_back(row.setup_ms);
  shown.elapsed.push_back(row.elapsed_ms);
  shown.end_to_end.push_back(row.end_to_end_ms);
}

void harness_base::complain(state const& of, std::string const& message) const {
  // A list of faults has a line each; names of files in them hold what they like.
  std::istringstream faults(message);
  std::string text = printable(program_ + ": " + of.what.name + ":");
  char separator = ' ';
  for (std::string fault; std::getline(faults, fault); separator = '\n') {
    text += separator + printable(fault);
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int harness_base::exit_code() const {
  if (failed_) return exit_failed;
  return refusal_ ? exit_usage : exit_done;
}

void harness_base::print_summary() const {
  text_table shown({"arm", "run ms", "95 % interval"});
  for (std::string const& title : titles_) shown.add_column(title);
  for (char const* title : {"end to end", "set-up", "verified"}) shown.add_column(title);
  for (auto const& one : lines_) {
    line const& of = *one;
    std::vector<std::string> cells{of.name};
    if (of.status != "ok" || of.elapsed.empty()) {
      cells.push_back(of.status);
      cells.emplace_back();
    } else {
      interval const time = bootstrap_median(of.elapsed, common_.seed);
      cells.push_back(shown_number(time.median));
      cells.push_back("[" + shown_number(time.low) + ", " + shown_number(time.high) + "]");
    }
    double const middle = of.elapsed.empty() ? missing_real : median(of.elapsed);
    for (std::string& text : of.figures(middle)) cells.push_back(std::move(text));
    cells.push_back(of.end_to_end.empty() ? "" : shown_number(median(of.end_to_end)));
    cells.push_back(of.setup.empty() ? "" : shown_number(median(of.setup)));
    cells.push_back(of.verified);
    shown.add_row(std::move(cells));
  }
  shown.print(stdout);
}

}  // namespace gridloom::bench
