// Runs groups of arms: one untimed verified run an arm, warm-up, then repetitions in balanced
// order.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "gridloom/bench/balanced_order.hpp"
#include "gridloom/bench/progress.hpp"
#include "gridloom/trace.hpp"
#include "experiment.hpp"

namespace gridloom::wavefront {

namespace {

/// Runs above a second are repeated three times, runs above half a minute are timed once.
constexpr double slow_ms = 1000;
constexpr int slow_repeats = 3;
constexpr double very_slow_ms = 30000;

char const* name_of(body_kind kind) {
  return kind == body_kind::noop ? "noop" : kind == body_kind::work ? "work" : "recurrence";
}

double ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Times and counts of one run.
struct measurement {
  double elapsed_ms = 0;
  double wall_ms = 0;
  std::uint64_t executed = 0;
  access_counts counts;
  std::string status;
  body_kind body = body_kind::noop;
};

/// An arm made ready on its graph.
struct prepared_arm {
  arm const* what = nullptr;
  std::unique_ptr<scheduler> plain;
  double setup_ms = 0;
  int repeats = 0;
  std::string verified = "off";
  bool usable = true;
};

class group_runner {
 public:
  group_runner(device& machine, arm_group const& group, common_options const& common,
               outcome& result, progress_bar& progress)
      : machine_(machine),
        group_(group),
        common_(common),
        result_(result),
        progress_(progress),
        graph_(group.graph_file.empty() ? graph_store(machine, group.size)
                                        : graph_store(machine, read_dag(group.graph_file))),
        dog_(machine, most_observers(group), common.timeout_s),
        counts_(machine.allocate<access_counts>(1)) {
    // Counters, results, and the host's serial results; queues are small beside them.
    if (12.0 * graph_.tasks() > 0.9 * static_cast<double>(machine.properties().memory_bytes)) {
      throw usage_error(std::to_string(graph_.tasks()) + " tasks are more than the memory of " +
                        machine.properties().name + " holds");
    }
    memory_.dependencies = machine.allocate<std::uint32_t>(graph_.tasks());
    memory_.words = machine.allocate<scheduler_words>(1);
  }

  void run() {
    std::vector<prepared_arm> arms;
    for (auto const& what : group_.arms) arms.push_back(prepare(what));
    int most = 0;
    for (auto const& a : arms) most = std::max(most, a.repeats);
    for (int repetition = 0; repetition < most; ++repetition) {
      auto const order =
          balanced_order(arms.size(), static_cast<std::size_t>(repetition), common_.seed);
      for (std::size_t place = 0; place < order.size(); ++place) {
        auto& a = arms[order[place]];
        if (!a.usable || repetition >= a.repeats) continue;
        auto const m = measure(a, *a.plain, body_of(*a.what), {});
        record(a, m, repetition, static_cast<int>(place), false);
        progress_.advance(a.what->label);
      }
    }
  }

 private:
  static int most_observers(arm_group const& group) {
    int most = 1;
    for (auto const& a : group.arms) most = std::max(most, a.config.blocks * a.config.threads);
    return most;
  }

  scheduler_setup setup_for(arm const& what, bool observe) {
    return {machine_, graph_, memory_, dog_, what.config, observe};
  }

  task_body body_of(arm const& what) {
    task_body body;
    body.kind = what.body;
    body.work_ticks = static_cast<std::uint64_t>(static_cast<double>(what.work_ns) *
                                                 machine_.properties().ticks_per_ns);
    if (what.body == body_kind::recurrence) body.values = values().data();
    return body;
  }
  buffer<std::uint32_t> const& values() {
    if (memory_.values.size() == 0)
      memory_.values = machine_.allocate<std::uint32_t>(graph_.tasks());
    return memory_.values;
  }

  prepared_arm prepare(arm const& what) {
    prepared_arm result;
    result.what = &what;
    auto const begin = std::chrono::steady_clock::now();
    result.plain = make_scheduler(setup_for(what, false));
    result.plain->reset();
    machine_.synchronize();
    result.setup_ms = ms_since(begin);
    result.repeats = common_.repeat;
    double first_ms = 0;
    if (common_.verify && what.times) first_ms = verify(result, *result.plain);
    if (!what.times) result.repeats = 0;
    for (int k = 0; k < common_.warmup && result.usable && what.times && first_ms < slow_ms; ++k) {
      auto const m = measure(result, *result.plain, body_of(what), {});
      first_ms = m.elapsed_ms;
      if (m.status != "ok") record(result, m, 0, 0, false);
    }
    if (first_ms >= slow_ms) result.repeats = std::min(result.repeats, slow_repeats);
    if (first_ms >= very_slow_ms) result.repeats = std::min(result.repeats, 1);
    bool const observe = (what.counters || !common_.trace.empty()) && result.usable;
    if (observe && !find_algorithm(what.config.algorithm).observable) {
      std::fprintf(stderr,
                   "wavefront: %s: its scheduler is out of sight, so neither counted nor traced\n",
                   what.label.c_str());
      return result;
    }
    if (what.counters && result.usable) count(result);
    if (!common_.trace.empty() && result.usable) trace(result);
    return result;
  }

  /// One run of the recurrence, compared with a serial run task by task. Returns its time.
  double verify(prepared_arm& a, scheduler& what) {
    auto const m = run_verified(a, what, {});
    if (m.status != "ok") record(a, m, 0, 0, false);
    return m.elapsed_ms;
  }
  measurement run_verified(prepared_arm& a, scheduler& what, probe_ref const& observer) {
    machine_.fill_bytes(values(), 0xa5);
    task_body body;
    body.kind = body_kind::recurrence;
    body.values = values().data();
    auto m = measure(a, what, body, observer);
    a.verified = m.status == "ok" && results_agree(a) ? "yes" : "no";
    if (a.verified == "no" && m.status == "ok") m.status = "wrong";
    return m;
  }

  bool results_agree(prepared_arm const& a) {
    auto const found = machine_.copy_to_host(values());
    auto const& expected = graph_.reference();
    std::uint64_t found_sum = 0;
    std::uint64_t expected_sum = 0;
    std::size_t wrong = 0;
    std::size_t first_wrong = 0;
    for (std::size_t task = 0; task < expected.size(); ++task) {
      found_sum += found[task];
      expected_sum += expected[task];
      if (found[task] != expected[task] && wrong++ == 0) first_wrong = task;
    }
    if (wrong == 0 && found_sum == expected_sum) return true;
    std::fprintf(
        stderr, "wavefront: %s: %zu of %zu results differ from the serial run, first at task %zu\n",
        a.what->label.c_str(), wrong, expected.size(), first_wrong);
    return false;
  }

  measurement measure(prepared_arm const& a, scheduler& what, task_body const& body,
                      probe_ref const& observer) {
    measurement m;
    auto const begin = std::chrono::steady_clock::now();
    what.reset();
    what.prepare(body, observer);
    m.body = body.kind;
    m.elapsed_ms = machine_.time_ms([&] { what.run(body, observer); });
    m.executed = what.executed();
    m.wall_ms = ms_since(begin);
    bool const stopped = dog_.fired();
    m.status = stopped ? "timeout" : m.executed == graph_.tasks() ? "ok" : "wrong";
    if (stopped) {
      report_timeout(a, m);
    } else if (m.status == "wrong") {
      std::fprintf(stderr, "wavefront: %s: %llu of %u tasks were executed\n", a.what->label.c_str(),
                   static_cast<unsigned long long>(m.executed), graph_.tasks());
    }
    return m;
  }

  void report_timeout(prepared_arm const& a, measurement const& m) {
    std::fprintf(stderr,
                 "wavefront: %s: stopped by the watchdog after %g s (--timeout-s), %llu of %u "
                 "tasks reported\n",
                 a.what->label.c_str(), common_.timeout_s,
                 static_cast<unsigned long long>(m.executed), graph_.tasks());
    for (auto const& line : dog_.lines()) std::fprintf(stderr, "  %s\n", line.c_str());
  }

  /// One run of the counting build, verified like the other: the bodies' own accesses are not
  /// counted.
  void count(prepared_arm& a) {
    auto const observed = make_scheduler(setup_for(*a.what, true));
    machine_.fill_bytes(counts_, 0);
    probe_ref observer;
    observer.counts = counts_.data();
    auto m = common_.verify ? run_verified(a, *observed, observer)
                            : measure(a, *observed, body_of(*a.what), observer);
    m.counts = machine_.copy_to_host(counts_)[0];
    record(a, m, 0, 0, true);
  }

  /// One run with a time line.
  void trace(prepared_arm& a) {
    auto const observed = make_scheduler(setup_for(*a.what, true));
    constexpr std::uint32_t most_events = 1U << 24;
    int const workers = observed->observers();
    auto const room =
        std::min(graph_.tasks(), std::max(most_events / static_cast<std::uint32_t>(workers), 16U));
    trace_buffer events(machine_, workers, room);
    probe_ref observer;
    observer.trace = events.arm();
    auto const m = measure(a, *observed, body_of(*a.what), observer);
    (void)m;  // a failure has been reported; what was traced up to it is kept
    for (auto const& [worker, event] : events.events()) {
      result_.traces.add_row({a.what->label, std::int64_t{worker}, std::int64_t{event.task},
                              std::int64_t{event.type}, static_cast<std::int64_t>(event.begin_ns),
                              static_cast<std::int64_t>(event.end_ns)});
    }
    if (auto const lost = events.dropped(); lost != 0) {
      std::fprintf(stderr, "wavefront: %s: the trace has no room for %llu of %u tasks\n",
                   a.what->label.c_str(), static_cast<unsigned long long>(lost), graph_.tasks());
    }
  }

  void record(prepared_arm& a, measurement const& m, int repetition, int place, bool counted) {
    if (m.status != "ok") {
      a.usable = false;
      result_.failed = true;
    }
    auto const& what = *a.what;
    auto const& config = what.config;
    bool const multi = config.algorithm == "multi_queue";
    auto const shape = graph_.shape();
    auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
    result_.runs.add_row(
        {what.experiment,
         what.label,
         config.algorithm,
         std::string(graph_.is_lattice() ? "lattice" : "dag"),
         whole(shape.rows()),
         whole(shape.cols()),
         whole(shape.depth()),
         whole(graph_.tasks()),
         whole(graph_.edges()),
         whole(graph_.critical_path()),
         machine_.properties().backend,
         whole(config.blocks),
         whole(config.threads),
         whole(multi                                ? config.queues
               : config.algorithm == "single_queue" ? 1
                                                    : 0),
         std::string(multi ? task_hash_names[static_cast<std::size_t>(config.hash)] : ""),
         std::string(name_of(counted ? what.body : m.body)),
         whole(counted || m.body == what.body ? what.work_ns : 0),
         std::string(config.width == task_width::lane ? "lane" : "block"),
         whole(counted),
         whole(repetition),
         whole(place),
         m.elapsed_ms,
         m.wall_ms,
         a.setup_ms,
         whole(m.executed),
         whole(m.counts.compare_exchanges),
         whole(m.counts.atomics),
         whole(m.counts.loads),
         whole(m.counts.stores),
         a.verified,
         m.status,
         whole(a.plain->bytes()),
         whole(a.plain->units())});
  }

  device& machine_;
  arm_group const& group_;
  common_options const& common_;
  outcome& result_;
  progress_bar& progress_;
  graph_store graph_;
  workspace memory_;
  watchdog dog_;
  buffer<access_counts> counts_;
};

}  // namespace

outcome run(device& machine, std::vector<arm_group> const& groups, common_options const& common) {
  outcome result{runs_table(), trace_table(), false};
  std::uint64_t steps = 0;
  for (auto const& group : groups)
    steps += group.arms.size() * static_cast<std::uint64_t>(common.repeat);
  progress_bar progress("wavefront", steps, common.quiet);
  for (auto const& group : groups) group_runner(machine, group, common, result, progress).run();
  return result;
}

}  // namespace gridloom::wavefront
