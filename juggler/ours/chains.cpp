#include "juggler/ours/chains.hpp"

#include <algorithm>
#include <future>

namespace gridloom::juggler {

namespace {

constexpr std::uint32_t none = ~0U;
constexpr std::uint64_t task_time = 4;
constexpr std::uint64_t hand_over_time = 1;

class dealer {
 public:
  dealer(heir choice, csr_graph const& graph, csr_graph const& before, task_groups const& waves,
         std::uint32_t workers)
      : choice_(choice),
        children_(graph),
        before_(before),
        waves_(waves),
        places_(graph.tasks()),
        heirs_(graph.tasks()),
        made_{std::vector<std::uint32_t>(graph.tasks(), none), 0},
        done_(graph.tasks()),
        workers_(workers) {
    for (std::uint32_t at = 0; at < graph.tasks(); ++at) places_[waves.tasks[at]] = at;
  }

  task_owners deal() {
    for (std::uint32_t wave = 0; wave < waves_.groups(); ++wave) {
      share_ = waves_.size(wave) / size();
      extra_ = waves_.size(wave) % size();
      std::uint32_t const begin = waves_.first[wave], end = waves_.first[wave + 1];
      if (wave > 0) {
        for (std::uint32_t at = begin; at < end; ++at) inherit(waves_.tasks[at], wave);
      }
      for (std::uint32_t at = begin; at < end; ++at) {
        std::uint32_t const task = waves_.tasks[at];
        if (made_.worker_of[task] == none) deal_out(task, wave);
        finish(task);
        heirs_[task] = heir_of(task, wave);
      }
    }
    return std::move(made_);
  }

 private:
  struct worker_state {
    std::uint32_t wave = none;
    /// Number of tasks that the worker was given in that wave.
    std::uint32_t tasks = 0;
    std::uint64_t free = 0;
  };

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()); }

  /// First pass: gives a task to its parent's worker, if the task is that parent's heir.
  void inherit(std::uint32_t task, std::uint32_t wave) {
    auto const begin = before_.row_offsets[task], end = before_.row_offsets[task + 1];
    for (auto k = begin; k < end; ++k) {
      auto const e = choice_ == heir::last_child ? k : begin + end - 1 - k;
      std::uint32_t const parent = before_.columns[e];
      if (heirs_[parent] == task && give(task, made_.worker_of[parent], wave)) return;
    }
  }
  /// Second pass: gives a task to a worker that has room, preferring the workers of its parents.
  void deal_out(std::uint32_t task, std::uint32_t wave) {
    for (auto e = before_.row_offsets[task + 1]; e-- > before_.row_offsets[task];) {
      if (give(task, made_.worker_of[before_.columns[e]], wave)) return;
    }
    // Some worker has room. At most as many workers are full as the wave has tasks, so the search
    // is linear in the tasks.
    while (!give(task, next_, wave)) next_ = next_ + 1 == size() ? 0 : next_ + 1;
  }
  /// Gives the task to the worker and returns true, if there is room.
  bool give(std::uint32_t task, std::uint32_t worker, std::uint32_t wave) {
    worker_state& to = workers_[worker];
    if (to.wave != wave) {
      to.wave = wave;
      to.tasks = 0;
    }
    if (to.tasks > share_ || (to.tasks == share_ && extra_ == 0)) return false;
    if (to.tasks == share_) --extra_;
    ++to.tasks;
    made_.worker_of[task] = worker;
    return true;
  }

  void finish(std::uint32_t task) {
    std::uint32_t const worker = made_.worker_of[task];
    std::uint64_t begin = workers_[worker].free;
    for (std::uint32_t const parent : before_.of(task)) {
      std::uint64_t const seen =
          done_[parent] + (made_.worker_of[parent] == worker ? 0 : hand_over_time);
      begin = std::max(begin, seen);
    }
    done_[task] = workers_[worker].free = begin + task_time;
    made_.makespan = std::max(made_.makespan, done_[task]);
  }

  [[nodiscard]] std::uint32_t heir_of(std::uint32_t task, std::uint32_t wave) const {
    auto const begin = children_.row_offsets[task], end = children_.row_offsets[task + 1];
    if (begin == end) return none;
    // The task has a child, so there is a next wave.
    std::uint32_t const next = waves_.first[wave + 1], behind = waves_.first[wave + 2];
    bool const as_many = behind - next == next - waves_.first[wave];
    std::uint32_t found = none;
    for (auto e = begin; e < end; ++e) {
      std::uint32_t const child = children_.columns[e], place = places_[child];
      if (place >= behind) continue;
      if (as_many && place - next == places_[task] - waves_.first[wave]) return child;
      if (found == none || choice_ == heir::last_child) found = child;
    }
    return found == none ? children_.columns[begin] : found;
  }

  heir choice_;
  csr_graph const& children_;
  csr_graph const& before_;
  task_groups const& waves_;
  /// One element per task: its place in the order of waves, its heir, and (`done_`) when it ends.
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> heirs_;
  task_owners made_;
  std::vector<std::uint64_t> done_;
  std::vector<worker_state> workers_;
  /// The worker that the second pass tries next.
  std::uint32_t next_ = 0;
  /// Number of tasks per worker in this wave, and how many workers may still get one more.
  std::uint32_t share_ = 0;
  std::uint32_t extra_ = 0;
};

}  // namespace

task_owners chains_by(heir choice, csr_graph const& graph, csr_graph const& before,
                      task_groups const& waves, std::uint32_t workers) {
  return dealer(choice, graph, before, waves, workers).deal();
}

task_owners chains_of(csr_graph const& graph, csr_graph const& before, task_groups const& waves,
                      std::uint32_t workers) {
  // Large graphs compute both at the same time; for small ones, starting a thread costs more.
  constexpr std::uint32_t many_tasks = 16384;
  auto const how = graph.tasks() < many_tasks ? std::launch::deferred
                                              : std::launch::async | std::launch::deferred;
  auto other =
      std::async(how, [&] { return chains_by(heir::last_child, graph, before, waves, workers); });
  task_owners first = chains_by(heir::first_child, graph, before, waves, workers);
  task_owners last = other.get();
  return last.makespan < first.makespan ? last : first;
}

worker_lists chain_lists(csr_graph const& graph, csr_graph const& before, std::uint32_t workers) {
  task_groups const waves = levels_by_number(graph);
  return {dealt_to(workers, waves, chains_of(graph, before, waves, workers).worker_of)};
}

}  // namespace gridloom::juggler
