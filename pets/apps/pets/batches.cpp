#include "batches.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "gridloom/bench/progress.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "pets/rivals/host_threads.hpp"
#include "pets/selection.hpp"
#include "pets/support/generate.hpp"

namespace gridloom::pets {
namespace {

/// Schedules one graph on the host.
batch_results run_serial(task_graph const& graph, bool whole) {
  priorities by = priorities_of(graph);
  auto order = order_of(graph, by);
  schedule made;
  if (whole) made = select_processors(graph, order, policy::append);
  return {{std::move(by.level), std::move(by.rank), std::move(order)}, std::move(made.of)};
}

void append(batch_results& to, batch_results const& one) {
  auto const put = [](auto& all, auto const& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  auto const begin = static_cast<std::uint32_t>(to.by.level.size());
  put(to.by.level, one.by.level);
  put(to.by.rank, one.by.rank);
  for (std::uint32_t const task : one.by.order) to.by.order.push_back(begin + task);
  put(to.placed, one.placed);
}

graph_batch made(batch_request const& wanted, common_options const& common) {
  progress_line bar(wanted.name + ": graphs", wanted.graphs, common.quiet);
  return make_batch(wanted.graphs, [&](std::size_t i) {
    bar.advance();
    return wanted.make(i);
  });
}

/// Batches on host threads. Each thread schedules one graph after another.
class one_by_one final : public batch_work {
 public:
  one_by_one(batch_scene& of, batch_row const& what) : batch_work(of, what), made_(what.graphs) {
    for (std::uint32_t g = 0; g < what.graphs; ++g) all_.push_back(graph_of(of.batch, g));
  }

  void prepare() override {
    made_.clear();
    made_.resize(all_.size());
    got_ = {};
  }
  void run() override {
    std::atomic<std::size_t> taken{0};
    by_host_threads(what_.host_threads, [&](int) {
      host_time_limit const limit(scene_.common.timeout_s);
      for (std::size_t g = taken++; g < all_.size(); g = taken++) {
        host_time_limit::check("batch");
        made_[g] = run_serial(all_[g], what_.whole);
      }
    });
  }
  void verify() override {
    for (batch_results const& one : made_) append(got_, one);
    batch_work::verify();
  }
  void record(batch_row& to) const override { to.blocks = what_.host_threads; }

 private:
  std::vector<task_graph> all_;
  std::vector<batch_results> made_;
};

struct threads_trait {
  /// Number of host threads; 0 means all.
  int host_threads = 1;
};
using batch_method = bench::method<batch_row, threads_trait>;
constexpr batch_method on_host(std::string_view name, std::string_view what, int threads) {
  return {.name = name,
          .what = what,
          .host_code = true,
          .traits = {threads},
          .make = bench::makes<one_by_one>};
}
// Methods with one, four and all host threads, like the methods for single graphs.
constexpr batch_method all_methods[] = {
    {.name = "batch", .what = "one graph per warp", .make = bench::makes<together>},
    on_host("serial", "one host thread", 1),
    on_host("host_4", "four host threads", 4),
    on_host("host_all", "all host threads", 0),
};

}  // namespace

batch_scene::batch_scene(batch_request const& wanted, common_options const& options, device& on)
    : name(wanted.name),
      common(options),
      machine(on),
      batch(made(wanted, options)),
      serial_graphs(static_cast<std::uint32_t>(
          std::min<std::size_t>(wanted.serial_graphs, batch.num_graphs()))) {
  if (!common.verify) return;
  host_time_limit const limit(common.timeout_s);
  progress_line bar(name + ": reference", batch.num_graphs(), common.quiet);
  for (std::uint32_t g = 0; g < batch.num_graphs(); ++g) {
    host_time_limit::check("reference");
    task_graph const graph = graph_of(batch, g);
    batch_results const one = run_serial(graph, true);
    std::string const wrong = check_schedule(graph, {one.placed, one.by.order});
    if (!wrong.empty()) throw wrong_result(name + ", graph " + std::to_string(g) + ": " + wrong);
    append(right, one);
    bar.advance();
  }
}

void batch_work::verify() {
  for (std::uint32_t g = 0; g < what_.graphs; ++g) {
    auto const same = [&](auto const& a, auto const& b) {
      auto const& begins = scene_.batch.begins;
      return std::equal(a.begin() + begins[g], a.begin() + begins[g + 1], b.begin() + begins[g]);
    };
    batch_results const& right = scene_.right;
    if (same(got_.by.level, right.by.level) && same(got_.by.rank, right.by.rank) &&
        same(got_.by.order, right.by.order) && (!what_.whole || same(got_.placed, right.placed))) {
      continue;
    }
    throw wrong_result(scene_.name + ", graph " + std::to_string(g) +
                       ": expected the numbers of the reference, got others");
  }
}

std::vector<bench::arm<batch_row>> arms_of(batch_scene& of) {
  std::vector<bench::arm<batch_row>> arms;
  for (bool const whole : {false, true}) {
    for (auto const& one : all_methods) {
      std::uint32_t const graphs = one.host_code ? of.serial_graphs : of.batch.num_graphs();
      if (graphs == 0) continue;
      int const threads = one.traits.host_threads;
      arms.push_back(bench::arm_of(one, of,
                                   std::string(one.name) + (whole ? " whole" : " priorities"),
                                   {whole, graphs, threads == 0 ? all_host_threads() : threads}));
      arms.back().verify_each = true;
    }
  }
  return arms;
}

std::vector<batch_request> batches_of(graph_inputs const& wanted, std::uint64_t seed) {
  graph_source const graphs = graphs_of(wanted, seed);
  if (wanted.are_files()) {
    std::string const name =
        wanted.dags.size() == 1 ? wanted.dags.front() : std::to_string(graphs.count) + " files";
    return {{name, graphs.count, [graphs](std::size_t i) { return graphs.make(i).graph; }}};
  }
  std::vector<batch_request> requests;
  auto const count = static_cast<std::size_t>(wanted.count);
  for (std::string const& specification : wanted.specifications) {
    std::size_t const begin = requests.size() * count;
    requests.push_back({specification, count, [=](std::size_t i) {
                          task_graph one = graphs.make(begin + i).graph;
                          // Counts memory for the graphs, for the arms' copies, and twice for
                          // results. All graphs of a specification have about the same size.
                          if (i == 0)
                            require_memory(specification + ": batch", 4 * count * one.num_tasks,
                                           4 * count * one.num_edges(), one.num_processors);
                          return one;
                        }});
  }
  return requests;
}

bench::schema<batch_row> batch_columns() {
  using row = batch_row;
  // A batch of `graphs` graphs has the first tasks and edges of the scene's batch.
  auto const tasks = [](row const& r) { return r.problem->batch.begins[r.graphs]; };
  return {
      {"graph", "", "specification of the task graphs, or their folder", &batch_scene::name},
      {"graphs", "1", "graphs that the arm schedules", &row::graphs},
      {"tasks", "1", "tasks of all these graphs", tasks},
      {"edges", "1", "edges of all these graphs",
       [=](row const& r) -> std::uint64_t {
         return r.problem->batch.all.successors.offsets[tasks(r)];
       }},
      {"processors", "1", "number of processors", &batch_scene::processors},
      {"implementation", "",
       "batch: one graph per warp; serial: one host thread; host_4, host_all: one graph per host "
       "thread",
       &row::method},
      {"steps", "", "priorities: levels, ranks, order; whole: with selection",
       [](row const& r) { return r.whole ? "whole" : "priorities"; }},
      {"workers", "1", "thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
  };
}

void show_batches(bench::harness<batch_row>& all) {
  all.show("graph", &batch_scene::name);
  all.show("graphs", &batch_row::graphs);
  all.show("graphs/s", [](batch_row const& r, double ms) { return r.graphs / ms * 1e3; });
}

}  // namespace gridloom::pets
