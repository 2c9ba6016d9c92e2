#include "experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "device_system.hpp"
#include "gridloom/bench/experiment.hpp"
#include "serial.hpp"

namespace gridloom::mhive::jacobi {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

version_info const& info_of(std::string const& version) {
  auto const& all = all_versions();
  return *std::find_if(all.begin(), all.end(), [&](auto const& v) { return v.name == version; });
}

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return no_number;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Iterates of the serial reference by their numbers.
template <typename Value>
class reference {
 public:
  reference(system<Value> const& of, std::uint32_t entries_per_task)
      : of_(of), entries_(entries_per_task), serial_(std::in_place, of, entries_per_task) {}

  std::vector<double> const& x(std::uint32_t iteration) {
    auto const [at, is_new] = known_.try_emplace(iteration);
    if (!is_new) return at->second;
    if (serial_ && serial_->iteration() > iteration) serial_.emplace(of_, entries_);
    while (serial_->iteration() < iteration) serial_->step();
    at->second.assign(serial_->x().begin(), serial_->x().end());
    return at->second;
  }

 private:
  system<Value> const& of_;
  std::uint32_t entries_;
  std::optional<serial_iteration<Value>> serial_;
  std::map<std::uint32_t, std::vector<double>> known_;
};

struct prepared {
  arm what;
  std::unique_ptr<solver> runs;
  double setup_ms = no_number;
  std::string verified = "off";
  double serial_difference = no_number;
  double known_difference = no_number;
  bool usable = true;
};

struct measurement {
  jacobi_result done;
  std::string status = "ok";
};

template <typename Value>
class runner {
 public:
  runner(device& machine, system<Value> const& of, request const& wanted,
         common_options const& common)
      : machine_(machine),
        of_(of),
        wanted_(wanted),
        common_(common),
        serial_(of, static_cast<std::uint32_t>(wanted.entries_per_task)) {
    auto const begin = std::chrono::steady_clock::now();
    task_limits limits;
    limits.entries = static_cast<std::uint32_t>(wanted.entries_per_task);
    plan_ = make_tasks(of.matrix, limits);
    preprocess_ms_ = milliseconds_since(begin);
    rules_.max_iterations = static_cast<std::uint32_t>(wanted.max_iterations);
    rules_.tolerance = wanted.tolerance;
    serial_iteration<Value> first{of, limits.entries};
    rules_.divergence = divergence_bound(first.step(), of.num_rows());
  }

  experiment_result run(std::vector<arm> const& arms) {
    progress_bar progress("mhive-jacobi", arms.size() * static_cast<std::uint64_t>(common_.repeat),
                          common_.quiet);
    std::vector<prepared> ready;
    for (arm const& what : arms) ready.push_back(prepare(what));
    for (int repetition = 0; repetition < common_.repeat; ++repetition) {
      auto const order =
          balanced_order(ready.size(), static_cast<std::size_t>(repetition), common_.seed);
      for (std::size_t place = 0; place < order.size(); ++place) {
        prepared& a = ready[order[place]];
        if (!a.usable) continue;
        record(a, attempt(a), repetition, static_cast<int>(place));
        progress.advance(a.what.version);
      }
    }
    return std::move(result_);
  }

 private:
  prepared prepare(arm const& what) {
    prepared a{what, nullptr};
    measurement m;
    try {
      // Twice: a kernel's first use is slow, and not the version's own.
      for (int turn = 0; turn < 2; ++turn) {
        a.runs.reset();
        auto const begin = std::chrono::steady_clock::now();
        a.runs = make_solver(of_, options(), what.version, what.scheduler);
        machine_.synchronize();  // a graph may be on its way to the device
        a.setup_ms = milliseconds_since(begin);
      }
    } catch (run_error const& error) {
      m = fail(a, "failed", error.what());
    }
    if (a.usable) m = attempt(a);
    if (a.usable && common_.verify) verify(a, m);
    if (a.usable && result_.x.empty()) result_.x = m.done.x;
    if (!a.usable) record(a, m, 0, 0);
    // The run above was the first one to warm up.
    for (int k = 1; k < common_.warmup && a.usable; ++k) {
      if (auto const again = attempt(a); !a.usable) record(a, again, 0, 0);
    }
    return a;
  }
  solver_options options() {
    return {machine_,        plan_,
            rules_,          static_cast<std::uint32_t>(wanted_.check_every),
            common_.workers, common_.timeout_s};
  }
  // A run that fails ends its arm, with one line on stderr.
  measurement attempt(prepared& a) {
    try {
      measurement m{a.runs->run()};
      if (m.done.verdict != outcome::diverged) return m;
      char residual[32];
      std::snprintf(residual, sizeof(residual), "%.3g", m.done.residual);
      return fail(a, "diverged",
                  "diverges: the residual is " + std::string(residual) + " in iteration " +
                      std::to_string(m.done.iterations),
                  std::move(m));
    } catch (run_error const& error) {
      std::string const message = error.what();
      return fail(a, message.starts_with("timeout") ? "timeout" : "failed", message);
    } catch (usage_error const& error) {
      // How many blocks fit is known when their kernel is launched.
      std::string const message = error.what();
      if (!message.starts_with("grid of ")) throw;
      throw usage_error("--workers: " + message);
    }
  }
  measurement fail(prepared& a, char const* status, std::string const& message,
                   measurement m = {}) {
    std::fprintf(stderr, "mhive-jacobi: %s, %s: %s\n", a.what.version.c_str(),
                 a.what.scheduler.c_str(), message.c_str());
    a.usable = false;
    result_.failed = true;
    m.status = status;
    if (m.status != "diverged") m.done.elapsed_ms = no_number;
    return m;
  }
  void verify(prepared& a, measurement& m) {
    std::vector<double> const& serial = serial_.x(m.done.iterations);
    double size = 0;
    for (double const x : serial) size += std::abs(x);
    // Sums in another order differ in the last digits, which the iteration does not blow up.
    double const rounding = 64.0 * std::numeric_limits<Value>::epsilon() * size;
    double const allowed = info_of(a.what.version).exact ? 0.0 : rounding;
    a.serial_difference = distance(m.done.x, serial);
    if (!of_.known.empty()) a.known_difference = distance(m.done.x, of_.known);
    a.verified = a.serial_difference <= allowed ? "yes" : "no";
    if (a.verified == "yes") return;
    char difference[32];
    std::snprintf(difference, sizeof(difference), "%.3g", a.serial_difference);
    m = fail(a, "wrong",
             "x(" + std::to_string(m.done.iterations) + ") differs from the serial reference by " +
                 difference + " in the 1-norm",
             std::move(m));
  }

  void record(prepared const& a, measurement const& m, int repetition, int place) {
    auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
    jacobi_result const& done = m.done;
    result_.runs.add_row(
        {a.what.version,
         a.what.scheduler,
         of_.name,
         whole(of_.num_rows()),
         whole(of_.num_entries()),
         wanted_.precision,
         machine_.properties().backend,
         whole(common_.workers),
         whole(plan_.tasks.size()),
         whole(plan_.splits.size()),
         wanted_.max_iterations,
         wanted_.tolerance,
         wanted_.check_every,
         whole(repetition),
         whole(place),
         whole(done.iterations),
         done.elapsed_ms,
         done.iterations == 0 ? no_number : done.elapsed_ms * 1e3 / done.iterations,
         preprocess_ms_,
         a.setup_ms,
         done.residual,
         a.serial_difference,
         a.known_difference,
         whole(a.runs ? a.runs->bytes() : 0),
         whole(thesis_bytes(of_.num_rows(), of_.num_entries())),
         whole(floor_bytes(of_)),
         whole(done.launches),
         whole(done.rounds),
         whole(done.phase_changes),
         whole(done.largest.registers),
         whole(done.largest.blocks_per_multiprocessor),
         std::string(done.verdict == outcome::converged ? "yes" : "no"),
         a.verified,
         m.status});
  }

  device& machine_;
  system<Value> const& of_;
  request const& wanted_;
  common_options const& common_;
  reference<Value> serial_;
  task_plan plan_;
  stop_rules rules_;
  double preprocess_ms_ = 0;
  experiment_result result_{runs_table(), {}, false};
};

}  // namespace

std::vector<arm> arms_of(request const& wanted, device const& machine) {
  auto const& schedulers = wanted.schedulers.empty() ? all_schedulers() : wanted.schedulers;
  std::vector<arm> arms;
  for (version_info const& version : all_versions()) {
    std::string const name{version.name};
    auto const& methods = wanted.methods;
    bool const asked = std::find(methods.begin(), methods.end(), name) != methods.end();
    if (!methods.empty() && !asked) continue;
    if (version.needs_cuda && machine.is_host()) {
      if (!asked) continue;
      throw usage_error("--method: expected one that the host has, got \"" + name + "\"");
    }
    if (!version.scheduled) {
      arms.push_back({name, "none"});
      continue;
    }
    for (std::string const& scheduler : schedulers) arms.push_back({name, scheduler});
  }
  return arms;
}

result_table runs_table() {
  using enum column_type;
  return {
      "runs",
      {{"version", text, "", "version of the method"},
       {"scheduler", text, "", "scheduler of MHive, or none"},
       {"matrix", text, "", "file or generator"},
       {"rows", integer, "1", "rows and columns"},
       {"entries", integer, "1", "stored entries, the diagonal included"},
       {"precision", text, "", "float or double"},
       {"backend", text, "", "host or cuda"},
       {"workers", integer, "1", "thread blocks or host threads asked for; 0: all that fit"},
       {"tasks", integer, "1", "tasks of an iteration"},
       {"split_rows", integer, "1", "rows that are several tasks"},
       {"max_iterations", integer, "1", "iterations at most"},
       {"tolerance", real, "1", "the residual below which x has converged"},
       {"check_every", integer, "1", "iterations between checkpoints or looks of the host"},
       {"repetition", integer, "1", "number of the repetition"},
       {"order", integer, "1", "place among the arms of this repetition"},
       {"iterations", integer, "1", "iterations of the x that was returned"},
       {"elapsed_ms", real, "ms", "all iterations: device events, or a steady clock on the host"},
       {"per_iteration_us", real, "us", "the same over the iterations"},
       {"preprocess_ms", real, "ms", "sharing the rows among tasks, on the host"},
       {"setup_ms", real, "ms",
        "making the version, the second time: its own plan on the host, memory and copies to the "
        "device, "
        "recording and instantiating graphs"},
       {"residual", real, "1", "1-norm of the last change of x that was checked"},
       {"serial_difference", real, "1", "1-norm of x less the serial reference's; NaN: off"},
       {"known_difference", real, "1",
        "1-norm of x less the x that the right side was made from; NaN: none"},
       {"device_bytes", integer, "bytes", "memory of the device that the version holds"},
       {"thesis_bytes", integer, "bytes", "peak memory by Eq. 8.3"},
       {"floor_bytes", integer, "bytes", "values, columns, offsets, right side and x, once"},
       {"launches", integer, "1", "kernels launched; 0: not counted"},
       {"rounds", integer, "1", "rounds of the controller; 0 where there is none"},
       {"phase_changes", integer, "1", "changes of phase"},
       {"registers", integer, "1", "registers a thread of the largest kernel; host: 0"},
       {"blocks_per_multiprocessor", integer, "1", "blocks of it at once; host: 0"},
       {"converged", text, "", "yes, or no: ended at max_iterations or without a result"},
       {"verified", text, "", "x is the serial reference's: yes, no, off"},
       {"status", text, "", "ok, diverged, timeout, wrong or failed"}}};
}

experiment_result run_arms(device& machine, any_system const& of, std::vector<arm> const& arms,
                           request const& wanted, common_options const& common) {
  return std::visit(
      [&]<typename Value>(system<Value> const& one) {
        return runner<Value>{machine, one, wanted, common}.run(arms);
      },
      of);
}

void print_summary(result_table const& runs, std::uint64_t seed) {
  struct line {
    std::vector<double> samples;
    std::size_t row;
  };
  std::map<std::pair<std::string, std::string>, line> arms;
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    if (runs.texts("status")[row] != "ok") continue;
    auto& of = arms[{runs.texts("version")[row], runs.texts("scheduler")[row]}];
    of.samples.push_back(runs.reals("elapsed_ms")[row]);
    of.row = row;
  }
  std::printf("%-20s %-19s %10s %9s %30s %12s %9s %8s\n", "version", "scheduler", "iterations",
              "converged", "ms [95 % interval]", "us/iteration", "residual", "verified");
  auto const print = [&](std::string_view version, std::string const& scheduler) {
    auto const found = arms.find({std::string(version), scheduler});
    if (found == arms.end()) return;
    line const& of = found->second;
    interval const time = bootstrap_median(of.samples, seed);
    auto const iterations = runs.integers("iterations")[of.row];
    std::printf("%-20s %-19s %10lld %9s %10.4f [%8.4f, %8.4f] %12.3f %9.2e %8s\n",
                found->first.first.c_str(), scheduler.c_str(), static_cast<long long>(iterations),
                runs.texts("converged")[of.row].c_str(), time.median, time.low, time.high,
                time.median * 1e3 / static_cast<double>(iterations), runs.reals("residual")[of.row],
                runs.texts("verified")[of.row].c_str());
  };
  for (version_info const& version : all_versions()) {
    if (!version.scheduled) print(version.name, "none");
    for (std::string const& scheduler : all_schedulers()) print(version.name, scheduler);
  }
}

}  // namespace gridloom::mhive::jacobi
