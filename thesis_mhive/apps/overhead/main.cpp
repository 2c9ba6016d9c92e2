// mhive-overhead: the cost of a task under each scheduler, with phases, individual and grouped
// dependencies, compared with one CUDA graph of kernels.

#include <algorithm>
#include <tuple>
#include <utility>

#include "arm.hpp"
#include "gridloom/bench/methods.hpp"
#include "gridloom/error.hpp"
#include "mhive/require_workers.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::overhead;
using bench::origin;

template <class Scheduler>
constexpr bench::method<row> under(std::string_view what, origin by) {
  return {.name = Scheduler::name,
          .what = what,
          .by = by,
          .takes = "form group",
          .make = make_under<Scheduler>};
}
constexpr bench::method<row> all_methods[] = {
    under<mhive::time_sliced>("TSK: the host launches one kernel per task type", origin::published),
    under<mhive::megakernel>("MK: one persistent kernel", origin::published),
    under<mhive::bounded_megakernel<1024>>(
        "MK with registers limited so that 1,024 threads fit on a multiprocessor", origin::ours),
    under<mhive::bounded_megakernel<1536>>(
        "MK with registers limited so that 1,536 threads fit on a multiprocessor", origin::ours),
    under<mhive::device_controller>("PDC: a controller launches kernels from the device",
                                    origin::published),
    under<mhive::resident_controller>("PDC with workers that stay resident", origin::ours),
    {.name = "graph",
     .what = "a CUDA graph with one kernel per layer, without MHive",
     .by = origin::rival,
     .make = make_graph}};

struct request {
  std::vector<std::string> forms{form_names.begin(), form_names.end() - 1};
  std::vector<std::int64_t> sizes{32}, widths{1024}, groups{0}, work{0};
  int layers = 100;
};

void add_options(bench::program& app, request& wanted) {
  app.options()(
      "form", choice_list_option("form", wanted.forms, {form_names.begin(), form_names.end() - 1}),
      "forms of dependence between layers, see --list")(
      "worker-size", int_list_option("worker-size", wanted.sizes, 1, 1024),
      "threads per task: 1, 32 or 256")(
      "width", int_list_option("width", wanted.widths, 1, 1 << 24), "tasks per layer")(
      "group", int_list_option("group", wanted.groups, 0, 1 << 24),
      "tasks per group of the form grouped; 0: the whole layer")(
      "layers", int_option("layers", wanted.layers, 1, 1 << 20),
      "number of layers; the form queue always has one")(
      "work", int_list_option("work", wanted.work, 0, 1000000000),
      "fused multiply-adds per thread and task");
  command_line& line = app.line();
  line.add_rules({{.option = "group", .needs = {"form grouped"}}});
  line.refuse("trace", "this program records no traces; use mhive-generic");
  line.refuse("threads", "the schedulers choose their block sizes");
  line.add_example("--form individual,phases --width 16384 --layers 50",
                   "empty tasks under every scheduler");
  line.add_example("--scheduler megakernel,graph --work 256,4096,65536",
                   "three task lengths, to find where the machine reaches half of its peak");
}

bench::schema<row> columns() {
  return {
      {"scheduler", "", "name of the scheduler, as in --scheduler", &row::method},
      {"form", "", "form of dependence between layers, as in --form",
       [](row const& r) { return form_names[static_cast<std::size_t>(r.form)]; }},
      {"workers", "1", "requested number of thread blocks or host threads; 0: all that fit",
       &problem::workers},
      {"worker_size", "1", "threads per task; always 1 on the host", &row::worker_size},
      {"width", "1", "tasks per layer", &row::width},
      {"group", "1", "tasks per group; -1: the form has no groups",
       [](row const& r) { return r.form == form::grouped ? r.group : bench::missing_integer; }},
      {"layers", "1", "number of layers", &row::layers},
      {"tasks", "1", "number of tasks", &row::tasks},
      {"work", "1", "fused multiply-adds per thread and task", &row::work},
      {"phase_changes", "1", "number of phase changes", &row::done, &mhive::report::phase_changes},
      {"rounds", "1", "rounds of the controller; 0: the scheduler has none", &row::done,
       &mhive::report::rounds},
      {"launches", "1", "number of kernel launches", &row::done, &mhive::report::launches},
      {"registers", "1", "registers per thread of the largest kernel; host: 0", &row::largest,
       &kernel_facts::registers},
      {"local_bytes", "bytes", "local memory per thread of that kernel, used for spilled registers",
       &row::largest, &kernel_facts::local_bytes},
      {"blocks_per_multiprocessor", "1",
       "blocks of that kernel that fit on a multiprocessor at once; host: 0", &row::largest,
       &kernel_facts::blocks_per_multiprocessor},
      {"threads", "1", "threads per block of that kernel", &row::largest, &kernel_facts::threads},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("registers", [](row const& r, double) { return r.largest.registers; });
  all.show("blocks/SM", [](row const& r, double) { return r.largest.blocks_per_multiprocessor; });
  all.show("ns/task",
           [](row const& r, double ms) { return ms * 1e6 / static_cast<double>(r.tasks()); });
  all.show("us/layer", [](row const& r, double ms) { return ms * 1e3 / r.layers; });
}

bench::sweep<settings> sweep_of(request const& wanted) {
  // Only the form `grouped` has groups of several sizes.
  std::vector<std::pair<form, std::int64_t>> forms;
  for (std::string const& name : wanted.forms) {
    auto const one = static_cast<form>(std::find(form_names.begin(), form_names.end(), name) -
                                       form_names.begin());
    for (auto const group : one == form::grouped ? wanted.groups : std::vector<std::int64_t>{0})
      forms.emplace_back(one, group);
  }
  bench::sweep<settings> over;
  auto const set = [](settings& s, auto const& one) { std::tie(s.form, s.group) = one; };
  over.over("form", forms, set, [](auto const&) { return ""; });
  over.over("worker-size", wanted.sizes, &settings::worker_size);
  over.over("width", wanted.widths, &settings::width);
  over.over("work", wanted.work, &settings::work);
  over.then([layers = wanted.layers](settings& s) {
    s.layers = s.form == form::queue ? 1 : static_cast<std::uint32_t>(layers);
    if (s.form != form::grouped || s.group == 0) s.group = s.width;
  });
  return over;
}

/// Names the scheduler, the form, its groups, the threads of a task, and width x layers.
std::string label_of(row const& what) {
  return std::string(what.method) + " " + form_names[static_cast<std::size_t>(what.form)] +
         (what.group < what.width ? " by " + std::to_string(what.group) : "") + " " +
         std::to_string(what.worker_size) + ", " + std::to_string(what.width) + " x " +
         std::to_string(what.layers) + (what.work > 0 ? ", work " + std::to_string(what.work) : "");
}

void require_sizes(request const& wanted) {
  for (auto const size : wanted.sizes) {
    if (std::find(std::begin(worker_sizes), std::end(worker_sizes), size) == std::end(worker_sizes))
      throw usage_error("--worker-size: expected 1, 32 or 256, got " + std::to_string(size));
  }
  bench::require_distinct("group", wanted.groups);
  for (auto const group : wanted.groups) {
    for (auto const width : wanted.widths) {
      if (group > 0 && width % group != 0)
        throw usage_error("--group: expected a divisor of --width " + std::to_string(width) +
                          ", got " + std::to_string(group));
    }
  }
}

/// Throws usage_error if all arms together do not fit the machine's memory. All arms are prepared
/// before the first is timed.
void require_memory(device_properties const& machine, std::span<bench::arm<row> const> arms) {
  double bytes = 0;
  for (auto const& one : arms) bytes += static_cast<double>(bytes_needed(one.row));
  if (bytes <= 0.9 * static_cast<double>(machine.memory_bytes)) return;
  throw usage_error("--width, --layers: expected arms that together fit into the " +
                    std::to_string(machine.memory_bytes >> 20U) + " MiB of " + machine.name +
                    ", got arms that need " +
                    std::to_string(static_cast<std::uint64_t>(bytes / 0x1p20)) + " MiB");
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("mhive-overhead", "Measures the cost per task of MHive's schedulers.");
  bench::methods<row> const ways(app, "scheduler", "schedulers to run, see --list; default: all",
                                 all_methods);
  add_options(app, wanted);
  app.line().set_list(ways.list() +
                      "forms: queue (no dependence), enqueue (the task before enqueues), "
                      "individual, grouped, phases\n");
  if (!app.parse(argc, argv)) return exit_done;
  require_sizes(wanted);
  mhive::require_workers(app.machine(), app.common().workers);
  problem of{app.machine(), app.common().workers, app.common().timeout_s};
  auto arms = ways.arms(
      of, [](auto const&) { return settings{.form = form::graph}; }, sweep_of(wanted));
  for (auto& one : arms) one.name = label_of(one.row);
  require_memory(app.machine().properties(), arms);
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
