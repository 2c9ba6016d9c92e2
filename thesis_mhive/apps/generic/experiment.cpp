// One untimed certified run an arm, warm-up, repetitions in balanced order, traces.

#include "experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>

#include "gridloom/bench/balanced_order.hpp"
#include "gridloom/error.hpp"
#include "gridloom/bench/progress.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::mhive::generic {
namespace {

constexpr std::int64_t most_events = std::int64_t{1} << 24U;   // of a trace, with empty room
constexpr std::int64_t most_workers = std::int64_t{1} << 20U;  // that a trace tells apart

struct measurement {
  report done;
  double wall_ms = 0;
  std::string status = "ok";
};

struct prepared_arm {
  arm what;
  std::string verified = "off";
  bool usable = true;
};

// Warps of the largest launch, whatever its scheduler, or host workers: the stretches of a trace.
std::int64_t workers_traced(device const& machine, execution_tree const& tree,
                            tree_run const& run) {
  auto const& properties = machine.properties();
  if (machine.is_host()) return std::max(run.workers, properties.multiprocessors) + 1;
  std::int64_t const warps =
      std::int64_t{properties.multiprocessors} * properties.threads_per_multiprocessor / 32;
  std::map<int, std::int64_t> blocks;  // of 256 threads, by worker size
  std::int64_t most = std::max(2 * warps, 8 * (std::int64_t{run.workers} + 1));
  for (task_definition const& task : tree.tasks()) {
    std::int64_t& sum = blocks[task.worker_size];
    sum += std::int64_t{run.instances} * task.worker_size / 256 + 1;
    most = std::max(most, 8 * sum);
  }
  return most;
}

class arm_runner {
 public:
  arm_runner(device& machine, execution_tree const& tree, std::string const& tree_name,
             request const& wanted, common_options const& common)
      : machine_(machine),
        tree_(tree),
        name_(tree_name),
        common_(common),
        run_{&tree, static_cast<std::uint32_t>(wanted.instances), common.seed, common.workers,
             common.timeout_s},
        experiment_(wanted.tree_file.empty() ? wanted.preset : "custom") {
    for (std::uint64_t const n : count_tasks(tree, run_.seed, run_.instances)) tasks_ += n;
    for (arm& what : arms_of(wanted)) arms_.push_back({std::move(what)});
  }

  outcome run(bool traced) {
    std::size_t const repetitions = static_cast<std::size_t>(common_.repeat);
    progress_bar progress("mhive-generic", arms_.size() * repetitions, common_.quiet);
    for (prepared_arm& a : arms_) prepare(a);
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
      auto const order = balanced_order(arms_.size(), repetition, common_.seed);
      for (std::size_t place = 0; place < order.size(); ++place) {
        prepared_arm& a = arms_[order[place]];
        if (!a.usable) continue;
        record(a, measure(a, {}), repetition, place);
        progress.advance(a.what.label());
      }
    }
    progress.finish();
    for (prepared_arm& a : arms_) {
      if (traced && a.usable) trace(a);
    }
    return std::move(result_);
  }

 private:
  tree_runner& runner_of(arm const& what) {
    auto& runner = runners_[what.dependencies];
    if (runner == nullptr) {
      runner = what.dependencies == "phases"       ? make_phases_runner(machine_, run_)
               : what.dependencies == "individual" ? make_individual_runner(machine_, run_)
                                                   : make_graph_runner(machine_, run_);
    }
    return *runner;
  }

  // A run that fails ends its arm, with one line on stderr.
  measurement measure(prepared_arm& a, run_probe const& probe) {
    measurement m;
    auto const begin = std::chrono::steady_clock::now();
    try {
      m.done = runner_of(a.what).run(a.what.scheduler, probe);
    } catch (run_error const& error) {
      std::string const message = error.what();
      fail(a, message);
      m.status = message.starts_with("timeout") ? "timeout" : "failed";
      m.done.elapsed_ms = std::numeric_limits<double>::quiet_NaN();
    } catch (usage_error const& error) {
      // How many blocks fit is known when their kernel is launched.
      std::string const message = error.what();
      if (!message.starts_with("grid of ")) throw;
      throw usage_error("--workers: " + message);
    }
    std::chrono::duration<double, std::milli> const wall = std::chrono::steady_clock::now() - begin;
    m.wall_ms = wall.count();
    return m;
  }
  void fail(prepared_arm& a, std::string const& message) {
    std::fprintf(stderr, "mhive-generic: %s: %s\n", a.what.label().c_str(), message.c_str());
    a.usable = false;
    result_.failed = true;
  }

  void prepare(prepared_arm& a) {
    if (common_.verify) verify(a);
    for (int k = 0; k < common_.warmup && a.usable; ++k) {
      if (auto const m = measure(a, {}); m.status != "ok") record(a, m, 0, 0);
    }
  }
  void verify(prepared_arm& a) {
    if (!certificate_) certificate_.emplace(machine_, tree_, run_.instances);
    run_probe probe;
    probe.certificate = certificate_->arm();
    measurement m = measure(a, probe);
    a.verified = "no";
    if (m.status == "ok") {
      // The launches keep more than the order of the edges, but not that of the phases.
      auto const kind =
          a.what.dependencies == "phases" ? dependencies::phases : dependencies::individual;
      auto const faults = certificate_->faults(run_.seed, kind);
      if (faults.empty()) {
        a.verified = "yes";
        return;
      }
      for (std::string const& fault : faults) fail(a, fault);
      m.status = "wrong";
    }
    record(a, m, 0, 0);
  }

  void trace(prepared_arm& a) {
    if (!trace_) {
      std::int64_t const workers = workers_traced(machine_, tree_, run_);
      if (workers > most_workers) {
        throw usage_error("--trace, --perfetto: expected a run of at most " +
                          std::to_string(most_workers) + " warps, got " + std::to_string(workers) +
                          "; take fewer --instances");
      }
      std::int64_t const room = std::max(most_events / workers, std::int64_t{16});
      trace_.emplace(machine_, static_cast<int>(workers),
                     static_cast<std::uint32_t>(std::min(static_cast<std::uint64_t>(room),
                                                         std::max(tasks_, std::uint64_t{1}))));
    }
    run_probe probe;
    probe.trace = trace_->arm();
    if (measure(a, probe).status != "ok") return;
    if (auto const lost = trace_->dropped(); lost != 0) {
      fail(a, "the trace has no room for " + std::to_string(lost) + " of " +
                  std::to_string(tasks_) + " tasks; take fewer --instances");
      return;
    }
    traced_run traced{a.what, trace_->events()};
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (auto const& task : traced.tasks) first = std::min(first, task.event.begin_ns);
    for (auto& task : traced.tasks) {
      task.event.begin_ns -= first;
      task.event.end_ns -= first;
    }
    result_.traces.push_back(std::move(traced));
  }

  void record(prepared_arm const& a, measurement const& m, std::size_t repetition,
              std::size_t place) {
    auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
    kernel_facts largest;
    for (kernel_report const& kernel : m.done.kernels) {
      if (kernel.facts.registers > largest.registers) largest = kernel.facts;
    }
    result_.runs.add_row({experiment_,
                          a.what.label(),
                          a.what.scheduler,
                          a.what.dependencies,
                          name_,
                          whole(run_.instances),
                          whole(run_.seed),
                          whole(tasks_),
                          machine_.properties().backend,
                          whole(run_.workers),
                          whole(repetition),
                          whole(place),
                          m.done.elapsed_ms,
                          m.wall_ms,
                          whole(m.done.phase_changes),
                          whole(m.done.rounds),
                          whole(m.done.launches),
                          whole(largest.registers),
                          whole(largest.local_bytes),
                          whole(largest.blocks_per_multiprocessor),
                          a.verified,
                          m.status});
  }

  device& machine_;
  execution_tree const& tree_;
  std::string const& name_;
  common_options const& common_;
  tree_run run_;
  std::string experiment_;
  std::uint64_t tasks_ = 0;
  std::vector<prepared_arm> arms_;
  std::map<std::string, std::unique_ptr<tree_runner>> runners_;  // by dependencies
  std::optional<certificate> certificate_;
  std::optional<trace_buffer> trace_;
  outcome result_{runs_table(), {}, false};
};

}  // namespace

std::vector<arm> arms_of(request const& wanted) {
  std::vector<arm> arms;
  for (std::string const& scheduler : wanted.schedulers) {
    if (scheduler == "graph") {
      arms.push_back({scheduler, "launches"});
      continue;
    }
    for (std::string const& kind : wanted.dependencies) arms.push_back({scheduler, kind});
  }
  return arms;
}

outcome run_arms(device& machine, execution_tree const& tree, std::string const& tree_name,
                 request const& wanted, common_options const& common, bool traced) {
  return arm_runner{machine, tree, tree_name, wanted, common}.run(traced);
}

}  // namespace gridloom::mhive::generic
