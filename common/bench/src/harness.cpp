#include "gridloom/bench/harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <sstream>

#include "balanced_order.hpp"
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
// Limit of the time for sampling an arm's set-up.
constexpr double setup_budget_ms = 1000;

double ms_between(clock::time_point begin, clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

}  // namespace

/// The line of an arm in the summary.
struct harness_base::line {
  std::string name;
  /// The program's own figures.
  std::vector<std::string> figures;
  std::vector<double> setup, elapsed, end_to_end;
  std::string verified;
  std::string status;
};

struct harness_base::state {
  any_arm const& what;
  std::shared_ptr<line> shown;
  std::unique_ptr<work_base> work;
  /// Samples of the set-up in ms.
  std::vector<double> setup;
  std::string verified = "off";
  std::size_t repeats = 0;
  bool usable = true;
  /// Message of a grid_error or unsupported.
  std::string refused{};
};

void harness_base::run_group(std::vector<any_arm> const& arms) {
  ++group_;
  std::string label = program_;
  if (groups_ > 1) label += " " + std::to_string(group_) + "/" + std::to_string(groups_);
  auto const repeats = static_cast<std::size_t>(common_.repeat);
  auto const is_timed = [](any_arm const& what) { return !what.untimed; };
  auto const num_timed = std::count_if(arms.begin(), arms.end(), is_timed);
  progress_line progress(label, arms.size() + static_cast<std::size_t>(num_timed) * repeats,
                         common_.quiet);
  std::vector<state> states;
  for (any_arm const& what : arms) {
    auto shown = std::make_shared<line>(line{what.name, {}, {}, {}, {}, {}, {}});
    if (!what.untimed && !what.is_decided) lines_.push_back(shown);
    states.push_back({what, std::move(shown), nullptr, {}, "off", what.untimed ? 0 : repeats});
  }
  for (state& entry : states) {
    progress.advance(entry.what.name, 0);
    set_up(entry);
    if (entry.usable) warm_up(entry);
    progress.advance(entry.what.name);
  }
  if (!states.empty() && std::all_of(states.begin(), states.end(),
                                     [](state const& entry) { return !entry.refused.empty(); })) {
    std::rethrow_exception(refusal_);
  }
  std::vector<state*> timed;
  for (state& entry : states) {
    if (is_timed(entry.what)) timed.push_back(&entry);
  }
  for (std::size_t repetition = 0; repetition < repeats; ++repetition) {
    auto const order = balanced_order(timed.size(), repetition, common_.seed);
    for (std::size_t place = 0; place < order.size(); ++place) {
      state& entry = *timed[order[place]];
      if (entry.what.is_decided && entry.what.is_decided()) entry.repeats = repetition;
      if (entry.usable && repetition < entry.repeats) repeat(entry, repetition, place);
      progress.advance(entry.what.name);
    }
  }
  progress.finish();
  for (state& entry : states) {
    if (observe_ && entry.usable) observe(entry);
    if (!entry.refused.empty()) complain(entry, entry.refused);
    auto const& elapsed = entry.shown->elapsed;
    if (!entry.what.untimed) {
      entry.shown->figures = entry.what.figures(elapsed.empty() ? missing_real : median(elapsed));
    }
  }
  if (trace_ != nullptr) trace_->release();
}

void harness_base::set_up(state& entry) {
  measured times;
  auto const make = [&] {
    entry.work.reset();
    machine_->synchronize();
    auto const begin = clock::now();
    entry.work = entry.what.make();
    machine_->synchronize();
    return ms_between(begin, clock::now()) + entry.work->shared_setup_ms();
  };
  guarded(entry, times, [&] {
    double const first = make();
    if (entry.what.is_decided) return;
    double spent = first;
    // The first set-up is slow, because CUDA loads code at its first use.
    if (entry.what.untimed || first > very_slow_ms) entry.setup.push_back(first);
    auto const wanted = static_cast<std::size_t>(common_.setup_samples);
    auto const is_enough = [&] {
      if (first > very_slow_ms || entry.what.untimed) return true;
      if (wanted > 0) return entry.setup.size() >= wanted;
      return entry.setup.size() >= entry.repeats || spent >= setup_budget_ms;
    };
    while (entry.setup.empty() || !is_enough()) {
      entry.setup.push_back(make());
      spent += entry.setup.back();
    }
  });
  if (!entry.usable) store(entry, times);
}

void harness_base::warm_up(state& entry) {
  measured times;
  bool const verify = common_.verify;
  if ((verify || entry.what.untimed) && !attempt(entry, times, verify)) return store(entry, times);
  if (entry.what.untimed) {
    measured counted;
    store(entry, counted);
    return;
  }
  for (int k = 0; k < common_.warmup && !(times.elapsed_ms > slow_ms); ++k) {
    times = {};
    if (!attempt(entry, times, entry.what.verify_each && verify)) return store(entry, times);
  }
  if (!(times.elapsed_ms > very_slow_ms)) return;
  // The first run is measured as well, because its extra cost is small next to half a minute.
  store(entry, times);
  entry.repeats = 0;
}

void harness_base::repeat(state& entry, std::size_t repetition, std::size_t place) {
  measured times;
  times.repetition = static_cast<std::int64_t>(repetition);
  times.order = static_cast<std::int64_t>(place);
  (void)attempt(entry, times, entry.what.verify_each && common_.verify);
  store(entry, times);
}

void harness_base::observe(state& entry) {
  measured times;
  bool there = false;
  bool const done = guarded(entry, times, [&] {
    there = entry.work->observe();
    if (!there) return;
    machine_->synchronize();
    entry.work->check();
  });
  if (done && !there) complain(entry, "records no trace");
  if (trace_ == nullptr) return;
  if (!done || !there) return trace_->discard();
  auto const* const kept = trace_->keep(entry.what.name);
  if (kept == nullptr || kept->dropped == 0) return;
  complain(entry, "the trace has no room for " + std::to_string(kept->dropped) + " of " +
                      std::to_string(kept->dropped + kept->tasks.size()) + " tasks");
}

// One repetition without storing it. Returns false and sets the status if it failed.
bool harness_base::attempt(state& entry, measured& times, bool verify) {
  bool right = true;
  bool const done = guarded(entry, times, [&] {
    double const elapsed_ms = run_once(entry, times);
    entry.work->check();
    if (verify) right = verify_once(entry);
    if (elapsed_ms > slow_ms) entry.repeats = std::min<std::size_t>(entry.repeats, slow_repeats);
    if (elapsed_ms > very_slow_ms) entry.repeats = std::min<std::size_t>(entry.repeats, 1);
  });
  if (verify) entry.verified = done && right ? "yes" : "no";
  if (!done)
    times.copy_in_ms = times.elapsed_ms = times.copy_out_ms = times.end_to_end_ms = missing_real;
  return done;
}

bool harness_base::verify_once(state& entry) {
  try {
    entry.work->verify();
  } catch (wrong_result const&) {
    if (!entry.what.as_it_is) throw;
    return false;
  }
  return true;
}

double harness_base::run_once(state& entry, measured& times) {
  entry.work->prepare();
  machine_->synchronize();
  auto const begin = clock::now();
  entry.work->copy_in();
  machine_->synchronize();
  auto const there = clock::now();
  if (entry.what.on_host) {
    host_time_limit const limit(common_.timeout_s);
    entry.work->run();
    times.elapsed_ms = ms_between(there, clock::now());
  } else {
    times.elapsed_ms = entry.work->timed_run(*machine_);
  }
  auto const ran = clock::now();
  entry.work->copy_out();
  machine_->synchronize();
  auto const end = clock::now();
  if (entry.work->has_copies()) {
    times.copy_in_ms = ms_between(begin, there);
    times.copy_out_ms = ms_between(ran, end);
    times.end_to_end_ms = ms_between(begin, end);
  }
  return times.elapsed_ms;
}

// Runs the body. An error of a run becomes a status and ends the arm.
bool harness_base::guarded(state& entry, measured& times, std::function<void()> const& body) {
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
    // How many blocks fit is known only at the launch.
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
  entry.usable = false;
  if (times.status == "grid" || times.status == "unsupported") {
    entry.refused = message;
    return false;
  }
  failed_ = true;
  if (common_.verify && times.status == "wrong") entry.verified = "no";
  complain(entry, message);
  return false;
}

void harness_base::store(state& entry, measured const& times) {
  measured row = times;
  row.experiment = common_.label;
  row.arm = entry.what.name;
  row.backend = entry.what.on_host ? "host" : machine_->properties().backend;
  row.verified = entry.verified;
  auto const sample = static_cast<std::size_t>(row.repetition);
  if (sample < entry.setup.size()) row.setup_ms = entry.setup[sample];
  entry.what.store(entry.work.get(), row);
  line& shown = *entry.shown;
  shown.verified = row.verified;
  shown.status = row.status;
  if (row.status != "ok" || entry.what.untimed) return;
  if (sample < entry.setup.size()) shown.setup.push_back(row.setup_ms);
  shown.elapsed.push_back(row.elapsed_ms);
  if (entry.work->has_copies()) shown.end_to_end.push_back(row.end_to_end_ms);
}

void harness_base::complain(state const& entry, std::string const& message) const {
  // A message may list faults, one per line. Faults may contain file names, so they are escaped.
  std::istringstream faults(message);
  std::string text = printable(program_ + ": " + entry.what.name + ":");
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
  if (lines_.empty()) return;
  text_table shown({"arm", "run ms", "95 % interval"});
  for (std::string const& title : titles_) shown.add_column(title);
  for (char const* title : {"with copies ms", "set-up ms", "verified"}) shown.add_column(title);
  for (auto const& one : lines_) {
    line const& entry = *one;
    std::vector<std::string> cells{entry.name};
    if (entry.status != "ok" || entry.elapsed.empty()) {
      cells.push_back(entry.status);
      cells.emplace_back();
    } else {
      interval const time = bootstrap_median(entry.elapsed, common_.seed);
      cells.push_back(shown_number(time.median));
      cells.push_back("[" + shown_number(time.low) + ", " + shown_number(time.high) + "]");
    }
    cells.insert(cells.end(), entry.figures.begin(), entry.figures.end());
    cells.push_back(entry.end_to_end.empty() ? "" : shown_number(median(entry.end_to_end)));
    cells.push_back(entry.setup.empty() ? "" : shown_number(median(entry.setup)));
    cells.push_back(entry.verified);
    shown.add_row(std::move(cells));
  }
  shown.print(stdout);
}

}  // namespace gridloom::bench
