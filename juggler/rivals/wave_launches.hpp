#pragma once
// The executor of rivals that launch one kernel per wave, or replay such launches. Only sources
// that launch kernels include this header.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "gridloom/parse.hpp"
#include "juggler/ours/task_order.hpp"
#include "juggler/preparation.hpp"
#include "juggler/rivals/waves.hpp"

namespace gridloom::juggler::detail {

/// One launch per wave, with one block per task or at most `workers` blocks. The host always has
/// this limit, a GPU only if it is given. No block waits for another, so there is no watchdog. The
/// host checks the time between launches, and host threads check it before each task. Launches that
/// a GPU has already received run to their end, and so does a recorded graph.
template <application App, bool Overlap>
class wave_launches final : public executor {
 public:
  using task_data = typename App::task_data;
  using kernel = wave_kernel<App, Overlap>;

  /// If `is_graph`, the launches are recorded before the first run, and again for another trace.
  wave_launches(device& machine, task_dag const& dag, std::vector<task_data> const& data,
                execution_settings const& settings, App const& app, bool is_graph)
      : machine_(&machine),
        threads_(settings.threads),
        most_blocks_(settings.workers),
        timeout_s_(settings.timeout_s),
        app_(app),
        is_graph_(is_graph),
        tasks_(timed(machine, graph_init_ms_,
                     [&] { return app_store<task_data>(machine, dag, data); })) {
    if (most_blocks_ == 0)
      most_blocks_ = machine.is_host() ? machine.properties().multiprocessors
                                       : std::numeric_limits<int>::max();
    timed(machine, runtime_init_ms_, [&] {
      task_groups waves = waves_of(dag);
      numbers_ = machine.allocate_copy(waves.tasks);
      finished_ = machine.allocate<std::uint64_t>(1);
      machine.fill_bytes(finished_, 0);
      first_ = std::move(waves.first);
      if (is_graph_) record({});
      return 0;
    });
  }

  void run(trace_ref trace) override {
    if (machine_->is_host())
      finished_before_ = machine_->copy_to_host(finished_)[0];
    else
      finished_before_ += first_[launched_];
    launched_ = 0;
    deadline_ns_ = now_ns() + static_cast<std::uint64_t>(timeout_s_ * 1e9);
    if (!is_graph_) return launch_in_time(trace);
    if (trace != recorded_for_) record(trace);
    if (launches() != 0) machine_->replay(recorded_);
    launched_ = launches();
  }
  void require_done() override {
    std::uint64_t const all = tasks_.ref().tasks;
    std::uint64_t const done = finished();
    std::string const of = std::to_string(done) + " of " + std::to_string(all) + " tasks";
    bool const ended_early = machine_->is_host() && done != all && now_ns() >= deadline_ns_;
    if (launched_ < launches() || ended_early) {
      std::string text = timeout_text(timeout_s_) + ": " + of + " finished";
      if (launched_ < launches())
        text += "; the host launched " + std::to_string(launched_) + " of " +
                std::to_string(launches()) + " waves";
      throw timeout_error(text);
    }
    if (done != all) throw wrong_result("only " + of + " were executed");
  }
  /// The device never resets its count, which covers all runs.
  std::uint64_t finished() override {
    return machine_->copy_to_host(finished_)[0] - finished_before_;
  }
  std::size_t bytes() const override {
    return tasks_.bytes() + numbers_.bytes() + finished_.bytes();
  }
  std::size_t launches() const override { return first_.size() - 1; }
  int workers() const override {
    int most = 0;
    for (std::size_t wave = 0; wave < launches(); ++wave) most = std::max(most, blocks_of(wave));
    return most;
  }
  kernel_facts facts() const override { return machine_->facts<kernel>(threads_); }
  double graph_init_ms() const override { return graph_init_ms_; }
  double runtime_init_ms() const override { return runtime_init_ms_; }

 private:
  [[nodiscard]] std::uint32_t size_of(std::size_t wave) const {
    return first_[wave + 1] - first_[wave];
  }
  [[nodiscard]] int blocks_of(std::size_t wave) const {
    return static_cast<int>(std::min<std::uint32_t>(size_of(wave), most_blocks_));
  }
  void launch(std::size_t wave, trace_ref trace) {
    machine_->launch(
        {blocks_of(wave), threads_},
        kernel{tasks_.ref(), app_, numbers_.data() + first_[wave], size_of(wave), finished_.data(),
               trace, machine_->is_host() ? &deadline_ns_ : nullptr});
  }
  /// On a GPU, a launch returns at once until about a thousand launches wait. So checking the time
  /// at every launch would find nothing earlier.
  void launch_in_time(trace_ref trace) {
    std::size_t const between_looks = machine_->is_host() ? 1 : 64;
    for (; launched_ < launches(); ++launched_) {
      if (launched_ % between_looks == 0 && now_ns() >= deadline_ns_) return;
      launch(launched_, trace);
    }
  }
  void record(trace_ref trace) {
    if (launches() == 0) return;
    recorded_ = machine_->record([&] {
      for (std::size_t wave = 0; wave < launches(); ++wave) launch(wave, trace);
    });
    recorded_for_ = trace;
  }

  device* machine_;
  int threads_;
  int most_blocks_;
  double timeout_s_;
  App app_;
  bool is_graph_;
  double graph_init_ms_ = 0;
  double runtime_init_ms_ = 0;
  app_store<task_data> tasks_;
  buffer<std::uint32_t> numbers_;
  buffer<std::uint64_t> finished_;
  /// Array of waves + 1 places: the beginning of each wave in numbers_, and the end.
  std::vector<std::uint32_t> first_;
  std::size_t launched_ = 0;
  std::uint64_t finished_before_ = 0;
  std::uint64_t deadline_ns_ = 0;
  launch_sequence recorded_;
  trace_ref recorded_for_;
};

}  // namespace gridloom::juggler::detail
