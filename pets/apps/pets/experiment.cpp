#include "experiment.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "gridloom/clock.hpp"
#include "gridloom/error.hpp"
#include "gridloom/bench/experiment.hpp"
#include "pets/list_scheduler.hpp"
#include "pets/priorities.hpp"

namespace gridloom::pets {
namespace {

template <class Named>
Named const& named(std::span<Named const> all, std::string const& name) {
  for (Named const& one : all) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("nothing is called " + name);
}

// What all implementations of an algorithm have to agree on.
struct expectation {
  list_scheduler const* by;
  bool known = false;
  schedule made;
  quality found;
  std::string wrong;  // what the check said of the host's schedule; empty: nothing
};

struct arm {
  expectation* of;
  implementation const* how;
  std::unique_ptr<pipeline> runs;
  std::uint64_t metrics_bytes = 0;
  std::string status = "ok";
  std::vector<step_times> times;
};

// All arms of one graph.
class graph_experiment {
 public:
  graph_experiment(device& machine, named_graph const& graph, request const& wanted,
                   common_options const& common, outcome& result)
      : graph_(graph), levels_(levels_of(graph.graph)), common_(common), result_(result) {
    expected_.reserve(wanted.algorithms.size());
    launch_limits const limits{common.timeout_s, common.workers, common.threads};
    for (std::string const& name : wanted.algorithms) {
      list_scheduler const& by = named(list_schedulers(), name);
      expected_.push_back({&by, false, {}, {}, {}});
      for (std::string const& how : wanted.implementations) {
        implementation const& one = named(implementations(), how);
        if (one.on_device && by.run != pets) continue;
        arms_.push_back({&expected_.back(),
                         &one,
                         wanted.make(by, one, machine, graph.graph, limits),
                         0,
                         "ok",
                         {}});
      }
    }
  }

  void run(bool store_schedules) {
    add_graph();
    expect();
    for (int k = -common_.warmup; k < common_.repeat; ++k) {
      auto const turn = static_cast<std::size_t>(k + common_.warmup);
      for (std::size_t const i : balanced_order(arms_.size(), turn, common_.seed)) {
        run_arm(arms_[i], k);
      }
    }
    for (arm const& one : arms_) print(one);
    if (optimum_ >= 0) {
      std::printf("%-26s %6u %-15s %-22s %12lld\n", graph_.name.c_str(), levels_.num_levels,
                  "optimum", "by trying all", static_cast<long long>(optimum_));
    }
    if (!store_schedules) return;
    if (!common_.verify) right_ = priorities_of(graph_.graph);
    for (expectation const& one : expected_) {
      if (one.known) add_schedule(one);
    }
  }

 private:
  void fail(arm& one, std::string const& status, std::string const& why) {
    one.status = status;
    if (!result_.failed.empty()) return;
    result_.failed = graph_.name + ", " + std::string(one.of->by->name) + ", " +
                     std::string(one.how->name) + ": " + why;
  }

  void run_arm(arm& one, int repetition) {
    if (one.status == "timeout") return;
    step_times times;
    double fetch_ms = 0;
    try {
      if (common_.verify) one.runs->clear();
      times = one.runs->run();
      std::uint64_t const begin = now_ns();
      schedule const made = one.runs->fetch();
      if (one.runs->selects_on_device()) fetch_ms = static_cast<double>(now_ns() - begin) * 1e-6;
      look_at(one, made);
      if (one.metrics_bytes == 0) one.metrics_bytes = one.runs->metrics_bytes();
    } catch (run_error const& error) {
      std::string const message = error.what();
      if (!message.starts_with("timeout")) throw;
      fail(one, "timeout", message);
      times = {-1, -1, -1, -1, -1};
      repetition = std::max(repetition, 0);
    }
    if (repetition < 0) return;
    if (one.status != "timeout") one.times.push_back(times);
    add_run(one, repetition, times, fetch_ms);
  }

  // With --verify all is held against the host's functions, which are run once, untimed, and whose
  // schedule is checked; else against what came first.
  void expect() {
    if (!common_.verify) return;
    right_ = priorities_of(graph_.graph);
    for (expectation& one : expected_) {
      one.made = one.by->run(graph_.graph, one.by->how);
      one.found = quality_of(graph_.graph, one.made);
      one.known = true;
      one.wrong = check_schedule(graph_.graph, one.made);
    }
  }

  void look_at(arm& one, schedule const& made) {
    expectation& expected = *one.of;
    if (!expected.known) {
      expected.known = true;
      expected.made = made;
      expected.found = quality_of(graph_.graph, made);
    }
    if (!expected.wrong.empty()) {
      fail(one, "wrong", expected.wrong);
    } else if (made.of != expected.made.of || made.order != expected.made.order) {
      fail(one, "differs", "expected the schedule of the run before, or of the host, got another");
    } else if (common_.verify) {
      auto const by = one.runs->found();
      if (!by || (by->level == right_.level && by->rank == right_.rank)) return;
      fail(one, "differs", "expected the levels and ranks of the host, got others");
    }
  }

  void add_run(arm const& one, int repetition, step_times const& times, double fetch_ms) {
    task_graph const& graph = graph_.graph;
    quality const& found = one.of->found;
    result_.tables[0].add_row({graph_.name,
                               static_cast<std::int64_t>(graph_.seed),
                               std::string(one.of->by->name),
                               one.runs->backend(),
                               std::string(one.how->name),
                               std::string(one.runs->selects_on_device() ? "device" : "host"),
                               std::int64_t{graph.num_tasks},
                               static_cast<std::int64_t>(graph.num_edges()),
                               std::int64_t{levels_.num_levels},
                               std::int64_t{graph.num_processors},
                               std::int64_t{one.how->on_device ? common_.workers : 1},
                               std::int64_t{one.how->on_device ? common_.threads : 1},
                               std::int64_t{repetition},
                               times.elapsed_ms,
                               times.entries_ms,
                               times.metrics_ms,
                               times.sort_ms,
                               times.selection_ms,
                               one.runs->setup_ms(),
                               fetch_ms,
                               static_cast<std::int64_t>(one.metrics_bytes),
                               std::int64_t{one.runs->launches()},
                               static_cast<std::int64_t>(found.makespan),
                               found.slr,
                               found.speedup,
                               found.efficiency,
                               std::int64_t{common_.verify ? 1 : 0},
                               one.status});
  }

  void add_graph() {
    std::vector<std::int64_t> widths(levels_.num_levels, 0);
    bool const small = graph_.graph.num_tasks <= most_tasks_of_optimum &&
                       graph_.graph.num_processors <= most_processors_of_optimum;
    if (small) optimum_ = static_cast<std::int64_t>(optimum(graph_.graph));
    for (std::uint32_t const level : levels_.level) ++widths[level];
    graph_parameters const& by = graph_.parameters;
    result_.tables[1].add_row(
        {graph_.name, static_cast<std::int64_t>(graph_.seed),
         std::int64_t{graph_.graph.num_processors}, by.kind, std::int64_t{graph_.graph.num_tasks},
         static_cast<std::int64_t>(graph_.graph.num_edges()), std::int64_t{levels_.num_levels},
         *std::max_element(widths.begin(), widths.end()), optimum_, by.v, by.alpha, by.beta, by.ccr,
         by.eta, by.jump});
  }

  void add_schedule(expectation const& one) {
    task_graph const& graph = graph_.graph;
    std::vector<std::uint32_t> places(graph.num_tasks);
    for (std::uint32_t i = 0; i < graph.num_tasks; ++i) places[one.made.order[i]] = i;
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      placement const& at = one.made.of[task];
      result_.tables[3].add_row(
          {graph_.name, static_cast<std::int64_t>(graph_.seed), std::string(one.by->name),
           std::int64_t{graph.num_processors}, std::int64_t{task}, graph.name_of(task),
           std::int64_t{right_.level[task]}, static_cast<std::int64_t>(right_.rank[task]),
           std::int64_t{places[task]}, std::int64_t{at.processor},
           static_cast<std::int64_t>(at.start), static_cast<std::int64_t>(at.finish)});
    }
  }

  [[nodiscard]] static double median_of(arm const& one, double step_times::*step) {
    std::vector<double> values;
    for (step_times const& times : one.times) values.push_back(times.*step);
    return median(values);
  }

  void print(arm const& one) const {
    std::printf("%-26s %6u %-15s %-22s", graph_.name.c_str(), levels_.num_levels,
                std::string(one.of->by->name).c_str(), std::string(one.how->name).c_str());
    if (one.times.empty()) {
      std::printf(" %s\n", one.status.c_str());
      return;
    }
    quality const& found = one.of->found;
    std::vector<double> elapsed;
    for (step_times const& times : one.times) elapsed.push_back(times.elapsed_ms);
    auto const t = bootstrap_median(elapsed, common_.seed);
    std::printf(" %12llu %8.4f %8.4f %7.4f %10.4f [%.4f, %.4f]",
                static_cast<unsigned long long>(found.makespan), found.slr, found.speedup,
                found.efficiency, t.median, t.low, t.high);
    if (one.times.front().metrics_ms >= 0) {
      std::printf(" %.4f + %.4f + %.4f + %.4f",
                  std::max(0.0, median_of(one, &step_times::entries_ms)),
                  median_of(one, &step_times::metrics_ms), median_of(one, &step_times::sort_ms),
                  median_of(one, &step_times::selection_ms));
    }
    std::printf(" %s\n", one.status.c_str());
  }

  // By trying all schedules takes up to seconds.
  static constexpr std::uint32_t most_tasks_of_optimum = 8;
  static constexpr std::uint32_t most_processors_of_optimum = 4;

  named_graph const& graph_;
  std::int64_t optimum_ = -1;
  graph_levels levels_;
  common_options const& common_;
  outcome& result_;
  priorities right_;
  std::vector<expectation> expected_;
  std::vector<arm> arms_;
};

void print_header() {
  std::printf("%-26s %6s %-15s %-22s %12s %8s %8s %7s %10s\n", "graph", "levels", "algorithm",
              "implementation", "makespan", "SLR", "speedup", "eff.",
              "ms (entries + metrics + sort + selection)");
}

// What the machine's memory gives: the floor that metrics_bytes are held against.
void measure_memory(device& machine, common_options const& common, result_table& to) {
  std::size_t const bytes = std::size_t{1} << (machine.is_host() ? 26U : 28U);
  auto const from = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  auto const copy = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  machine.fill_bytes(from, 0);
  for (int k = -1; k < common.repeat; ++k) {
    double const elapsed_ms = machine.time_ms([&] { machine.copy_on_device(copy, from); });
    if (k < 0) continue;
    to.add_row({machine.properties().backend, std::int64_t{k}, static_cast<std::int64_t>(2 * bytes),
                elapsed_ms});
  }
}

}  // namespace

std::vector<result_table> empty_tables() {
  return {runs_table(), graphs_table(), memory_table(), schedules_table()};
}

outcome run(device& machine, graph_source const& graphs, request const& wanted,
            common_options const& common) {
  outcome result{empty_tables(), {}};
  auto const& how = wanted.implementations;
  if (std::any_of(how.begin(), how.end(), [](auto const& name) { return name != "host"; })) {
    measure_memory(machine, common, result.tables[2]);
  }
  for (std::size_t number = 0; number < graphs.count; ++number) {
    named_graph const graph = graphs.make(number);
    graph_experiment experiment{machine, graph, wanted, common, result};
    if (number == 0) print_header();  // after what may be refused
    experiment.run(wanted.store_schedules);
  }
  return result;
}

}  // namespace gridloom::pets
