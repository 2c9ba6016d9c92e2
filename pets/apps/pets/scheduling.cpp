#include "scheduling.hpp"

#include "gridloom/clock.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "pets/level_loop.hpp"
#include "pets/ours/compressed_rows.hpp"
#include "pets/ours/radix_order.hpp"
#include "pets/ours/single_launch.hpp"
#include "pets/pets.hpp"
#include "pets/rivals/host_threads.hpp"

namespace gridloom::pets {
namespace {

constexpr method on_host(std::string_view name, std::string_view what, traits its) {
  return {.name = name,
          .what = what,
          .traced = true,
          .host_code = true,
          .traits = its,
          .make = bench::makes<host_scheduling>};
}
constexpr method on_device(std::string_view name, std::string_view what, traits its,
                           std::string_view takes = "workers") {
  return {.name = name,
          .what = what,
          .takes = takes,
          .traced = true,
          .traits = its,
          .make = bench::makes<device_scheduling>};
}
constexpr method in_one_launch(std::string_view name, std::string_view what,
                               metrics_factory* metrics) {
  return on_device(name, what,
                   {.metrics = metrics,
                    .order = make_order<radix_order>,
                    .compressed_rows = true,
                    .selects_on_device = true},
                   "workers threads");
}

constexpr method all[] = {
    on_host("host", "one thread of the host, the reference", {.any_scheduler = true}),
    on_host("host_4", "four host threads find levels, ranks and order; one selects processors",
            {.host_threads = 4}),
    on_host("host_all", "like host_4, with all host threads", {.host_threads = 0}),
    on_device("adjacency", "the thesis's loop over a matrix of weights",
              {.metrics = make_adjacency}),
    on_device("transposed", "the thesis's loop over the transpose of that matrix",
              {.metrics = make_transposed}),
    on_device("rectangular",
              "the thesis's loop over predecessors, successors and weights, one column per task",
              {.metrics = make_rectangular}),
    on_device("rectangular_vectorised", "like rectangular, with 8 tasks per thread",
              {.metrics = make_rectangular_vectorised}),
    on_device("csr", "the thesis's loop over compressed rows",
              {.metrics = make_csr, .compressed_rows = true}),
    in_one_launch("hand_over",
                  "one launch: tasks pass through a queue; radix sort, selection on the device",
                  make_hand_over),
    in_one_launch("in_order",
                  "one launch without a queue, for edges from smaller to larger numbers; otherwise "
                  "like hand_over",
                  make_in_order),
};

double ms_since(std::uint64_t begin_ns) { return static_cast<double>(now_ns() - begin_ns) * 1e-6; }

}  // namespace

std::span<method const> all_methods() { return all; }

std::vector<bench::arm<run_row>> arms_of(scene& of, std::vector<list_scheduler const*> const& by,
                                         std::vector<method const*> const& how) {
  std::vector<bench::arm<run_row>> arms;
  for (list_scheduler const* scheduler : by) {
    for (method const* one : how) {
      traits const& its = one->traits;
      if (!its.any_scheduler && scheduler->run != pets) continue;
      settings own{scheduler, &its, of.common.workers, of.common.threads};
      if (one->host_code) {
        own.workers = its.host_threads == 0 ? all_host_threads() : its.host_threads;
        own.threads = 1;
      }
      arms.push_back(bench::arm_of(
          *one, of, std::string(scheduler->name) + " " + std::string(one->name), own));
      arms.back().verify_each = true;
    }
  }
  return arms;
}

/// Without --no-verify, the host's schedule, made once without timing. Otherwise the first run's
/// schedule.
expectation scheduling::expect() const {
  if (!scene_.common.verify) return {made_, quality_of(scene_.graph, made_)};
  host_time_limit const limit(scene_.common.timeout_s);
  schedule const by_host = what_.by->run(scene_.graph, what_.by->how);
  return {by_host, quality_of(scene_.graph, by_host), check_schedule(scene_.graph, by_host)};
}

void scheduling::check() {
  auto& known = scene_.expected;
  auto at = known.find(what_.by->name);
  if (at == known.end()) at = known.emplace(what_.by->name, expect()).first;
  expectation const& right = at->second;
  if (made_.of != right.made.of || made_.order != right.made.order) {
    throw wrong_result("expected the schedule of the run before, or of the host, got another");
  }
  if (!scene_.common.verify && bytes_ == 0) bytes_ = metrics_bytes();
}

void scheduling::verify() {
  std::string const& wrong = scene_.expected.at(what_.by->name).wrong;
  if (!wrong.empty()) throw wrong_result(wrong);
  auto const by = found();
  if (by && (by->level != scene_.by.level || by->rank != scene_.by.rank)) {
    throw wrong_result("expected the levels and ranks of the host, got others");
  }
  if (bytes_ == 0) bytes_ = metrics_bytes();
}

/// The trace is the schedule: its workers are the processors.
bool scheduling::observe() {
  prepare();
  run();
  copy_out();
  task_graph const& graph = scene_.graph;
  adjacency const& edges = graph.successors;
  trace_ref const trace = scene_.trace->arm(
      bench::host_machine(), static_cast<int>(graph.num_processors), graph.num_tasks,
      {{{edges.offsets.begin(), edges.offsets.end()}, edges.tasks}, {"task"}});
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    placement const& at = made_.of[task];
    // Units are microseconds, or have no name.
    trace.record(static_cast<int>(at.processor), {task, 0, at.start * 1000, at.finish * 1000});
  }
  return true;
}

void host_scheduling::run() {
  host_time_limit const limit(scene_.common.timeout_s);
  task_graph const& graph = scene_.graph;
  if (what_.by->run != pets) {
    made_ = what_.by->run(graph, what_.by->how);
    return;
  }
  std::uint64_t const begin = now_ns();
  priorities const found = priorities_of(graph, what_.workers);
  steps_.metrics_ms = ms_since(begin);
  auto const order = order_of(graph, found, what_.workers);
  steps_.sort_ms = ms_since(begin) - *steps_.metrics_ms;
  made_ = select_processors(graph, order, what_.by->how);
  steps_.selection_ms = ms_since(begin) - *steps_.metrics_ms - *steps_.sort_ms;
}

device_scheduling::device_scheduling(scene& of, run_row const& what)
    : scheduling(of, what), order_(what.how->order(of.machine, of.graph.num_tasks, what.workers)) {
  policy const policy = what.by->how;
  launch_limits const limits{of.common.timeout_s, what.workers, what.threads};
  bool const selects = what.how->selects_on_device && policy != policy::literal && !of.graph.links;
  if (selects || what.how->compressed_rows) there_.emplace(of.machine, of.graph);
  metrics_ = what.how->metrics(of.machine, of.graph, there_ ? &*there_ : nullptr, limits);
  if (selects) {
    selection_.emplace(of.machine, of.graph.num_tasks, there_->num_edges(), limits.timeout_s,
                       limits.threads, policy);
  }
}

void device_scheduling::run() {
  device& machine = scene_.machine;
  steps_.entries_ms = machine.time_ms([&] { metrics_->discover_entries(); });
  steps_.metrics_ms = machine.time_ms([&] { metrics_->compute(); });
  metrics_->require_done();
  steps_.sort_ms = machine.time_ms([&] { order_->sort(metrics_->found()); });
  if (selection_) {
    steps_.selection_ms =
        machine.time_ms([&] { selection_->select(*there_, order_->found(), &made_); });
    return;
  }
  host_time_limit const limit(scene_.common.timeout_s);
  std::uint64_t const begin = now_ns();
  made_ = select_processors(scene_.graph, order_->result(), what_.by->how);
  steps_.selection_ms = ms_since(begin);
}

}  // namespace gridloom::pets
