// mhive-overhead: what a task costs under each scheduler, with phases, individual and grouped
// dependencies, beside one CUDA graph of kernels.

#include "gridloom/bench/harness.hpp"
#include "gridloom/error.hpp"
#include "mhive/require_workers.hpp"
#include "plan.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::overhead;
void add_options(bench::program& app, request& wanted) {
  app.options()(
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
}

template <class Member>
auto of_arm(Member arm::*member) {
  return [member](row const& r) { return r.what.*member; };
}
template <class Member>
auto of_run(Member mhive::report::*member) {
  return [member](row const& r) { return r.done.*member; };
}
template <class Member>
auto of_kernel(Member kernel_facts::*member) {
  return [member](row const& r) { return r.largest.*member; };
}

bench::schema<row> columns() {
  return {
      {"experiment", "", "group of arms: queue, throughput, latency, metg or custom",
       of_arm(&arm::experiment)},
      {"scheduler", "", "scheduler, or graph: one CUDA graph of kernels", of_arm(&arm::scheduler)},
      {"form", "", "how layers depend on each other", of_arm(&arm::form)},
      {"workers", "1", "thread blocks or host threads asked for; 0: all that fit", &row::workers},
      {"worker_size", "1", "threads of a task; on the host always one", of_arm(&arm::worker_size)},
      {"width", "1", "tasks of a layer", of_arm(&arm::width)},
      {"layers", "1", "layers", of_arm(&arm::layers)},
      {"tasks", "1", "all tasks", [](row const& r) { return r.what.tasks(); }},
      {"work", "1", "fused multiply-adds of a task, a thread", of_arm(&arm::work)},
      {"phase_changes", "1", "changes of phase", of_run(&mhive::report::phase_changes)},
      {"rounds", "1", "rounds of the controller; 0 where there is none",
       of_run(&mhive::report::rounds)},
      {"launches", "1", "kernels launched", of_run(&mhive::report::launches)},
      {"registers", "1", "registers a thread of the largest kernel; host: 0",
       of_kernel(&kernel_facts::registers)},
      {"local_bytes", "bytes", "spilled by a thread of it", of_kernel(&kernel_facts::local_bytes)},
      {"blocks_per_multiprocessor", "1", "blocks of it at once; host: 0",
       of_kernel(&kernel_facts::blocks_per_multiprocessor)},
      {"threads", "1", "threads of its block", of_kernel(&kernel_facts::threads)},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("experiment", [](row const& r, double) { return r.what.experiment; });
  all.show("regs", [](row const& r, double) { return r.largest.registers; });
  all.show("b/SM", [](row const& r, double) { return r.largest.blocks_per_multiprocessor; });
  all.show("ns/task",
           [](row const& r, double ms) { return ms * 1e6 / static_cast<double>(r.what.tasks()); });
  all.show("us/layer", [](row const& r, double ms) { return ms * 1e3 / r.what.layers; });
}

/// Scheduler, form, threads of a task, width x layers; unique among the arms of an experiment.
std::string label_of(arm const& what) {
  return what.scheduler + " " + what.form + " " + std::to_string(what.worker_size) + ", " +
         std::to_string(what.width) + " x " + std::to_string(what.layers) +
         (what.work > 0 ? ", work " + std::to_string(what.work) : "");
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
  if (line.given("form") && wanted.schedulers == std::vector<std::string>{"graph"})
    throw usage_error("--form: goes with a scheduler of MHive; the graph has one of its own");
  require_lists(wanted);
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("mhive-overhead", "Measures what MHive's schedulers cost a task.");
  add_options(app, wanted);
  command_line& line = app.line();
  line.refuse("trace", "mhive-generic draws traces, not this program");
  line.refuse("threads", "the schedulers have block sizes of their own");
  line.add_example("--experiment overhead --output results/overhead.h5",
                   "empty tasks: every scheduler, form and worker size");
  line.add_example("--experiment metg --output results/metg.h5",
                   "tasks of growing length: from where on half of the peak is reached");
  line.set_list(
      "forms: queue (no dependence), enqueue (the task before enqueues), individual, grouped, "
      "phases\nexperiments: custom, overhead, metg, smoke\n");
  if (!app.parse(argc, argv)) return exit_done;
  check_options(line, wanted);
  device& machine = app.machine();
  auto const& common = app.common();
  auto const planned = plan(wanted, machine.is_host(), machine.properties().multiprocessors);
  mhive::require_workers(machine, common.workers);
  require_memory(machine.properties(), planned);
  std::vector<bench::arm<row>> arms;
  for (arm const& what : planned) {
    arms.push_back({label_of(what), {what, common.workers}, [&machine, &common, &what] {
                      return make_work(machine, what, common.workers, common.timeout_s);
                    }});
  }
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
