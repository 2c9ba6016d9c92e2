// gridloom-hand-off: how long it takes from the end of a task to the start of its successor.

#include <cmath>
#include <map>
#include <string>

#include "apps/hand_off/hand_off.hpp"
#include "apps/schedulers/all.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "schedulers/methods.hpp"

namespace gridloom::schedulers {
namespace {

/// How many hand-offs took a time, by tenths of a nanosecond.
using counts = std::map<std::int64_t, std::int64_t>;

/// The least time in ns that this part of the hand-offs does not exceed.
double quantile(counts const& seen, double part) {
  std::int64_t all = 0;
  for (auto const& [tenths, count] : seen) all += count;
  auto left = static_cast<std::int64_t>(std::ceil(part * static_cast<double>(all)));
  for (auto const& [tenths, count] : seen) {
    if ((left -= count) <= 0) return static_cast<double>(tenths) * 0.1;
  }
  return bench::missing_real;
}

struct scene {
  bench::program& app;
  int tasks;
  csr_graph graph;
  /// The hand-offs of all measured runs, by mechanism.
  std::map<std::string, counts> seen;
};
struct settings {
  int asked_workers = 1, threads = 1;
  std::string by;
};
struct counted {
  std::int64_t workers = bench::missing_integer, hand_offs = bench::missing_integer;
  double median_ns = bench::missing_real, p99_ns = bench::missing_real;
  double task_ns = bench::missing_real, moved_percent = bench::missing_real;
};
using row = bench::row_of<scene, settings, counted>;

/// A scheduler that runs the chain as a task graph. The trace has the times, which the global timer
/// of an H200 counts in steps of 32 ns.
class scheduled_chain final : public chain {
 public:
  scheduled_chain(synthetic_scheduler const& one, device& machine, csr_graph const& graph,
                  executor_settings const& settings)
      : tasks_(static_cast<std::uint32_t>(graph.tasks())),
        data_(machine, graph, 0),
        plain_(one.make(machine, graph, data_.ref(), settings)),
        traced_(one.make(machine, graph, data_.ref(), settings)),
        trace_(machine, traced_->workers(), tasks_) {}
  void prepare() override { data_.clear(); }
  void run() override { plain_->run(); }
  std::vector<hand_off> hand_offs() override {
    plain_->require_done();
    data_.clear();
    traced_->run(trace_.arm());
    traced_->require_done();
    data_.fetch();
    data_.verify();
    std::vector<traced_task> order(tasks_);
    for (traced_task const& one : trace_.events()) order.at(one.event.task) = one;
    std::vector<hand_off> found;
    for (std::uint32_t k = 1; k < tasks_; ++k) {
      auto const& [before, first] = order[k - 1];
      auto const& [worker, second] = order[k];
      auto const ns = static_cast<std::int64_t>(second.begin_ns - first.end_ns);
      found.push_back({static_cast<double>(ns), static_cast<double>(first.end_ns - first.begin_ns),
                       worker != before});
    }
    return found;
  }
  int workers() const override { return plain_->workers(); }

 private:
  std::uint32_t tasks_;
  synthetic_graph data_;
  /// Two, because a CUDA graph is recorded again for another trace.
  std::unique_ptr<executor> plain_, traced_;
  trace_buffer trace_;
};

std::unique_ptr<chain> make_chain(scene const& of, row const& what) {
  device& machine = of.app.machine();
  double const timeout_s = of.app.common().timeout_s;
  for (primitive const& one : all_primitives()) {
    if (one.name == what.method)
      return one.make(machine, {what.asked_workers, what.threads}, of.tasks, timeout_s);
  }
  auto const with = [&](int workers) {
    return std::make_unique<scheduled_chain>(
        named(what.method, all_schedulers()), machine, of.graph,
        executor_settings{.workers = workers, .threads = what.threads, .timeout_s = timeout_s});
  };
  try {
    return with(what.asked_workers);
  } catch (grid_error const&) {
    // A cluster is smaller than a grid.
    if (of.app.line().given("workers")) throw;
    return with(0);
  }
}

class hand_off_work final : public bench::work<row> {
 public:
  hand_off_work(scene& of, row const& what)
      : of_(of), name_(what.method), chain_(make_chain(of, what)) {}

  void prepare() override {
    seen_.clear();
    chain_->prepare();
  }
  void run() override { chain_->run(); }
  void check() override { seen_ = chain_->hand_offs(); }
  void record(row& to) const override {
    to.workers = chain_->workers();
    if (seen_.empty()) return;
    counts own;
    double moved = 0, task_ns = 0;
    for (hand_off const& one : seen_) {
      ++own[std::llround(one.ns * 10)];
      moved += one.moves ? 1 : 0;
      task_ns += one.task_ns;
    }
    auto const all = static_cast<double>(seen_.size());
    for (auto const& [tenths, count] : own) of_.seen[name_][tenths] += count;
    to.hand_offs = std::ssize(seen_);
    to.median_ns = quantile(own, 0.5);
    to.p99_ns = quantile(own, 0.99);
    to.task_ns = task_ns / all;
    to.moved_percent = 100 * moved / all;
  }

 private:
  scene& of_;
  std::string name_;
  std::unique_ptr<chain> chain_;
  std::vector<hand_off> seen_;
};

std::vector<bench::method<row>> all_methods() {
  std::vector<bench::method<row>> made;
  for (primitive const& one : all_primitives())
    made.push_back({.name = one.name,
                    .what = one.about,
                    .by = bench::origin::floor,
                    .needs = one.needs,
                    .make = bench::makes<hand_off_work>});
  for (auto const& one : methods_of<row>(all_schedulers(), bench::makes<hand_off_work>))
    made.push_back(one);
  return made;
}

std::string text_of(bench::origin by) {
  return by == bench::origin::published ? "published"
         : by == bench::origin::ours    ? "ours"
         : by == bench::origin::rival   ? "rival"
                                        : "primitive";
}

bench::schema<row> columns() {
  return {
      {"mechanism", "", "what hands tasks on, as --mechanism names it", &row::method},
      {"by", "", "published, ours, rival or primitive", &row::by},
      {"workers", "1", "workers of the largest launch, or host threads", &row::workers},
      {"threads", "1", "threads per block", &row::threads},
      {"hand_offs", "1", "number of times; most primitives measure pairs", &row::hand_offs},
      {"median_ns", "ns", "median time from the end of a task to the start of its successor",
       &row::median_ns},
      {"p99_ns", "ns", "99th percentile of the same", &row::p99_ns},
      {"task_ns", "ns", "mean duration of an empty task in the trace", &row::task_ns},
      {"moved_percent", "%", "share of the successors that ran on another worker",
       &row::moved_percent},
      {"period_ns", "ns", "elapsed_ms per task: hand-off and empty task, without a trace",
       [](row const& r, double ms) { return ms * 1e6 / r.problem->tasks; }},
  };
}

/// The hand-offs of all runs, from which any quantile can be computed.
result_table samples(scene const& of) {
  struct sample {
    std::string mechanism;
    double latency_ns;
    std::int64_t count;
  };
  bench::table<sample> all("hand_offs",
                           {{"mechanism", "", "what hands tasks on", &sample::mechanism},
                            {"latency_ns", "ns", "time of a hand-off", &sample::latency_ns},
                            {"count", "1", "number of hand-offs", &sample::count}});
  for (auto const& [mechanism, seen] : of.seen) {
    for (auto const& [tenths, count] : seen)
      all.add({mechanism, static_cast<double>(tenths) * 0.1, count});
  }
  return all.contents();
}

int body(int argc, char** argv) {
  bench::program app("gridloom-hand-off",
                     "Measures how long a task's successor waits for a task that has ended.",
                     {.threads = true});
  scene of{app, 1000, {}, {}};
  auto const table = all_methods();
  bench::methods<row> const methods(app, "mechanism", "mechanisms to measure, see --list", table);
  app.options()("tasks", int_option("tasks", of.tasks, 100, most_tasks),
                "length of the chain of empty tasks");
  app.line().add_example("--workers 132", "with one worker per multiprocessor of an H200");
  if (!app.parse(argc, argv)) return exit_done;
  int const workers = app.shape(128).blocks;
  if (app.line().given("workers") && workers < 2)
    throw usage_error("--workers: expected at least 2, which hand tasks to each other, got 1");
  of.graph = generate_graph("chain:tasks=" + std::to_string(of.tasks));
  bench::harness<row> all(app, columns());
  all.show_median("median ns", &row::median_ns);
  all.show_median("p99 ns", &row::p99_ns);
  all.show_median("moved %", &row::moved_percent);
  all.run(methods.arms(of, [&](auto const& one) {
    return settings{std::max(workers, 2), app.shape(128).threads, text_of(one.by)};
  }));
  return app.finish(all, {all.runs(), samples(of)});
}

}  // namespace
}  // namespace gridloom::schedulers

int main(int argc, char** argv) {
  return gridloom::run_program(argc, argv, gridloom::schedulers::body);
}
