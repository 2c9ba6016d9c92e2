#include "batch_experiment.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "gridloom/bench/progress.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "pets/selection.hpp"
#include "rivals/host_threads.hpp"
#include "support/generate.hpp"
#include "support/generators.hpp"

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

// Results of graphs one after the other.
struct numbers {
  device_batch::found_priorities by;
  std::vector<placement> placed;

  void append(scheduled const& one) {
    auto const put = [](auto& to, auto const& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    auto const begin = static_cast<std::uint32_t>(by.level.size());
    put(by.level, one.by.level);
    put(by.rank, one.by.rank);
    for (std::uint32_t const task : one.order) by.order.push_back(begin + task);
    put(placed, one.made.of);
  }
};

// The graphs of one request, and what the numbers of all must be.
struct batch_scene {
  batch_request const& request;
  common_options const& common;
  device& machine;
  graph_batch batch;
  numbers right{};

  batch_scene(batch_request const& wanted, common_options const& options, device& on)
      : request(wanted), common(options), machine(on), batch(generated()) {
    if (common.verify) find_right();
  }

 private:
  graph_batch generated() const {
    progress_bar bar(request.specification + ": graphs", request.graphs, common.quiet);
    return make_batch(request.graphs, [&](std::size_t i) {
      bar.advance();
      if (request.make) return request.make(i);
      task_graph made = generate(request.specification, request.processors, common.seed + i);
      if (i == 0) require_room(made);
      return made;
    });
  }
  // For the graphs, for both arms' own, and as much again for what is expected and found; the
  // graphs of a specification are alike in size.
  void require_room(task_graph const& first) const {
    std::uint64_t const times = 4 * std::uint64_t{request.graphs};
    require_memory(request.specification + ": batch", times * first.num_tasks,
                   times * first.num_edges(), first.num_processors, false);
  }
  void find_right() {
    host_time_limit const limit(common.timeout_s);
    progress_bar bar(request.specification + ": reference", batch.num_graphs(), common.quiet);
    for (std::uint32_t g = 0; g < batch.num_graphs(); ++g) {
      host_time_limit::check("reference");
      task_graph const graph = graph_of(batch, g);
      scheduled const one = run_serial(graph, true);
      std::string const wrong = check_schedule(graph, one.made);
      if (!wrong.empty()) {
        throw wrong_result(request.specification + ", graph " + std::to_string(g) + ": " + wrong);
      }
      right.append(one);
      bar.advance();
    }
  }
};

// What both arms do with their results.
class batch_work : public bench::work<batch_row> {
 public:
  batch_work(batch_scene const& scene, bool whole, std::uint32_t graphs)
      : scene_(scene), whole_(whole), graphs_(graphs) {}

  void verify() override {
    for (std::uint32_t g = 0; g < graphs_; ++g) {
      auto const same = [&](auto const& a, auto const& b) {
        auto const& begins = scene_.batch.begins;
        return std::equal(a.begin() + begins[g], a.begin() + begins[g + 1], b.begin() + begins[g]);
      };
      numbers const& right = scene_.right;
      if (same(got_.by.level, right.by.level) && same(got_.by.rank, right.by.rank) &&
          same(got_.by.order, right.by.order) && (!whole_ || same(got_.placed, right.placed))) {
        continue;
      }
      throw wrong_result(scene_.request.specification + ", graph " + std::to_string(g) +
                         ": expected the numbers of the reference, got others");
    }
  }

 protected:
  batch_scene const& scene_;
  bool whole_;
  std::uint32_t graphs_;
  numbers got_{};
};

class together final : public batch_work {
 public:
  together(batch_scene const& scene, bool whole)
      : batch_work(scene, whole, scene.batch.num_graphs()),
        there_(scene.machine, scene.batch, scene.common.workers, scene.common.threads) {}

  void prepare() override { there_.clear(); }
  void run() override {
    if (whole_) {
      there_.whole();
    } else {
      there_.priorities();
    }
  }
  void copy_out() override {
    got_.by = there_.result();
    if (whole_) got_.placed = there_.placements(scene_.batch);
  }
  void check() override {
    if (scene_.request.spoil) scene_.request.spoil(got_.by, got_.placed);
  }
  void record(batch_row& to) const override { to.shape = there_.shape(whole_); }

 private:
  device_batch there_;
};

class one_by_one final : public batch_work {
 public:
  one_by_one(batch_scene const& scene, bool whole, std::uint32_t graphs, int threads)
      : batch_work(scene, whole, graphs), threads_(threads), made_(graphs) {
    for (std::uint32_t g = 0; g < graphs; ++g) all_.push_back(graph_of(scene.batch, g));
  }

  void prepare() override {
    made_.clear();
    made_.resize(all_.size());
    got_ = {};
  }
  void run() override {
    std::atomic<std::size_t> taken{0};
    by_host_threads(threads_, [&](int) {
      host_time_limit const limit(scene_.common.timeout_s);
      for (std::size_t g = taken++; g < all_.size(); g = taken++) {
        host_time_limit::check("batch");
        made_[g] = run_serial(all_[g], whole_);
      }
    });
  }
  void verify() override {
    for (scheduled const& one : made_) got_.append(one);
    batch_work::verify();
  }

  void record(batch_row& to) const override { to.shape = {threads_, 1}; }

 private:
  int threads_;
  std::vector<task_graph> all_;
  std::vector<scheduled> made_;
};

// One thread, four, and all, as for single graphs: on every machine.
std::vector<std::pair<char const*, int>> host_arms() {
  return {{"serial", 1}, {"host_4", 4}, {"host_all", all_host_threads()}};
}

void run_batch(batch_scene const& scene, bench::harness<batch_row>& into) {
  graph_batch const& batch = scene.batch;
  auto const serial = static_cast<std::uint32_t>(
      std::min<std::size_t>(scene.request.serial_graphs, batch.num_graphs()));
  std::uint64_t const serial_edges = batch.all.successors.offsets[batch.begins[serial]];
  std::vector<bench::arm<batch_row>> arms;
  for (bool const whole : {false, true}) {
    char const* const steps = whole ? "whole" : "priorities";
    arms.push_back({std::string("batch ") + steps,
                    {scene.request.specification, batch.num_graphs(), batch.all.num_tasks,
                     batch.all.num_edges(), batch.all.num_processors, "batch", steps},
                    [&scene, whole] { return std::make_unique<together>(scene, whole); },
                    false,
                    true});
    if (serial == 0) continue;
    for (auto const& [name, threads] : host_arms()) {
      arms.push_back({std::string(name) + " " + steps,
                      {scene.request.specification, serial, batch.begins[serial], serial_edges,
                       batch.all.num_processors, name, steps},
                      [&scene, whole, serial, count = threads] {
                        return std::make_unique<one_by_one>(scene, whole, serial, count);
                      },
                      true,
                      true});
    }
  }
  into.run(arms);
}

}  // namespace

std::vector<batch_request> batches_of(graph_inputs const& wanted, std::uint64_t seed) {
  std::vector<batch_request> requests;
  if (wanted.are_files()) {
    std::size_t const n = wanted.files.size();
    batch_request all{wanted.dags.size() == 1 ? wanted.dags.front() : std::to_string(n) + " files",
                      wanted.on.processors, n};
    all.make = [graphs = graphs_of(wanted, seed)](std::size_t i) { return graphs.make(i).graph; };
    requests.push_back(std::move(all));
  }
  for (std::string const& specification : wanted.specifications) {
    requests.push_back({specification, static_cast<std::uint32_t>(wanted.processors),
                        static_cast<std::size_t>(wanted.count)});
  }
  return requests;
}

bench::schema<batch_row> batch_columns() {
  using row = batch_row;
  return {
      {"graph", "", "specification of the task graphs, or their folder", &row::graph},
      {"graphs", "1", "graphs that the arm schedules", &row::graphs},
      {"tasks", "1", "tasks of them together", &row::tasks},
      {"edges", "1", "edges of them together", &row::edges},
      {"processors", "1", "processors", &row::processors},
      {"implementation", "",
       "batch: a graph a warp; serial: one host thread; host_4, host_all: a graph a host thread",
       &row::implementation},
      {"steps", "", "priorities: levels, ranks, order; whole: with selection", &row::steps},
      {"workers", "1", "thread blocks or host threads",
       [](row const& r) { return r.shape.blocks; }},
      {"threads", "1", "threads of a block", [](row const& r) { return r.shape.threads; }},
  };
}

void show_batches(bench::harness<batch_row>& all) {
  all.show("graph", [](batch_row const& r, double) { return r.graph; });
  all.show("graphs", [](batch_row const& r, double) { return std::to_string(r.graphs); });
  all.show("graphs/s",
           [](batch_row const& r, double ms) { return static_cast<double>(r.graphs) / ms * 1e3; });
}

void run_batches(std::span<batch_request const> requests, common_options const& common,
                 device& machine, bench::harness<batch_row>& into) {
  into.expect_groups(requests.size());
  for (batch_request const& request : requests) {
    run_batch(batch_scene(request, common, machine), into);
  }
}

}  // namespace gridloom::pets
