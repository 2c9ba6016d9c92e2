#include "arms.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "gridloom/error.hpp"
#include "ours/result_word.hpp"
#include "support/cluster.hpp"

namespace gridloom::wavefront {
namespace {

char const* body_name_of(arm const& what) {
  if (what.config.wide_results) return "wide";
  return what.body == body_kind::noop   ? "noop"
         : what.body == body_kind::work ? "work"
                                        : "recurrence";
}

std::vector<arm> decided(std::vector<arm> arms, graph_store& graph,
                         device_properties const& machine) {
  for (arm& a : arms) {
    if (a.config.threads != by_the_graph && a.config.blocks != by_the_graph) continue;
    double const at_once = static_cast<double>(graph.tasks()) / graph.critical_path();
    if (a.config.algorithm == "in_order_cluster") {
      auto const grid = cluster_grid({a.config.blocks, a.config.threads}, at_once,
                                     most_cluster_blocks_of(machine));
      a.config.blocks = grid.blocks;
      a.config.threads = grid.threads;
    } else {
      a.config.threads = in_order_threads(at_once);
    }
  }
  return arms;
}

int most_observers(std::vector<arm> const& arms) {
  int most = 1;
  for (auto const& a : arms) most = std::max(most, a.config.blocks * a.config.threads);
  return most;
}

graph_store graph_of(device& machine, arm_group const& group) {
  if (group.graph_file.empty()) return graph_store(machine, group.size);
  return graph_store(machine, read_dag(group.graph_file));
}

template <class Value>
void require_equal(std::vector<Value> const& found, std::vector<Value> const& expected) {
  std::size_t wrong = 0;
  std::size_t first_wrong = 0;
  for (std::size_t task = 0; task < expected.size(); ++task) {
    if (!(found[task] == expected[task]) && wrong++ == 0) first_wrong = task;
  }
  if (wrong == 0) return;
  throw wrong_result(std::to_string(wrong) + " of " + std::to_string(expected.size()) +
                     " results differ from the serial run, first at task " +
                     std::to_string(first_wrong));
}

}  // namespace

/// One configuration with its scheduler. The counting build runs the recurrence, when it is to be
/// verified, because the bodies' own accesses are not counted.
class scheduler_work final : public bench::work<row> {
 public:
  scheduler_work(graph_scene& scene, arm const& what, bool counts)
      : scene_(scene), what_(what), counts_(counts), runs_(make(counts)) {
    runs_->reset();
  }

  void prepare() override {
    body_ = scene_.body_of(what_);
    observer_ = {};
    if (counts_) {
      if (scene_.app_.common().verify) body_ = body_that_shows_order();
      scene_.machine_.fill_bytes(scene_.counts_, 0);
      observer_.counts = scene_.counts_.data();
    }
    runs_->prepare(body_, observer_);
  }
  void copy_in() override { reset(*runs_); }
  void run() override { runs_->run(body_, observer_); }
  void copy_out() override { executed_ = runs_->executed(); }

  void check() override {
    if (scene_.dog_.fired()) throw timeout_error(stopped_text());
    if (executed_ == scene_.graph_.tasks()) return;
    throw wrong_result(std::to_string(executed_) + " of " + std::to_string(scene_.graph_.tasks()) +
                       " tasks were executed");
  }

  void verify() override {
    if (!counts_) run_all(*runs_, body_that_shows_order(), {});
    if (what_.config.wide_results) {
      require_equal(scene_.machine_.copy_to_host(scene_.wide_values()),
                    scene_.graph_.wide_reference());
    } else {
      require_equal(scene_.machine_.copy_to_host(scene_.values()), scene_.graph_.reference());
    }
  }

  void record(row& to) const override {
    to.executed = executed_;
    to.scheduler_bytes = runs_->bytes();
    to.units = runs_->units();
    if (what_.config.algorithm.starts_with("waves_")) to.waves_ms = scene_.graph_.levels_ms();
    to.record_ms = runs_->record_ms();
    if (counts_) to.counts = scene_.machine_.copy_to_host(scene_.counts_)[0];
  }

  bool observe() override {
    if (counts_ && what_.times) return true;  // the timed arm has the trace
    if (!find_algorithm(what_.config.algorithm).observable) return false;
    auto const observed = make(true);
    std::uint32_t const tasks = scene_.graph_.tasks();
    constexpr std::uint32_t most_events = 1U << 24;
    int const workers = observed->observers();
    probe_ref observer;
    observer.trace = scene_.app_.arm_trace(
        workers, std::min(tasks, std::max(most_events / static_cast<std::uint32_t>(workers), 16U)));
    execute(*observed, scene_.body_of(what_), observer);
    return true;
  }

 private:
  [[nodiscard]] std::unique_ptr<scheduler> make(bool observe) const {
    return make_scheduler(
        {scene_.machine_, scene_.graph_, scene_.memory_, scene_.dog_, what_.config, observe});
  }
  /// The recurrence, as wide as the arm's own results.
  [[nodiscard]] any_body body_that_shows_order() {
    if (what_.config.wide_results) {
      scene_.machine_.fill_bytes(scene_.wide_values(), 0xa5);
      return wide_body{scene_.wide_values().data()};
    }
    scene_.machine_.fill_bytes(scene_.values(), 0xa5);
    return recurrence_body{scene_.values().data()};
  }
  void reset(scheduler& what) {
    scene_.dog_.arm();  // rivals do not ask it, and would inherit what stopped the arm before
    what.reset();
  }
  void execute(scheduler& what, any_body const& body, probe_ref const& observer) {
    reset(what);
    what.prepare(body, observer);
    what.run(body, observer);
    scene_.machine_.synchronize();
    executed_ = what.executed();
  }
  void run_all(scheduler& what, any_body const& body, probe_ref const& observer) {
    execute(what, body, observer);
    check();
  }
  [[nodiscard]] std::string stopped_text() {
    std::ostringstream text;
    text << "stopped by the watchdog after " << scene_.app_.common().timeout_s
         << " s (--timeout-s), " << executed_ << " of " << scene_.graph_.tasks()
         << " tasks reported";
    for (auto const& line : scene_.dog_.lines()) text << "\n  " << line;
    return text.str();
  }

  graph_scene& scene_;
  arm const& what_;
  bool counts_;
  std::unique_ptr<scheduler> runs_;
  any_body body_;
  probe_ref observer_;
  std::uint64_t executed_ = 0;
};

graph_scene::graph_scene(bench::program& app, arm_group const& group)
    : app_(app),
      machine_(app.machine()),
      graph_(graph_of(machine_, group)),
      input_(std::filesystem::path(group.graph_file).filename().string()),
      arms_(decided(group.arms, graph_, machine_.properties())),
      dog_(machine_, most_observers(arms_), app.common().timeout_s),
      counts_(machine_.allocate<access_counts>(1)) {
  // Counters, results, and the host's serial results; where these are wide, words as well. Queues are
  // small beside them.
  bool const wide =
      std::any_of(arms_.begin(), arms_.end(), [](arm const& a) { return a.config.wide_results; });
  double const bytes_a_task =
      wide ? 12 + 2 * sizeof(wide_value) + sizeof(result_word<wide_value>) : 12;
  if (bytes_a_task * graph_.tasks() >
      0.9 * static_cast<double>(machine_.properties().memory_bytes)) {
    throw usage_error(std::to_string(graph_.tasks()) + " tasks are more than the memory of " +
                      machine_.properties().name + " holds");
  }
  memory_.dependencies = machine_.allocate<std::uint32_t>(graph_.tasks());
  memory_.words = machine_.allocate<scheduler_words>(1);
}

std::vector<bench::arm<row>> graph_scene::arms() {
  std::vector<bench::arm<row>> made;
  for (arm const& what : arms_) {
    auto const add = [&](bool counts) {
      bench::arm<row> one{what.label, facts_of(what), [this, &what, counts] {
                            return std::make_unique<scheduler_work>(*this, what, counts);
                          }};
      one.row.counters = one.untimed = counts;
      made.push_back(std::move(one));
    };
    if (what.times) add(false);
    if (!what.counters) continue;
    if (find_algorithm(what.config.algorithm).observable) {
      add(true);
    } else {
      std::fprintf(stderr, "wavefront: %s: its scheduler is out of sight, so it is not counted\n",
                   what.label.c_str());
    }
  }
  return made;
}

row graph_scene::facts_of(arm const& what) {
  auto const& config = what.config;
  bool const multi = config.algorithm == "multi_queue";
  auto const shape = graph_.shape();
  row facts;
  facts.experiment = what.experiment;
  facts.algorithm = config.algorithm;
  facts.graph = graph_.is_lattice() ? "lattice" : "dag";
  facts.input = input_;
  facts.rows = shape.rows();
  facts.cols = shape.cols();
  facts.depth = shape.depth();
  facts.tasks = graph_.tasks();
  facts.edges = graph_.edges();
  facts.critical_path = graph_.critical_path();
  facts.blocks = config.blocks;
  facts.threads = config.threads;
  facts.queues = multi ? config.queues : config.algorithm == "single_queue" ? 1 : 0;
  if (multi) facts.hash = task_hash_names[static_cast<std::size_t>(config.hash)];
  if (is_in_order(config.algorithm))
    facts.numbering = task_numbering_names[static_cast<std::size_t>(config.numbering)];
  if (config.algorithm == "omp_tiles") facts.tile = config.tile;
  facts.body = body_name_of(what);
  facts.work_ns = what.work_ns;
  if (what.body == body_kind::work) {
    auto const drawn = drawn_of(what.durations);
    double const mean_ms = static_cast<double>(what.work_ns) * 1e-6;
    facts.durations = task_durations_names[static_cast<std::size_t>(what.durations)];
    facts.work_total_ms = drawn.total * mean_ms;
    facts.work_path_ms = drawn.path * mean_ms;
  }
  facts.width = config.width == task_width::lane ? "lane" : "block";
  return facts;
}

any_body graph_scene::body_of(arm const& what) {
  if (what.config.wide_results) return wide_body{wide_values().data()};
  if (what.body == body_kind::recurrence) return recurrence_body{values().data()};
  if (what.body == body_kind::noop) return noop_body{};
  auto const ticks = static_cast<std::uint64_t>(static_cast<double>(what.work_ns) *
                                                machine_.properties().ticks_per_ns);
  return work_body{ticks, what.durations, seed()};
}

drawn_work const& graph_scene::drawn_of(task_durations kind) {
  auto const [place, is_new] = drawn_.try_emplace(kind);
  if (is_new) place->second = work_of(graph_, kind, seed());
  return place->second;
}

std::uint32_t graph_scene::seed() const {
  std::uint64_t const seed = app_.common().seed;
  return static_cast<std::uint32_t>(seed ^ seed >> 32);
}

buffer<std::uint32_t> const& graph_scene::values() {
  if (memory_.values.size() == 0) memory_.values = machine_.allocate<std::uint32_t>(graph_.tasks());
  return memory_.values;
}

buffer<wide_value> const& graph_scene::wide_values() {
  if (memory_.wide_values.size() == 0)
    memory_.wide_values = machine_.allocate<wide_value>(graph_.tasks());
  return memory_.wide_values;
}

}  // namespace gridloom::wavefront
