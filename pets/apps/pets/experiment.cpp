#include "experiment.hpp"

#include <algorithm>
#include <cstdio>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/printable.hpp"
#include "pets/pets.hpp"
#include "pets/priorities.hpp"
#include "rivals/list_scheduler.hpp"

namespace gridloom::pets {
namespace {

// By trying all schedules takes up to seconds.
constexpr std::uint32_t most_tasks_of_optimum = 8;
constexpr std::uint32_t most_processors_of_optimum = 4;

// What all implementations of an algorithm have to agree on.
struct expectation {
  list_scheduler const& by;
  bool known = false;
  schedule made{};
  quality found{};
  // What the check said of the host's schedule; empty: nothing.
  std::string wrong{};

  void set(task_graph const& graph, schedule const& first) {
    known = true;
    made = first;
    found = quality_of(graph, first);
  }
};

// A pipeline on the bench.
class scheduling final : public bench::work<run_row> {
 public:
  scheduling(task_graph const& graph, expectation& expected, priorities const* right,
             double timeout_s, std::unique_ptr<pipeline> runs)
      : graph_(graph),
        expected_(expected),
        right_(right),
        timeout_s_(timeout_s),
        runs_(std::move(runs)) {}

  void prepare() override { runs_->clear(); }
  void run() override { steps_ = runs_->run(); }
  double timed_run(device& /*machine*/) override {
    run();
    return steps_.sum_ms();
  }
  void copy_out() override { made_ = &runs_->fetch(); }

  void check() override {
    if (!expected_.known) find_expected();
    if (made_->of != expected_.made.of || made_->order != expected_.made.order) {
      throw wrong_result("expected the schedule of the run before, or of the host, got another");
    }
    if (right_ == nullptr) estimate();
  }
  void verify() override {
    if (!expected_.wrong.empty()) throw wrong_result(expected_.wrong);
    auto const by = runs_->found();
    if (by && (by->level != right_->level || by->rank != right_->rank)) {
      throw wrong_result("expected the levels and ranks of the host, got others");
    }
    estimate();
  }
  void record(run_row& to) const override {
    to.selection = runs_->selects_on_device() ? "device" : "host";
    to.steps = steps_;
    to.metrics_bytes = metrics_bytes_;
    to.launches = runs_->launches();
    to.found = expected_.found;
  }

 private:
  // With --verify the host's schedule, made once, untimed, and checked; else what comes first.
  void find_expected() {
    if (right_ == nullptr) return expected_.set(graph_, *made_);
    host_time_limit const limit(timeout_s_);
    schedule const by_host = expected_.by.run(graph_, expected_.by.how);
    expected_.wrong = check_schedule(graph_, by_host);
    expected_.set(graph_, by_host);
  }
  // May run steps once more, so after all looks at their results.
  void estimate() {
    if (metrics_bytes_ == 0) metrics_bytes_ = runs_->metrics_bytes();
  }

  task_graph const& graph_;
  expectation& expected_;
  // With --verify.
  priorities const* right_;
  double timeout_s_;
  std::unique_ptr<pipeline> runs_;
  schedule const* made_ = nullptr;
  step_times steps_{};
  std::uint64_t metrics_bytes_ = 0;
};

std::vector<expectation> expectations(request const& wanted) {
  std::vector<expectation> all;
  for (std::string const& name : wanted.algorithms) {
    all.emplace_back(expectation{bench::named(list_schedulers(), name, "--algorithm")});
  }
  return all;
}

void run_graph(device& machine, named_graph const& of, request const& wanted,
               common_options const& common, results& into) {
  task_graph const& graph = of.graph;
  graph_row const facts = facts_of(of);
  priorities right;
  if (common.verify) right = priorities_of(graph);
  auto expected = expectations(wanted);
  launch_limits const limits{common.timeout_s, common.workers, common.threads};
  std::vector<bench::arm<run_row>> arms;
  for (expectation& one : expected) {
    for (std::string const& name : wanted.implementations) {
      implementation const& how = bench::named(implementations(), name, "--implementation");
      if (!how.any_scheduler && one.by.run != pets) continue;
      run_row row{facts, std::string(one.by.name), name};
      if (!how.on_device) row.workers = how.threads_of_host();
      if (how.on_device) {
        row.workers = common.workers;
        row.threads = common.threads;
      }
      auto const make = [&, right_if = common.verify ? &right : nullptr] {
        return std::make_unique<scheduling>(graph, one, right_if, common.timeout_s,
                                            wanted.make(one.by, how, machine, graph, limits));
      };
      arms.push_back({row.algorithm + " " + name, std::move(row), make, !how.on_device, true});
    }
  }
  into.runs.run(arms);
  if (!facts.platform.empty()) {
    std::printf("%s\n", printable(facts.name + ": " + facts.platform).c_str());
  }
  into.graphs.add(facts);
  if (!wanted.store_schedules) return;
  for (expectation const& one : expected) {
    if (one.known) {
      add_schedule(facts, graph, std::string(one.by.name), one.made, into.schedules);
    }
  }
}

// What the machine's memory gives: the floor that metrics_bytes are held against.
void measure_memory(device& machine, common_options const& common, bench::table<copy_row>& to) {
  std::size_t const bytes = std::size_t{1} << (machine.is_host() ? 26U : 28U);
  auto const from = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  auto const copy = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  machine.fill_bytes(from, 0);
  for (int k = -1; k < common.repeat; ++k) {
    double const elapsed_ms = machine.time_ms([&] { machine.copy_on_device(copy, from); });
    if (k >= 0) to.add({machine.properties().backend, k, 2 * bytes, elapsed_ms});
  }
}

std::string steps_text(run_row const& r) {
  step_times const& of = r.steps;
  if (!of.metrics_ms) return "";
  std::string text = bench::shown_number(of.entries_ms.value_or(0));
  for (auto const& ms : {of.metrics_ms, of.sort_ms, of.selection_ms}) {
    text += " + " + bench::shown_number(ms.value_or(0));
  }
  return text;
}

}  // namespace

graph_row facts_of(named_graph const& of) {
  task_graph const& graph = of.graph;
  auto const levels = levels_of(graph);
  std::vector<std::uint32_t> widths(levels.num_levels, 0);
  for (std::uint32_t const level : levels.level) ++widths[level];
  bool const small = graph.num_tasks <= most_tasks_of_optimum &&
                     graph.num_processors <= most_processors_of_optimum;
  return {of.name,
          of.seed,
          graph.num_processors,
          graph.unit,
          graph.platform_text,
          of.parameters,
          graph.num_tasks,
          graph.num_edges(),
          levels.num_levels,
          *std::max_element(widths.begin(), widths.end()),
          small ? static_cast<std::int64_t>(optimum(graph)) : -1,
          lower_bound(graph),
          of.sha256};
}

void add_schedule(graph_row const& facts, task_graph const& graph, std::string const& algorithm,
                  schedule const& made, bench::table<task_row>& to) {
  priorities const by = priorities_of(graph);
  std::vector<std::uint32_t> places(graph.num_tasks);
  for (std::uint32_t i = 0; i < graph.num_tasks; ++i) places[made.order[i]] = i;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    to.add({&facts, algorithm, task, graph.name_of(task), by.level[task], by.rank[task],
            places[task], made.of[task]});
  }
}

results::results(device& machine, common_options const& common)
    : runs("pets", machine, common, run_columns()) {
  runs.show("graph", [](run_row const& r, double) { return r.graph.name; });
  runs.show("levels", [](run_row const& r, double) { return std::to_string(r.graph.levels); });
  runs.show("makespan", [](run_row const& r, double) {
    return std::to_string(r.found.makespan) + (r.graph.unit == "1" ? "" : " " + r.graph.unit);
  });
  runs.show("optimum", [](run_row const& r, double) {
    return r.graph.optimum < 0 ? "" : std::to_string(r.graph.optimum);
  });
  runs.show("SLR", [](run_row const& r, double) { return r.found.slr; });
  runs.show("speedup", [](run_row const& r, double) { return r.found.speedup; });
  runs.show("eff.", [](run_row const& r, double) { return r.found.efficiency; });
  runs.show("last: entries + metrics + sort + selection",
            [](run_row const& r, double) { return steps_text(r); });
}

void run(device& machine, graph_source const& graphs, request const& wanted,
         common_options const& common, results& into) {
  auto const& how = wanted.implementations;
  if (std::any_of(how.begin(), how.end(), [](auto const& name) {
        return bench::named(implementations(), name, "--implementation").on_device;
      })) {
    measure_memory(machine, common, into.memory);
  }
  into.runs.expect_groups(graphs.count);
  for (std::size_t number = 0; number < graphs.count; ++number) {
    run_graph(machine, graphs.make(number), wanted, common, into);
  }
}

}  // namespace gridloom::pets
