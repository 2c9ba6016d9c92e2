#pragma once
// The common part of the rivals with OpenMP tasks: the number of threads, the number of tasks that
// each thread ran, and the watchdog that limits a run.

#include <omp.h>

#include <cstdint>
#include <vector>

#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

class omp_scheduler : public body_executor {
 public:
  explicit omp_scheduler(scheduler_setup const& setup)
      : body_executor(setup),
        workers_(setup.config.blocks),
        finished_by_(static_cast<std::size_t>(workers_)) {}

  [[nodiscard]] std::uint64_t finished() override {
    std::uint64_t sum = 0;
    for (auto const& count : finished_by_) sum += count.tasks;
    return sum;
  }

 protected:
  void reset_state() override {
    for (auto& count : finished_by_) count.tasks = 0;
  }
  /// Called before the tasks of a run are created.
  void begin_run(bool tasks_take_long) {
    watches_.clear();
    for (int worker = 0; worker < workers_; ++worker)
      watches_.push_back({watch(stopper_, worker, tasks_take_long)});
  }
  /// Whether the run's time is up. Threads ask before they run a task.
  [[nodiscard]] bool stopped() {
    direct_memory memory;
    watch& own = watches_[static_cast<std::size_t>(omp_get_thread_num())].own;
    return own.stop(memory, wait_kind::own_work, 0, 0, 0);
  }
  /// Like `stopped`, but asked before task `number` is created: reads the clock at every 64th task.
  [[nodiscard]] bool stops_creating(std::uint32_t number) { return number % 64 == 0 && stopped(); }
  /// Adds to the number of tasks that the calling thread ran.
  void count(std::uint64_t tasks) {
    finished_by_[static_cast<std::size_t>(omp_get_thread_num())].tasks += tasks;
  }

  int workers_;

 private:
  struct alignas(line_bytes) counter {
    std::uint64_t tasks = 0;
  };
  struct alignas(line_bytes) padded_watch {
    watch own;
  };
  std::vector<padded_watch> watches_;
  std::vector<counter> finished_by_;
};

}  // namespace gridloom::wavefront
