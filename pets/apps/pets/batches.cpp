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

constexpr batch_output outputs[] = {batch_output::order, batch_output::makespans,
                                    batch_output::schedules};
constexpr std::string_view names_of_outputs[] = {"order", "makespans", "schedules"};

std::string_view steps_of(batch_output output) {
  return output == batch_output::order ? "priorities" : "whole";
}

/// Fills the arrays of an output with values that no result has.
void clear(batch_output output, std::size_t tasks, std::size_t graphs, batch_results& to) {
  if (output == batch_output::order) to.order.assign(tasks, ~0U);
  if (output == batch_output::makespans) to.makespans.assign(graphs, ~time_value{0});
  if (output != batch_output::schedules) return;
  to.processors.assign(tasks, ~0U);
  to.finishes.assign(tasks, ~time_value{0});
}

/// Writes one output of a graph to the parts of the batch that belong to this graph.
void store(batch_output output, std::size_t graph, std::uint32_t begin, schedule const& made,
           batch_results& to) {
  if (output == batch_output::makespans) to.makespans[graph] = made.makespan();
  for (std::uint32_t i = 0; output == batch_output::order && i < made.order.size(); ++i) {
    to.order[begin + i] = begin + made.order[i];
  }
  for (std::uint32_t i = 0; output == batch_output::schedules && i < made.of.size(); ++i) {
    to.processors[begin + i] = made.of[i].processor;
    to.finishes[begin + i] = made.of[i].finish;
  }
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
  one_by_one(batch_scene& of, batch_row const& what) : batch_work(of, what) {
    prepare();
    for (std::uint32_t g = 0; g < what.graphs; ++g) all_.push_back(graph_of(of.batch, g));
  }

  void prepare() override {
    clear(what_.output, scene_.batch.begins[what_.graphs], what_.graphs, made_);
  }
  void run() override {
    std::atomic<std::size_t> taken{0};
    by_host_threads(what_.host_threads, [&](int) {
      host_time_limit const limit(scene_.common.timeout_s);
      for (std::size_t g = taken++; g < all_.size(); g = taken++) {
        host_time_limit::check("batch");
        task_graph const& graph = all_[g];
        schedule made;
        made.order = order_of(graph, priorities_of(graph));
        if (what_.output != batch_output::order)
          made = select_processors(graph, made.order, policy::append);
        store(what_.output, g, scene_.batch.begins[g], made, made_);
      }
    });
  }
  void record(batch_row& to) const override { to.blocks = what_.host_threads; }

 protected:
  [[nodiscard]] batch_results results() const override { return made_; }

 private:
  std::vector<task_graph> all_;
  batch_results made_;
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
  for (batch_output const output : outputs)
    clear(output, batch.all.num_tasks, batch.num_graphs(), right);
  for (std::uint32_t g = 0; g < batch.num_graphs(); ++g) {
    host_time_limit::check("reference");
    task_graph const graph = graph_of(batch, g);
    priorities const by = priorities_of(graph);
    schedule const made = select_processors(graph, order_of(graph, by), policy::append);
    std::string const wrong = check_schedule(graph, made);
    if (!wrong.empty()) throw wrong_result(name + ", graph " + std::to_string(g) + ": " + wrong);
    right.levels.insert(right.levels.end(), by.level.begin(), by.level.end());
    right.ranks.insert(right.ranks.end(), by.rank.begin(), by.rank.end());
    for (batch_output const output : outputs) store(output, g, batch.begins[g], made, right);
    bar.advance();
  }
}

void batch_work::verify() {
  batch_results const got = results();
  batch_results const& right = scene_.right;
  auto const& begins = scene_.batch.begins;
  auto const compare = [&](auto const& found, auto const& expected, bool by_graph = false) {
    auto const place = std::mismatch(found.begin(), found.end(), expected.begin()).first;
    if (place == found.end()) return;
    auto const at = static_cast<std::uint32_t>(place - found.begin());
    auto const after = std::upper_bound(begins.begin(), begins.end(), at);
    throw wrong_result(scene_.name + ", graph " +
                       std::to_string(by_graph ? at : after - begins.begin() - 1) +
                       ": expected the numbers of the reference, got others");
  };
  compare(got.levels, right.levels);
  compare(got.ranks, right.ranks);
  compare(got.order, right.order);
  compare(got.processors, right.processors);
  compare(got.finishes, right.finishes);
  compare(got.makespans, right.makespans, true);
}

std::vector<bench::arm<batch_row>> arms_of(batch_scene& of, batch_output whole) {
  std::vector<bench::arm<batch_row>> arms;
  for (batch_output const output : {batch_output::order, whole}) {
    for (auto const& one : all_methods) {
      std::uint32_t const graphs = one.host_code ? of.serial_graphs : of.batch.num_graphs();
      if (graphs == 0) continue;
      int const threads = one.traits.host_threads;
      arms.push_back(bench::arm_of(one, of,
                                   std::string(one.name) + " " + std::string(steps_of(output)),
                                   {output, graphs, threads == 0 ? all_host_threads() : threads}));
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
                          // Counts memory for the graphs, for the arms' copies, pinned and not, and
                          // for results. All graphs of a specification have about the same size.
                          if (i == 0)
                            require_memory(specification + ": batch", 6 * count * one.num_tasks,
                                           6 * count * one.num_edges(), one.num_processors);
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
       [](row const& r) { return steps_of(r.output); }},
      {"results", "", "what the arm delivers to the host: order, makespans, or schedules",
       [](row const& r) { return names_of_outputs[static_cast<std::size_t>(r.output)]; }},
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
