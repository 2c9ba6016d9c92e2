// mhive-overhead: what a task costs under each scheduler, with phases, individual and grouped
// dependencies, beside one CUDA graph of kernels.

#include <cstdio>
#include <limits>
#include <map>
#include <optional>

#include "gridloom/bench/experiment.hpp"
#include "plan.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::overhead;
namespace po = boost::program_options;

po::options_description own_options(request& wanted) {
  po::options_description group("Experiment");
  group.add_options()(
      "experiment",
      choice_option("experiment", wanted.experiment, {"custom", "overhead", "metg", "smoke"}),
      "custom: what the options below say; others: the arms behind the figure")(
      "scheduler", choice_list_option("scheduler", wanted.schedulers, all_schedulers),
      "schedulers; graph: a CUDA graph of kernels, no MHive")(
      "form", choice_list_option("form", wanted.forms, all_forms), "how layers depend, see --list")(
      "worker-size", int_list_option("worker-size", wanted.worker_sizes, 1, 1024),
      "threads of a task: 1, 32 or 256")(
      "width", int_list_option("width", wanted.widths, 1, 1 << 24), "tasks of a layer")(
      "layers", int_option("layers", wanted.layers, 1, 1 << 20), "layers")(
      "work", int_list_option("work", wanted.work, 0, 1000000000),
      "fused multiply-adds of a task, a thread");
  return group;
}

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {{"experiment", text, "", "group of arms: queue, throughput, latency, metg or custom"},
           {"scheduler", text, "", "scheduler, or graph: one CUDA graph of kernels"},
           {"form", text, "", "how layers depend on each other"},
           {"backend", text, "", "host or cuda"},
           {"workers", integer, "1", "thread blocks or host threads asked for; 0: all that fit"},
           {"worker_size", integer, "1", "threads of a task; on the host always one"},
           {"width", integer, "1", "tasks of a layer"},
           {"layers", integer, "1", "layers"},
           {"tasks", integer, "1", "all tasks"},
           {"work", integer, "1", "fused multiply-adds of a task, a thread"},
           {"repetition", integer, "1", "number of the repetition"},
           {"order", integer, "1", "place among the arms of this repetition"},
           {"elapsed_ms", real, "ms", "the run: device events, or a steady clock on the host"},
           {"phase_changes", integer, "1", "changes of phase"},
           {"rounds", integer, "1", "rounds of the controller; 0 where there is none"},
           {"launches", integer, "1", "kernels launched"},
           {"registers", integer, "1", "registers a thread of the largest kernel; host: 0"},
           {"local_bytes", integer, "bytes", "spilled by a thread of it"},
           {"blocks_per_multiprocessor", integer, "1", "blocks of it at once; host: 0"},
           {"threads", integer, "1", "threads of its block"},
           {"verified", text, "", "order kept and every task run once: yes, no, off"},
           {"status", text, "", "ok, timeout, wrong or failed; without a time unless ok"}}};
}

/// An arm that is ready, or what went wrong with it.
struct prepared {
  arm what;
  std::unique_ptr<bench> runs;
  std::string verified = "off";
  bool usable = true;
};

class runner {
 public:
  runner(device& machine, common_options const& common)
      : machine_(machine), common_(common), runs_(runs_table()) {}

  void run(std::vector<arm> const& arms) {
    progress_bar progress("mhive-overhead",
                          arms.size() * static_cast<std::uint64_t>(common_.repeat), common_.quiet);
    std::vector<prepared> ready;
    for (arm const& what : arms) ready.push_back(prepare(what));
    for (int repetition = 0; repetition < common_.repeat; ++repetition) {
      auto const order =
          balanced_order(ready.size(), static_cast<std::size_t>(repetition), common_.seed);
      for (std::size_t place = 0; place < order.size(); ++place) {
        auto& a = ready[order[place]];
        if (!a.usable) continue;
        record(a, attempt(a, false), repetition, static_cast<int>(place));
        progress.advance(a.what.scheduler + " " + a.what.form);
      }
    }
  }
  [[nodiscard]] result_table const& runs() const { return runs_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  struct measurement {
    mhive::report done;
    std::string status = "ok";
  };

  prepared prepare(arm const& what) {
    prepared result{what, make_bench(machine_, what, common_.workers, common_.timeout_s)};
    if (common_.verify) {
      result.verified = "no";
      auto const m = attempt(result, true);
      if (result.usable) result.verified = "yes";
      if (!result.usable) record(result, m, 0, 0);
    }
    for (int k = 0; k < common_.warmup && result.usable; ++k) {
      if (auto const m = attempt(result, false); !result.usable) record(result, m, 0, 0);
    }
    return result;
  }
  // A run that fails ends its arm, with one line on stderr.
  measurement attempt(prepared& a, bool check) {
    try {
      return {a.runs->run(check)};
    } catch (wrong_order const& error) {
      return fail(a, "wrong", error.what());
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
  measurement fail(prepared& a, char const* status, std::string const& message) {
    std::fprintf(stderr, "mhive-overhead: %s, %s: %s\n", a.what.scheduler.c_str(),
                 a.what.form.c_str(), message.c_str());
    a.usable = false;
    failed_ = true;
    measurement m{{}, status};
    m.done.elapsed_ms = std::numeric_limits<double>::quiet_NaN();
    return m;
  }
  void record(prepared const& a, measurement const& m, int repetition, int place) {
    mhive::report const& done = m.done;
    auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
    kernel_facts largest;
    for (auto const& kernel : done.kernels) {
      if (kernel.facts.registers >= largest.registers) largest = kernel.facts;
    }
    arm const& w = a.what;
    runs_.add_row({w.experiment,
                   w.scheduler,
                   w.form,
                   machine_.properties().backend,
                   whole(common_.workers),
                   whole(w.worker_size),
                   whole(w.width),
                   whole(w.layers),
                   whole(w.width) * whole(w.layers),
                   w.work,
                   whole(repetition),
                   whole(place),
                   done.elapsed_ms,
                   whole(done.phase_changes),
                   whole(done.rounds),
                   whole(done.launches),
                   whole(largest.registers),
                   whole(largest.local_bytes),
                   whole(largest.blocks_per_multiprocessor),
                   whole(largest.threads),
                   a.verified,
                   m.status});
  }

  device& machine_;
  common_options const& common_;
  result_table runs_;
  bool failed_ = false;
};

void print_summary(result_table const& runs, std::uint64_t seed) {
  std::map<std::vector<std::string>, std::vector<double>> arms;
  std::vector<std::vector<std::string>> order;
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    if (runs.texts("status")[row] != "ok") continue;
    std::vector<std::string> key{runs.texts("experiment")[row], runs.texts("scheduler")[row],
                                 runs.texts("form")[row]};
    for (auto const* name :
         {"worker_size", "width", "layers", "work", "registers", "blocks_per_multiprocessor"}) {
      key.push_back(std::to_string(runs.integers(name)[row]));
    }
    auto& samples = arms[key];
    if (samples.empty()) order.push_back(key);
    samples.push_back(runs.reals("elapsed_ms")[row]);
  }
  std::printf("%-11s %-19s %-10s %5s %8s %6s %8s %4s %4s %26s %9s %9s\n", "experiment", "scheduler",
              "form", "size", "width", "layers", "work", "regs", "b/SM", "ms [95 % interval]",
              "ns/task", "us/layer");
  for (auto const& key : order) {
    interval const time = bootstrap_median(arms[key], seed);
    double const layers = std::stod(key[5]);
    double const tasks = std::stod(key[4]) * layers;
    std::printf("%-11s %-19s %-10s %5s %8s %6s %8s %4s %4s %8.4f [%7.4f, %7.4f] %9.3f %9.3f\n",
                key[0].c_str(), key[1].c_str(), key[2].c_str(), key[3].c_str(), key[4].c_str(),
                key[5].c_str(), key[6].c_str(), key[7].c_str(), key[8].c_str(), time.median,
                time.low, time.high, time.median * 1e6 / tasks, time.median * 1e3 / layers);
  }
}

void check_options(command_line const& line, request const& wanted) {
  if (wanted.experiment != "custom") {
    for (auto const* option : {"form", "worker-size", "width", "layers", "work"}) {
      if (line.given(option)) {
        throw usage_error(std::string("--") + option + ": goes with --experiment custom; " +
                          wanted.experiment + " has its own");
      }
    }
  }
  if (line.given("trace")) {
    throw usage_error("--trace: mhive-generic draws traces, not this program");
  }
  if (line.given("threads")) {
    throw usage_error("--threads: expected none, the schedulers have block sizes of their own");
  }
  require_lists(wanted);
}

int body(int argc, char** argv) {
  request wanted;
  command_line line("mhive-overhead", "Measures what MHive's schedulers cost a task.");
  line.add_group(own_options(wanted));
  line.add_example("--experiment overhead --output results/overhead.h5",
                   "empty tasks: every scheduler, form and worker size");
  line.add_example("--experiment metg --output results/metg.h5",
                   "tasks of growing length: from where on half of the peak is reached");
  line.set_list(
      "forms: queue (no dependence), enqueue (the task before enqueues), individual, grouped, "
      "phases\nexperiments: custom, overhead, metg, smoke\n");
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  check_options(line, wanted);
  device machine(common.backend, common.device);
  auto const& properties = machine.properties();
  auto const arms = plan(wanted, machine.is_host(), properties.multiprocessors);
  require_workers(machine, common.workers);
  require_memory(properties, arms);
  run_meta meta = collect_meta("mhive-overhead", argc, argv, properties, common);
  if (!common.output.empty() && common.append) {
    std::vector<result_table> const empty{runs_table()};
    require_appendable(common.output, meta, empty);
  }
  runner all(machine, common);
  all.run(arms);
  print_summary(all.runs(), common.seed);
  if (!common.output.empty()) {
    std::vector<result_table> const tables{all.runs()};
    write_results(common.output, meta, tables,
                  common.append ? write_mode::append : write_mode::replace);
  }
  return all.failed() ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
