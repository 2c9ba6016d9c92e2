#include "batch_experiment.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "pets/generators.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/bench/experiment.hpp"
#include "pets/device_batch.hpp"
#include "pets/generate.hpp"
#include "pets/selection.hpp"

namespace gridloom::pets {
namespace {

// One graph's results on the host.
struct scheduled {
  priorities by;
  std::vector<std::uint32_t> order;
  schedule made;
};

scheduled run_serial(task_graph const& graph, bool whole) {
  scheduled result;
  result.by = priorities_of(graph);
  result.order = order_of(graph, result.by);
  if (whole) result.made = select_processors(graph, result.order, policy::append);
  return result;
}

struct arm {
  std::string implementation;  // batch or serial
  bool whole;
  std::uint64_t graphs;
  std::uint64_t tasks;
  std::uint64_t edges;
  std::string status;
  std::vector<double> times_ms;

  [[nodiscard]] bool is_batch() const { return implementation == "batch"; }
  [[nodiscard]] char const* steps() const { return whole ? "whole" : "priorities"; }
};

// What the numbers of all graphs must be, graph after graph.
struct expected {
  device_batch::found_priorities by;
  std::vector<placement> placed;
};

class session {
 public:
  session(batch_request const& request, common_options const& common, device& machine,
          batch_outcome& result)
      : request_(request),
        common_(common),
        machine_(machine),
        result_(result),
        batch_(generated()),
        there_(machine, batch_, common.workers, common.threads) {
    auto const serial =
        static_cast<std::uint32_t>(std::min<std::size_t>(request.serial_graphs, request.graphs));
    std::uint64_t serial_edges = 0;
    for (std::uint32_t g = 0; g < serial; ++g) {
      graphs_.push_back(graph_of(batch_, g));
      serial_edges += graphs_.back().num_edges();
    }
    for (bool const whole : {false, true}) {
      arms_.push_back({"batch",
                       whole,
                       batch_.num_graphs(),
                       batch_.all.num_tasks,
                       batch_.all.num_edges(),
                       "ok",
                       {}});
      if (serial == 0) continue;
      arms_.push_back({"serial", whole, serial, batch_.begins[serial], serial_edges, "ok", {}});
    }
    if (common.verify) find_expected();
  }

  void run() {
    for (int k = -common_.warmup; k < common_.repeat; ++k) {
      auto const turn = static_cast<std::size_t>(k + common_.warmup);
      for (std::size_t const i : balanced_order(arms_.size(), turn, common_.seed)) {
        arm& one = arms_[i];
        double const elapsed_ms = one.is_batch() ? run_batch(one) : run_on_host(one);
        if (k >= 0) add_row(one, k, elapsed_ms);
      }
    }
    for (arm const& one : arms_) print(one);
  }

 private:
  graph_batch generated() const {
    progress_bar bar(request_.specification + ": graphs", request_.graphs, common_.quiet);
    return make_batch(request_.graphs, [&](std::size_t i) {
      bar.advance();
      task_graph made = generate(request_.specification, request_.processors, common_.seed + i);
      if (i == 0) require_room(made);
      return made;
    });
  }

  // For the graphs together, and as much again for what is expected and found; the graphs of a
  // specification are alike in size.
  void require_room(task_graph const& first) const {
    std::uint64_t const times = 2 * std::uint64_t{request_.graphs};
    require_memory(request_.specification + ": batch", times * first.num_tasks,
                   times * first.num_edges(), first.num_processors, false);
  }

  void find_expected() {
    progress_bar bar(request_.specification + ": reference", batch_.num_graphs(), common_.quiet);
    for (std::uint32_t g = 0; g < batch_.num_graphs(); ++g) {
      task_graph const graph = graph_of(batch_, g);
      scheduled const right = run_serial(graph, true);
      std::string const wrong = check_schedule(graph, right.made);
      if (!wrong.empty()) fail("graph " + std::to_string(g) + ": " + wrong);
      auto const append = [](auto& to, auto const& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(right_.by.level, right.by.level);
      append(right_.by.rank, right.by.rank);
      for (std::uint32_t const task : right.order) {
        right_.by.order.push_back(batch_.begins[g] + task);
      }
      append(right_.placed, right.made.of);
      bar.advance();
    }
  }

  double run_batch(arm& one) {
    if (common_.verify) there_.clear();
    double const elapsed_ms = machine_.time_ms([&] {
      if (one.whole) {
        there_.whole();
      } else {
        there_.priorities();
      }
    });
    if (!common_.verify) return elapsed_ms;
    auto got = there_.result();
    std::vector<placement> placed;
    if (one.whole) placed = there_.placements(batch_);
    if (request_.spoil) request_.spoil(got, placed);
    for (std::uint32_t g = 0; g < batch_.num_graphs(); ++g) {
      auto const same = [&](auto const& a, auto const& b) {
        return std::equal(a.begin() + batch_.begins[g], a.begin() + batch_.begins[g + 1],
                          b.begin() + batch_.begins[g]);
      };
      bool const right = same(got.level, right_.by.level) && same(got.rank, right_.by.rank) &&
                         same(got.order, right_.by.order) &&
                         (!one.whole || same(placed, right_.placed));
      if (right) continue;
      one.status = "wrong";
      fail("batch, " + std::string(one.steps()) + ": graph " + std::to_string(g) +
           ": expected the numbers of the reference, got others");
      break;
    }
    return elapsed_ms;
  }

  double run_on_host(arm const& one) {
    made_.clear();
    made_.resize(graphs_.size());
    std::uint64_t const begin = now_ns();
    for (std::size_t g = 0; g < graphs_.size(); ++g) made_[g] = run_serial(graphs_[g], one.whole);
    return static_cast<double>(now_ns() - begin) * 1e-6;
  }

  void add_row(arm& one, int repetition, double elapsed_ms) {
    one.times_ms.push_back(elapsed_ms);
    launch_shape const shape = one.is_batch() ? there_.shape(one.whole) : launch_shape{1, 1};
    result_.batches.add_row(
        {request_.specification, static_cast<std::int64_t>(one.graphs),
         static_cast<std::int64_t>(one.tasks), static_cast<std::int64_t>(one.edges),
         std::int64_t{batch_.all.num_processors}, backend_of(one), one.implementation,
         std::string(one.steps()), std::int64_t{shape.blocks}, std::int64_t{shape.threads},
         std::int64_t{repetition}, elapsed_ms, one.status});
  }

  [[nodiscard]] std::string backend_of(arm const& one) const {
    return one.is_batch() ? machine_.properties().backend : "host";
  }

  void print(arm const& one) const {
    if (one.times_ms.empty()) return;
    auto const t = bootstrap_median(one.times_ms, common_.seed);
    auto const graphs_per_s = [&](double ms) { return static_cast<double>(one.graphs) / ms * 1e3; };
    std::printf("%-24s %-5s %-7s %-11s %9llu %12.4f %14.0f [%.0f, %.0f] %s\n",
                request_.specification.c_str(), backend_of(one).c_str(), one.implementation.c_str(),
                one.steps(), static_cast<unsigned long long>(one.graphs), t.median,
                graphs_per_s(t.median), graphs_per_s(t.high), graphs_per_s(t.low),
                one.status.c_str());
  }

  void fail(std::string const& why) {
    if (result_.failed.empty()) result_.failed = request_.specification + ", " + why;
  }

  batch_request const& request_;
  common_options const& common_;
  device& machine_;
  batch_outcome& result_;
  graph_batch batch_;
  device_batch there_;
  std::vector<task_graph> graphs_;  // of the serial arm
  std::vector<scheduled> made_;     // its results
  std::vector<arm> arms_;
  expected right_;
};

}  // namespace

result_table batches_table() {
  using enum column_type;
  return {"batches",
          {{"graph", text, "", "specification of the task graphs"},
           {"graphs", integer, "1", "graphs that the arm schedules"},
           {"tasks", integer, "1", "tasks of them together"},
           {"edges", integer, "1", "edges of them together"},
           {"processors", integer, "1", "processors"},
           {"backend", text, "", "host or cuda"},
           {"implementation", text, "", "batch: a graph a warp; serial: one host thread"},
           {"steps", text, "", "priorities: levels, ranks, order; whole: with selection"},
           {"workers", integer, "1", "thread blocks or host threads"},
           {"threads", integer, "1", "threads of a block"},
           {"repetition", integer, "1", "number of the repetition"},
           {"elapsed_ms", real, "ms", "from graphs in memory to results in memory"},
           {"status", text, "", "ok or wrong"}}};
}

batch_outcome run_batches(std::span<batch_request const> requests, common_options const& common,
                          device& machine) {
  batch_outcome result{batches_table(), {}};
  bool first = true;
  for (batch_request const& request : requests) {
    session own(request, common, machine, result);
    if (first) {  // after what may be refused
      std::printf("%-24s %-5s %-7s %-11s %9s %12s %14s\n", "graph", "on", "by", "steps", "graphs",
                  "ms", "graphs/s");
    }
    first = false;
    own.run();
  }
  return result;
}

}  // namespace gridloom::pets
