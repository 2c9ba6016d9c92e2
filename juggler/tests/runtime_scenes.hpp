#pragma once
// Shared code for tests of the runtime under seeded schedules: a run's words in a schedule's memory.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "juggler/ours/local_then_shorter.hpp"
#include "scheduled_team.hpp"

namespace gridloom::juggler::test {

using namespace gridloom::test;

inline constexpr std::uint32_t most_workers = 4;
inline constexpr std::uint32_t most_tasks = 6;

/// Ends a wait after a queue was too short. On a device, the watchdog's word does this.
class overflow_watch {
 public:
  overflow_watch(schedule& on, std::uint32_t const* stop) : on_(&on), stop_(stop) {}
  template <class Memory>
  [[nodiscard]] bool stop(Memory& memory, wait_kind, std::uint32_t, std::uint64_t, std::uint64_t) {
    on_->yielded();
    return stop_ != nullptr && memory.load_relaxed(stop_) != 0;
  }

 private:
  schedule* on_;
  std::uint32_t const* stop_;
};

/// A run of a graph, with its words in the schedule's memory.
class scene_base {
 public:
  scene_base(schedule& on, small_graph const& of, int workers, std::uint32_t queue_length,
             bool is_counted = true)
      : on_(&on), workers_(workers), tasks_(static_cast<std::uint32_t>(of.children.size())) {
    bool const is_ring = queue_length < tasks_;
    if (!is_ring && !is_counted) ++queue_length;
    std::vector<std::uint32_t> open(tasks_, 0);
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      auto const& row = of.children[t];
      list_.push_back({t % 3, static_cast<std::uint32_t>(row.size()),
                       static_cast<std::uint32_t>(children_.size()), t});
      children_.insert(children_.end(), row.begin(), row.end());
      for (std::uint32_t const child : row) {
        ++open[child];
        parents_[child].push_back(t);
      }
    }
    // The task that stands for an entry that was not written.
    list_.push_back({0, 0, 0, tasks_});
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (open[t] == 0) ready_.push_back(t);
    }
    auto const ready = static_cast<std::uint32_t>(ready_.size());
    auto const w = static_cast<std::uint32_t>(workers);
    // The model has room for few words, so only those that the graph needs are added.
    weak_memory& memory = on.memory();
    memory.add(&words_->all.finished, 0);
    memory.add(&words_->all.next_queue, 0);
    if (is_ring) {
      memory.add(&words_->all.overflowed, 0);
      memory.add(&words_->stop, 0);
    }
    for (std::uint32_t q = 0; q < w; ++q) {
      std::uint32_t const dealt = rt_context_ref::dealt(q, ready, w);
      memory.add(&words_->inboxes[q].queue_end_index, dealt);
      memory.add(&words_->inboxes[q].iqs, dealt);
      if (is_ring) memory.add(&words_->inboxes[q].queue_start_index, 0);
      for (std::uint32_t k = 0; k < queue_length; ++k)
        memory.add(&words_->queues[q * queue_length + k], is_counted ? tasks_ : slot_inbox::empty);
    }
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (open[t] != 0) memory.add(&words_->open[t], open[t]);
      if (open[t] != 0 || list_[t].n_children != 0) memory.add(&words_->written[t], 0);
    }
    context_ = {w,
                tasks_,
                queue_length,
                is_ring,
                ready,
                ready_.data(),
                words_->queues.data(),
                words_->inboxes.data(),
                words_->open.data(),
                &words_->all,
                &words_->stop};
  }

  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (!done_[t]) return "task " + std::to_string(t) + " did not run";
    }
    return "";
  }

 protected:
  struct state {
    rt_words all{};
    std::array<inbox_words, most_workers> inboxes{};
    std::array<std::uint32_t, most_workers*(most_tasks + 1)> queues{};
    std::array<std::uint32_t, most_tasks> open{};
    std::array<std::uint32_t, most_tasks> written{};
    std::uint32_t stop = 0;
  };

  /// Runs a task with relaxed accesses. They give right values only if the runtime orders them.
  void run(scheduled_memory& memory, std::uint32_t number) {
    if (number >= tasks_) on_->fail("an entry was taken that nobody had written");
    if (done_[number]) on_->fail("task " + std::to_string(number) + " ran twice");
    done_[number] = true;
    for (std::uint32_t const parent : parents_[number]) {
      if (memory.load_relaxed(&words_->written[parent]) != 1000 + parent)
        on_->fail("task " + std::to_string(number) + " does not see " + std::to_string(parent));
    }
    if (!parents_[number].empty() || list_[number].n_children != 0)
      memory.store_relaxed(&words_->written[number], 1000 + number);
  }
  [[nodiscard]] app_context_ref<std::uint32_t> app() const {
    return {tasks_, list_.data(), children_.data()};
  }

  schedule* on_;
  int workers_;
  std::uint32_t tasks_;
  std::vector<task<std::uint32_t>> list_;
  std::vector<std::uint32_t> children_;
  std::array<std::vector<std::uint32_t>, most_tasks> parents_;
  std::vector<std::uint32_t> ready_;
  std::unique_ptr<state> words_ = std::make_unique<state>();
  std::array<bool, most_tasks> done_{};
  rt_context_ref context_{};
};

/// The runtime, with workers of one or two threads.
template <class Policy>
class scene : public scene_base {
 public:
  scene(schedule& on, small_graph const& of, int workers, shape block = shape::one_thread,
        std::uint32_t queue_length = most_tasks)
      : scene_base(on, of, workers,
                   std::min(queue_length, static_cast<std::uint32_t>(of.children.size())),
                   Policy::inbox::is_counted),
        shape_(block),
        threads_(block == shape::one_thread ? 1 : 2) {}

  /// Number of threads in the schedule.
  [[nodiscard]] int workers() const { return workers_ * threads_; }
  /// Checks that a worker that leaves has subtracted all its tasks from its IQS. Counted inboxes
  /// are left out, because their IQS also holds the sign to leave.
  [[nodiscard]] std::string verdict() const {
    if (std::string const problem = scene_base::verdict(); !problem.empty()) return problem;
    for (int w = 0; w < workers_ && !Policy::inbox::is_counted; ++w) {
      if (on_->memory().newest(&words_->inboxes[static_cast<std::size_t>(w)].iqs) != 0)
        return "an IQS counts tasks that are not there";
    }
    // SL.R1: all entries are empty for the next run.
    std::uint32_t const entries =
        Policy::inbox::is_counted ? 0 : context_.workers * context_.queue_length;
    for (std::uint32_t k = 0; k < entries; ++k) {
      if (on_->memory().newest(context_.queues + k) != slot_inbox::empty)
        return "an entry was left that should be empty";
    }
    return "";
  }
  void work(int thread) {
    int const worker = thread / threads_;
    auto const w = static_cast<std::size_t>(worker);
    scheduled_memory memory(*on_, thread);
    scheduled_team const block(*on_, blocks_->boards[w].data(), worker * threads_, threads_,
                               thread % threads_, shape_);
    overflow_watch patience(*on_, context_.is_ring ? context_.stop : nullptr);
    auto const tasks = app();
    worker_of<Policy, std::uint32_t> self(context_, tasks, static_cast<std::uint32_t>(worker),
                                          blocks_->shared[w]);
    steps own{*this, memory, block};
    self.work(memory, block, patience, own);
  }

 private:
  struct block_state {
    // Boards of the block and of its two warps.
    std::array<std::array<warp_board, 3>, most_workers> boards;
    std::array<typename worker_of<Policy, std::uint32_t>::scratch, most_workers> shared;
  };
  struct steps {
    scene& of;
    scheduled_memory& memory;
    scheduled_team const& block;

    bool stops(scheduled_memory&) { return false; }
    void execute(std::uint32_t number, task<std::uint32_t> const& next) {
      if (number != next.data) of.on_->fail("a task's number is not that of its data");
      if (block.thread_rank() == block.num_threads() - 1) of.run(memory, number);
      block.sync();
    }
  };

  shape shape_;
  int threads_;
  std::unique_ptr<block_state> blocks_ = std::make_unique<block_state>();
};

}  // namespace gridloom::juggler::test
