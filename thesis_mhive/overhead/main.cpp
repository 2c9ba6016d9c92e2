// mhive-overhead: what a task costs under each scheduler, with phases, individual and grouped
// dependencies, beside one CUDA graph of kernels.

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "arm.hpp"
#include "gridloom/experiment.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::overhead;
namespace po = boost::program_options;

std::vector<std::string> const all_schedulers{
    "time_sliced",         "megakernel", "megakernel_1024", "megakernel_1536", "device_controller",
    "resident_controller", "graph"};
std::vector<std::string> const all_forms{"queue", "enqueue", "individual", "grouped", "phases"};

struct request {
  std::string experiment = "custom";
  std::vector<std::string> schedulers = all_schedulers;
  std::vector<std::string> forms = all_forms;
  std::vector<std::int64_t> worker_sizes{32};
  std::vector<std::int64_t> widths{1024};
  std::vector<std::int64_t> work{0};
  std::int64_t layers = 100;
};

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

/// The arms of some lists, in all combinations. The graph has one form, the queue one layer.
void add(std::vector<arm>& arms, std::string const& experiment, request const& wanted) {
  for (auto const& scheduler : wanted.schedulers) {
    auto const forms = scheduler == "graph" ? std::vector<std::string>{"graph"} : wanted.forms;
    for (auto const& form : forms) {
      for (auto const size : wanted.worker_sizes) {
        for (auto const width : wanted.widths) {
          for (auto const work : wanted.work) {
            arms.push_back({experiment, scheduler, form, static_cast<int>(size),
                            static_cast<std::uint32_t>(width),
                            static_cast<std::uint32_t>(form == "queue" ? 1 : wanted.layers), work});
          }
        }
      }
    }
  }
}

std::vector<arm> plan(request const& wanted, bool on_host, int multiprocessors) {
  std::vector<arm> arms;
  std::int64_t const one_each = on_host ? multiprocessors : 4 * multiprocessors;
  if (wanted.experiment == "custom") {
    add(arms, "custom", wanted);
  } else if (wanted.experiment == "metg") {
    // Some tasks a scheduler of each multiprocessor (four), so that work can hide what it costs.
    request metg = wanted;
    metg.forms = {"individual", "grouped", "phases"};
    metg.worker_sizes = {32};
    metg.widths = {one_each, 32 * one_each};
    metg.layers = 20;
    metg.work = {256, 1024, 4096, 16384, 65536, 262144};
    add(arms, "metg", metg);
  } else {
    bool const smoke = wanted.experiment == "smoke";
    request part = wanted;
    part.work = {0};
    part.worker_sizes =
        smoke ? std::vector<std::int64_t>{32} : std::vector<std::int64_t>{1, 32, 256};
    part.forms = {"queue"};
    part.widths = {on_host || smoke ? 20000 : 1000000};
    part.layers = 1;
    add(arms, "queue", part);
    part.forms = {"enqueue", "individual", "grouped", "phases"};
    part.layers = smoke ? 10 : 50;
    part.widths = {on_host || smoke ? 256 : 16384};
    add(arms, "throughput", part);
    part.widths = {1};
    part.layers = smoke ? 20 : 200;
    add(arms, "latency", part);
  }
  return arms;
}

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {{"experiment", text, "", "group of arms: queue, throughput, latency, metg or custom"},
           {"scheduler", text, "", "scheduler, or graph: one CUDA graph of kernels"},
           {"form", text, "", "how layers depend on each other"},
           {"backend", text, "", "host or cuda"},
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
           {"status", text, "", "ok, or what went wrong"}}};
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
        measure(a, repetition, static_cast<int>(place));
        progress.advance(a.what.scheduler + " " + a.what.form);
      }
    }
  }
  [[nodiscard]] result_table const& runs() const { return runs_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  prepared prepare(arm const& what) {
    prepared result{what, make_bench(machine_, what, common_.workers, common_.timeout_s)};
    for (int k = 0; k < common_.warmup + (common_.verify ? 1 : 0) && result.usable; ++k) {
      bool const check = common_.verify && k == 0;
      if (!attempt(result, check)) record(result, {}, 0, 0, "failed");
      if (check) result.verified = result.usable ? "yes" : "no";
    }
    return result;
  }
  std::optional<mhive::report> attempt(prepared& a, bool check) {
    try {
      return a.runs->run(check);
    } catch (run_error const& error) {
      std::fprintf(stderr, "mhive-overhead: %s, %s: %s\n", a.what.scheduler.c_str(),
                   a.what.form.c_str(), error.what());
      a.usable = false;
      failed_ = true;
      return std::nullopt;
    }
  }
  void measure(prepared& a, int repetition, int place) {
    auto const done = attempt(a, false);
    record(a, done.value_or(mhive::report{}), repetition, place, done ? "ok" : "failed");
  }
  void record(prepared const& a, mhive::report const& done, int repetition, int place,
              char const* status) {
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
                   std::string(status)});
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
  if (wanted.experiment != "custom") {
    for (auto const* option : {"form", "worker-size", "width", "layers", "work"}) {
      if (line.given(option)) {
        throw usage_error(std::string("--") + option + ": goes with --experiment custom; " +
                          wanted.experiment + " has its own");
      }
    }
  }
  if (line.given("trace"))
    throw usage_error("--trace: mhive-generic draws traces, not this program");
  device machine(common.backend, common.device);
  auto const& properties = machine.properties();
  run_meta meta = collect_meta("mhive-overhead", argc, argv);
  meta.set("backend", properties.backend);
  meta.set("gpu", properties.backend == "host" ? "none" : properties.name);
  meta.set("driver", properties.driver);
  meta.set("cuda", properties.runtime);
  meta.set("multiprocessors", std::to_string(properties.multiprocessors));
  meta.set("seed", std::to_string(common.seed));
  meta.set("repeat", std::to_string(common.repeat));
  meta.set("warmup", std::to_string(common.warmup));
  meta.set("verify", common.verify ? "1" : "0");
  meta.set("timeout_s", std::to_string(common.timeout_s));
  if (!common.output.empty() && common.append) {
    std::vector<result_table> const empty{runs_table()};
    require_appendable(common.output, meta, empty);
  }
  runner all(machine, common);
  all.run(plan(wanted, machine.is_host(), properties.multiprocessors));
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
