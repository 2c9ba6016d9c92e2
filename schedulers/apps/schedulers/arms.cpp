#include "apps/schedulers/arms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridloom::schedulers {

namespace {

constexpr char const* of_the_graph = "graph";

task_durations drawn_as(std::string const& kind) {
  auto const found = std::find(task_durations_names.begin(), task_durations_names.end(), kind);
  return static_cast<task_durations>(found - task_durations_names.begin());
}

class graph_work final : public bench::work<row> {
 public:
  graph_work(scene& of, row const& what)
      : of_(of),
        threads_(what.threads),
        executor_(made(of, what)),
        shared_setup_ms_(of.shared.take_handed_out_ms()) {}

  double shared_setup_ms() const override { return shared_setup_ms_; }

  void prepare() override { of_.data.clear(); }
  /// Includes the reset of counters and queues, which every repetition needs.
  void run() override { executor_->run(); }
  void copy_out() override { of_.data.fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { of_.data.verify(); }
  bool observe() override {
    constexpr std::uint64_t most_events = 1U << 22U;
    auto const events = static_cast<std::uint32_t>(std::min(of_.graph.tasks(), most_events));
    of_.data.clear();
    executor_->run(of_.app.arm_trace(executor_->workers(), events, {of_.graph, {}}));
    of_.app.machine().synchronize();
    return true;
  }
  void record(row& to) const override {
    to.launches = static_cast<std::int64_t>(executor_->launches());
    to.executed = static_cast<std::int64_t>(executor_->finished());
    to.workers = units();
    to.bytes_per_task =
        static_cast<double>(executor_->bytes()) / static_cast<double>(of_.graph.tasks());
    set_up_times const set_up = executor_->set_up();
    if (set_up.graph_ms + set_up.state_ms > 0) to.set_up = set_up;
    to.predicted_ms = executor_->predicted_ms();
    to.kernel = executor_->facts();
  }

 private:
  static std::unique_ptr<executor> made(scene& of, row const& what) {
    (void)of.shared.take_handed_out_ms();
    return scheduler_of(what).make(of.app.machine(), of.graph, of.data.ref(),
                                   {.workers = what.workers_asked,
                                    .threads = what.threads,
                                    .timeout_s = of.app.common().timeout_s,
                                    .shared = &of.shared,
                                    .block_per_task = what.level_blocks == level_blocks_names[1]});
  }
  /// A launch may have more blocks than the device runs at once. A block of MHive has several
  /// workers.
  [[nodiscard]] int units() const {
    kernel_facts const facts = executor_->facts();
    int const at_once = facts.blocks_per_multiprocessor *
                        of_.app.machine().properties().multiprocessors * facts.threads / threads_;
    int const workers = executor_->workers();
    return at_once > 0 ? std::min(workers, at_once) : workers;
  }

  scene& of_;
  int threads_;
  std::unique_ptr<executor> executor_;
  double shared_setup_ms_;
};

}  // namespace

std::vector<std::string> const& durations_names() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all(task_durations_names.begin(), task_durations_names.end());
    all.emplace_back(of_the_graph);
    return all;
  }();
  return names;
}

scene::scene(bench::program& frame, std::string graph_name, csr_graph from)
    : app(frame),
      name(std::move(graph_name)),
      graph(std::move(from)),
      shape(shape_of(graph)),
      shared(app.machine(), graph),
      data(app.machine(), shared.dag()),
      own_(std::move(graph.durations)) {}

std::uint32_t scene::seed() const {
  std::uint64_t const seed = app.common().seed;
  return static_cast<std::uint32_t>(seed ^ seed >> 32);
}

void scene::set_durations(std::string const& kind) {
  durations = kind;
  multiples_.clear();
  if (kind == of_the_graph) {
    double const mean =
        std::accumulate(own_.begin(), own_.end(), 0.0) / static_cast<double>(graph.tasks());
    for (std::uint64_t const one : own_)
      multiples_.push_back(static_cast<float>(static_cast<double>(one) / mean));
  } else {
    auto const drawn = drawn_as(kind);
    for (std::uint32_t task = 0; task < graph.tasks(); ++task)
      multiples_.push_back(duration_of(drawn, seed(), task));
  }
  work = work_of(graph, multiples_);
}

void scene::set_work(std::int64_t mean_ns) {
  work_ns = mean_ns;
  if (durations == of_the_graph)
    data.set_work(mean_ns, multiples_);
  else
    data.set_work(mean_ns, drawn_as(durations), seed());
  graph.durations.clear();
  for (float const one : multiples_)
    graph.durations.push_back(
        static_cast<std::uint64_t>(std::llround(one * static_cast<double>(mean_ns))));
}

synthetic_scheduler const& scheduler_of(row const& what) {
  return named(what.method, all_schedulers());
}

std::vector<bench::method<row>> all_methods() {
  return methods_of<row>(all_schedulers(), bench::makes<graph_work>);
}

}  // namespace gridloom::schedulers
